//! `--overlay`: draws maps of the analysis in colours over the grey picture.

use super::canvas::{Canvas, process_frame};
use crate::error::CliError;
use clap::ValueEnum;
use dndi::convert::Captured;
use dndi::{Frame, Maps, Parameters, Rect, Scan};

/// `--overlay`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Overlay {
    /// Motion measure of the deinterlacer (STMM): red for moving, yellow for blended, grey for
    /// still
    Motion,
    /// Edge angles of the deinterlacer: red leans to the right, blue to the left; a stronger colour
    /// is a flatter angle
    Angle,
    /// Motion history of the denoise filter: red for moving, green for still; a stronger green is a
    /// longer history
    History,
    /// Motion-compensated pixels in purple, with their motion vectors at double length
    Vectors,
    /// Combing: red within the frame, green and blue between its fields and those of the previous
    /// frame; yellow where the comb mask excludes pixels of film from weaving
    Tears,
    /// Skin tone factor of the picture shown: a stronger purple is a higher factor
    Skin,
}

const RED: [u8; 3] = [255, 0, 0];
const GREEN: [u8; 3] = [0, 255, 0];
const BLUE: [u8; 3] = [0, 64, 255];
const YELLOW: [u8; 3] = [255, 220, 0];
const PURPLE: [u8; 3] = [200, 0, 255];

/// Largest share of a colour in a pixel, so that the picture stays visible below the overlay.
const SHARE: f64 = 0.6;

/// Factor by which motion vectors are drawn longer, so that short ones are visible.
const VECTOR_SCALE: f64 = 2.0;

/// Width and height of the cells that have one vector drawn, in luma samples of the input.
const CELL: usize = 16;

/// The part of the input frame that a picture shows.
#[derive(Clone, Copy, Debug)]
pub struct PictureRegion {
    part: Rect,
    /// Width and height of the input frame.
    size: (usize, usize),
    /// Parity of the missing lines, if only their maps are drawn.
    missing: Option<usize>,
}

impl PictureRegion {
    /// A part of a frame, or the whole frame.
    pub fn of(part: Option<Rect>, frame: &Frame) -> PictureRegion {
        let (width, height) = frame.format().plane_size(0);
        PictureRegion { part: part.unwrap_or(Rect { x: 0, y: 0, width, height }), size: (width, height), missing: None }
    }

    /// The same region, with the maps of missing lines only, if their parity is given.
    pub fn only(self, missing: Option<usize>) -> PictureRegion {
        PictureRegion { missing, ..self }
    }

    /// Column and line of the input for a pixel of a picture of `size`. If only missing lines
    /// count, the line is replaced by the missing line beside it.
    fn source(&self, size: (usize, usize), (x, y): (usize, usize)) -> (usize, usize) {
        let x = self.part.x + x * self.part.width / size.0;
        let y = self.part.y + y * self.part.height / size.1;
        let line = self.missing.map_or(y, |parity| if y % 2 == parity { y } else { y ^ 1 });
        (x.min(self.size.0 - 1), if line < self.size.1 { line } else { y })
    }

    /// Column and line in a picture of `size` for a position in the input.
    fn target(&self, size: (usize, usize), (x, y): (f64, f64)) -> (f64, f64) {
        let across = size.0 as f64 / self.part.width as f64;
        let down = size.1 as f64 / self.part.height as f64;
        ((x - self.part.x as f64) * across, (y - self.part.y as f64) * down)
    }
}

impl Overlay {
    /// Draws the overlay over the picture, which shows `frame`.
    pub fn draw(
        self,
        picture: &mut Canvas,
        region: PictureRegion,
        frame: &Frame,
        captured: &Captured,
        parameters: &Parameters,
    ) -> Result<(), CliError> {
        let size = (picture.width, picture.height);
        picture.make_grey();
        if self == Overlay::Skin {
            let factors = skin(frame, parameters)?;
            picture.tint(|x, y| Some((PURPLE, f64::from(factors.plane(0)[y * size.0 + x].min(31)) / 31.0 * SHARE)));
            return Ok(());
        }
        let maps = captured.maps.as_ref();
        let maps = maps.filter(|maps| self.is_known(maps)).ok_or_else(|| self.unknown(maps.is_some()))?;
        let (pairs, blocks) = (maps.pairs(), maps.blocks());
        let source = |x, y| region.source(size, (x, y));
        match self {
            Overlay::Motion => picture.tint(|x, y| {
                let (x, y) = source(x, y);
                motion(maps.stmm[y * pairs + x / 2], parameters)
            }),
            Overlay::Angle => picture.tint(|x, y| {
                let (x, y) = source(x, y);
                let angle = maps.angle[y * pairs + x / 2];
                let color = if angle > 0 { RED } else { BLUE };
                (angle != 0).then(|| (color, f64::from(angle.abs()) / 5.0 * SHARE))
            }),
            Overlay::History => picture.tint(|x, y| {
                let (x, y) = source(x, y);
                let history = maps.history[y / 4 * blocks + x / 4];
                let longest = f64::from(parameters.denoise.history_max.saturating_sub(128).max(1));
                Some(match history.checked_sub(128) {
                    None => (RED, SHARE),
                    Some(grown) => (GREEN, (f64::from(grown) / longest).min(1.0) * SHARE),
                })
            }),
            Overlay::Vectors => {
                picture.tint(|x, y| {
                    let (x, y) = source(x, y);
                    maps.vectors[y * pairs + x / 2].map(|_| (PURPLE, SHARE))
                });
                arrows(picture, region, maps);
            }
            Overlay::Tears => {
                picture.tint(|x, y| {
                    let (x, y) = source(x, y);
                    let flags = maps.tears.get(y / 2 * maps.size.0 + x).copied().unwrap_or(0);
                    let color = [RED, GREEN, BLUE].into_iter().enumerate().find(|(bit, _)| flags >> bit & 1 == 1);
                    let combed = || captured.comb_mask.as_ref().filter(|mask| mask.contains(x, y)).map(|_| (YELLOW, SHARE / 2.0));
                    color.map(|(_, color)| (color, 1.0)).or_else(combed)
                });
            }
            Overlay::Skin => {}
        }
        Ok(())
    }

