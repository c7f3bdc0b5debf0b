//! AVC loop filter read: the control data of a macroblock, expanded by the tables of the filter
//! (§11.2, volume 4 part 1, 3.9.12).
use super::loop_filter_tables::{ALPHA, BETA, TC0};
use crate::gen6::eu::data::descriptor::SharedFunction;
use crate::gen6::eu::data::error::MessageError;
use crate::gen6::eu::data::message::{Message, Writeback};
use crate::gen6::eu::data::register::Register;
use crate::gen6::eu::functions::context::FunctionContext;
use crate::gen6::eu::functions::range::{Element, Range, STATELESS, surface_state, unsupported};

/// DWords of a macroblock.
const DWORDS: usize = 16;

/// A plane of samples.
#[derive(Clone, Copy)]
enum Plane {
    Y,
    Cb,
    Cr,
}

/// The boundary that an edge belongs to: that inside the macroblock, or one of the two with the
/// left or the upper neighbour.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Boundary {
    Internal,
    Left(usize),
    Top(usize),
}

/// An edge of a 4×4 block.
#[derive(Clone, Copy)]
struct Edge {
    boundary: Boundary,
    /// Boundary strength, 0 to 4.
    strength: usize,
}

/// The control data of a macroblock.
struct Macroblock([u32; DWORDS]);

impl Macroblock {
    /// The indices A and B of a boundary, at most 51.
    fn indices(&self, plane: Plane, boundary: Boundary) -> [usize; 2] {
        let within = match boundary {
            Boundary::Internal => 0,
            Boundary::Left(n) => 1 + n,
            Boundary::Top(n) => 3 + n,
        };
        // Words of A and B follow each other from the upper half of DWord 4 on.
        let word = 9 + 5 * plane as usize + within;
        let bits = self.0[word / 2] >> (16 * (word % 2));
        [bits & 0xff, bits >> 8 & 0xff].map(|index| (index as usize).min(ALPHA.len() - 1))
    }

    /// Two bits from bit `bit` of DWord `dword` on: the strength of an edge inside.
    fn internal(&self, dword: usize, bit: usize) -> Edge {
        Edge { boundary: Boundary::Internal, strength: (self.0[dword] >> bit & 3) as usize }
    }

    /// Four bits: the strength of an edge to a neighbour.
    fn external(&self, dword: usize, bit: usize, boundary: Boundary) -> Edge {
        Edge { boundary, strength: (self.0[dword] >> bit & 15).min(4) as usize }
    }

    /// The vertical edges of column `column`, from the upper row down; the strengths `n` of the
    /// left column.
    fn vertical(&self, column: usize, n: usize) -> [Edge; 4] {
        std::array::from_fn(|row| match (column, n) {
            (0, 0) => self.external(2, 16 + 4 * row, Boundary::Left(0)),
            (0, _) => self.external(3, 4 * row, Boundary::Left(1)),
            _ => self.internal(1, 8 * (column - 1) + 2 * row),
        })
    }

    /// The horizontal edges of row `row`, from the left column on; the strengths `n` of the upper
    /// row.
    fn horizontal(&self, row: usize, n: usize) -> [Edge; 4] {
        std::array::from_fn(|column| match (row, n) {
            (0, 0) => self.external(3, 16 + 4 * column, Boundary::Top(0)),
            (0, _) => self.external(4, 4 * column, Boundary::Top(1)),
            (1, _) => self.internal(1, 24 + 2 * column),
            _ => self.internal(2, 8 * (row - 2) + 2 * column),
        })
    }

    /// The thresholds tc0 of four edges, a byte each.
    fn tc0(&self, plane: Plane, edges: [Edge; 4]) -> u32 {
        u32::from_le_bytes(edges.map(|edge| match edge.strength {
            strength @ 1..=3 => TC0[strength - 1][self.indices(plane, edge.boundary)[0]],
            _ => 0,
        }))
    }