    /// Whether the map for this overlay exists.
    fn is_known(self, maps: &Maps) -> bool {
        match self {
            Overlay::Motion => !maps.stmm.is_empty(),
            Overlay::Angle => !maps.angle.is_empty(),
            Overlay::History => !maps.history.is_empty(),
            Overlay::Vectors => !maps.vectors.is_empty(),
            Overlay::Tears => !maps.tears.is_empty(),
            Overlay::Skin => true,
        }
    }

    /// The error that the map does not exist. `step` is whether a step made the picture; the last
    /// field of a clip is made without a step.
    fn unknown(self, step: bool) -> CliError {
        CliError::usage(match self {
            Overlay::History if !step => "--overlay history: the last field has none",
            Overlay::History => {
                "--overlay history: --denoise off and --denoise-motion on have no motion history; use --denoise auto, and \
                 --denoise-motion off"
            }
            Overlay::Vectors => {
                "--overlay vectors: there are none in a frame that is not deinterlaced, with --mcdi off, in the first frame and in \
                 the last field"
            }
            Overlay::Angle => {
                "--overlay angle: there are none in a frame that is not deinterlaced, in the first frame and in the last field"
            }
            _ => "--overlay: there are no maps of a frame that is not deinterlaced, nor of the last field",
        })
    }
}

/// The colour and share for a value of the motion measure; none for a still pixel.
fn motion(stmm: u8, parameters: &Parameters) -> Option<([u8; 3], f64)> {
    let [stmm, min, max] = [stmm, parameters.deinterlace.stmm_min, parameters.deinterlace.stmm_max].map(i32::from);
    // The conversion to bytes limits the mixture to the colours of both ends.
    let moving = f64::from(stmm - min) / f64::from((max - min).max(1));
    let mixed = std::array::from_fn(|c| (f64::from(YELLOW[c]) * (1.0 - moving) + f64::from(RED[c]) * moving).round() as u8);
    (stmm >= min).then_some((mixed, SHARE))
}

/// Draws a line along the mean motion vector of each cell that has vectors.
fn arrows(picture: &mut Canvas, region: PictureRegion, maps: &Maps) {
    let (width, height) = maps.size;
    let pairs = maps.pairs();
    for (left, top) in (0..height).step_by(CELL).flat_map(|top| (0..width).step_by(CELL).map(move |left| (left, top))) {
        let lines = (top..(top + CELL).min(height)).filter(|y| region.missing.is_none_or(|parity| y % 2 == parity));
        let vectors = lines.flat_map(|y| &maps.vectors[y * pairs + left / 2..y * pairs + (left + CELL).div_ceil(2).min(pairs)]);
        let vectors: Vec<_> = vectors.flatten().collect();
        if vectors.is_empty() {
            continue;
        }
        let mean = |sum: i32| f64::from(sum) / vectors.len() as f64;
        let (mx, my) =
            (mean(vectors.iter().map(|(x, _)| i32::from(*x)).sum()), mean(vectors.iter().map(|(_, y)| i32::from(*y)).sum()));
        let middle = ((left + CELL / 2) as f64, (top + CELL / 2) as f64);
        let size = (picture.width, picture.height);
        let [from, to] = [middle, (middle.0 + mx * VECTOR_SCALE, middle.1 + my * VECTOR_SCALE)].map(|at| region.target(size, at));
        picture.line(from, to, [255; 3]);
        picture.line(from, from, GREEN);
    }
}

/// A frame whose luma is the skin tone factor of each pixel, 0…31.
fn skin(frame: &Frame, parameters: &Parameters) -> Result<Frame, CliError> {
    let mut alone = Parameters::default();
    alone.color = parameters.color.clone();
    let color = &mut alone.color;
    [color.ste_enable, color.ace_enable, color.tcc_enable, color.procamp_enable, color.transform_enable] = [false; 5];
    (color.std_enable, color.vy_std_enable) = (true, true);
    // With `output_control` the factor replaces the luma, in steps of 8 code values.
    color.output_control = true;
    let (mut map, _) = process_frame(frame, Scan::Progressive, |builder| builder.parameters(alone))?;
    let [factors, ..] = map.byte_planes_mut();
    factors.iter_mut().for_each(|factor| *factor /= 8);
    Ok(map)
}