    /// Alpha and beta of a boundary, a byte each.
    fn thresholds(&self, plane: Plane, boundary: Boundary) -> u32 {
        let [a, b] = self.indices(plane, boundary);
        u32::from(BETA[b]) << 8 | u32::from(ALPHA[a])
    }

    /// Alpha and beta of the left and the upper boundary `n`.
    fn external_thresholds(&self, plane: Plane, n: usize) -> u32 {
        self.thresholds(plane, Boundary::Top(n)) << 16 | self.thresholds(plane, Boundary::Left(n))
    }

    /// The registers of the response.
    fn registers(&self) -> [Register; 8] {
        use Plane::{Cb, Cr, Y};
        let dwords = &self.0;
        // Two rows or columns of edges inside, 4 bits each.
        let inside = |low: [Edge; 4], high: [Edge; 4]| map(high, 1) << 16 | map(low, 1);
        // Edges to a neighbour: whether they are filtered, and whether strongly.
        let outside = |edges: [Edge; 4]| map(edges, 4) << 16 | map(edges, 1);
        let (v, h) = (|column| self.vertical(column, 0), |row| self.horizontal(row, 0));
        let (v1, h1) = (self.vertical(0, 1), self.horizontal(0, 1));
        let chroma = |plane| [self.tc0(plane, v(0)), self.tc0(plane, v(2)), self.tc0(plane, h(0)), self.tc0(plane, h(2))];
        let second = |plane| [self.external_thresholds(plane, 1), 0, self.tc0(plane, v1), self.tc0(plane, h1)];
        let (inner, outer) = (|plane| self.thresholds(plane, Boundary::Internal), |plane| self.external_thresholds(plane, 0));
        let join = |low: [u32; 4], high: [u32; 4]| std::array::from_fn(|n| if n < 4 { low[n] } else { high[n - 4] });
        [
            std::array::from_fn(|n| dwords[n]),
            join([dwords[8], dwords[9], dwords[10], dwords[11]], [0; 4]),
            [
                inside(v(1), v(2)),
                inside(v(3), h(1)),
                inside(h(2), h(3)),
                0,
                outside(v(0)),
                outside(h(0)),
                outside(v1),
                outside(h1),
            ],
            join([0, 1, 2, 3].map(|n| self.tc0(Y, v(n))), [0, 1, 2, 3].map(|n| self.tc0(Y, h(n)))),
            join([outer(Y), inner(Y), 0, 0], second(Y)),
            join(chroma(Cb), chroma(Cr)),
            [outer(Cb), inner(Cb), outer(Cr), inner(Cr), 0, 0, 0, 0],
            join(second(Cb), second(Cr)),
        ]
        .map(Register::of)
    }
}

/// The map of four edges: all ones for those of at least this strength, 4 bits each.
fn map(edges: [Edge; 4], least: usize) -> u32 {
    edges.iter().rev().fold(0, |map, edge| map << 4 | if edge.strength >= least { 15 } else { 0 })
}

/// Processes a message.
pub(super) fn serve(
    context: FunctionContext,
    function: SharedFunction,
    message: &Message,
) -> Result<Vec<Writeback>, MessageError> {
    let (header, _) = message.header()?;
    message.check_length(0)?;
    let offset = header.dword(2);
    if !offset.is_multiple_of(16) {
        return Err(MessageError::Payload { reason: "an offset that is no multiple of 16 bytes", value: offset });
    }
    let refused = |reason| unsupported(message, reason);
    let range = match message.descriptor.binding() {
        STATELESS if function == SharedFunction::RenderCache => Range::stateless(context, header),
        STATELESS => return Err(refused("only the render cache supports stateless buffers")),
        _ => Range::of(&surface_state(context, message)?, Element::Bytes(16), 4).map_err(refused)?,
    };
    let macroblock = Macroblock(std::array::from_fn(|dword| range.read(context.memory, u64::from(offset) + 4 * dword as u64)));
    Ok(macroblock.registers().map(Writeback::from).to_vec())
}
