//! Scaling and sharpening by `sample_8x8`, one thread for each 16 × 4 pixels of a plane (§5, §7.4).
use super::binding_table::BindingTable;
use super::blocks::{Block, MessageRegisters, X, Y};
use super::error::{DriverError, completed};
use super::passes::{HEIGHT, Pass, WIDTH, passes};
use super::plane::{Plane, planes, reserve};
use crate::enhance::SharpenMode;
use crate::gen6::eu::data::descriptor::{Descriptor, SharedFunction};
use crate::gen6::eu::data::kernel::{Kernel, KernelBuilder, Operand, Type, m, r};
use crate::gen6::eu::data::memory::Memory;
use crate::gen6::eu::data::register::Register;
use crate::gen6::eu::functions::sampler::message_type::{control, opcode};
use crate::gen6::eu::run::machine::Machine;
use crate::gen6::eu::run::program::Program;
use crate::gen6::state::SampleControl;
use crate::parameters::Parameters;
use crate::pipeline::settings::Settings;

/// Entries of the binding table: the surface that is sampled, and the first of the planes that are
/// written.
const SOURCE: u32 = 0;
const TARGET: u32 = 1;
const ENTRIES: u32 = 8;

/// Addresses, surfaces and states for the whole stream.
#[derive(Debug)]
pub(super) struct ScaleSharpen {
    passes: Vec<Pass>,
    out: Vec<Plane>,
    table: BindingTable,
    /// SAMPLER_STATE, and the SAMPLER_8x8_STATE that it points to.
    samplers: u32,
    scaler: u32,
    parameters: Parameters,
    sharpen: Option<SharpenMode>,
}

impl ScaleSharpen {
    /// None if frames are neither scaled nor sharpened.
    pub fn new(settings: &Settings, memory: &mut Memory) -> Result<Option<ScaleSharpen>, DriverError> {
        if settings.scale.is_none() && settings.sharpen.is_none() {
            return Ok(None);
        }
        let (source, target) = (settings.frame_format(), settings.output_format());
        let passes = passes(settings)?;
        let out = planes(memory, target)?;
        let table = BindingTable::new(memory, ENTRIES)?;
        let (samplers, scaler) = (reserve(memory, 64)?, reserve(memory, 1024)?);
        let mut parameters = settings.parameters.clone();
        if settings.scale.is_none() {
            // Nearest samples at equal sizes: the scaler changes nothing.
            parameters.scaler.avs_filter_type = 1;
        }
        let crop = settings.scale.as_ref().and_then(|scale| scale.crop);
        let rectangle = crop.map_or((source.width, source.height), |crop| (crop.width, crop.height));
        let tables = parameters.coefficients.filter_tables(rectangle, (target.width, target.height));
        memory.set_dwords(scaler.into(), &parameters.scaler_state(&tables)?);
        Ok(Some(ScaleSharpen { passes, out, table, samplers, scaler, parameters, sharpen: settings.sharpen }))
    }

    /// Whether three planes are sampled as one surface.
    pub fn is_joint(&self) -> bool {
        self.passes.iter().any(|pass| pass.planes.len() > 1)
    }

    /// Checks that these planes can be sampled.
    pub fn check(&self, planes: &[Plane]) -> Result<(), DriverError> {
        self.passes.iter().try_for_each(|pass| pass.source(planes).map(drop))
    }

    /// Makes the planes of an output. `noise` is the global noise estimate for sharpening.
    pub fn run(&mut self, machine: &Machine, planes: &[Plane], noise: u8) -> Result<Vec<Plane>, DriverError> {
        self.parameters.sharpen.global_noise_estimation = noise;
        let mut state = self.parameters.sampler_state(self.sharpen)?;
        let control = SampleControl { sharpen: self.sharpen, chroma_key: None, scaler_state: self.scaler };
        control.encode(&mut state)?;
        machine.memory.set_dwords(self.samplers.into(), &state);
        let mut out = self.out.clone();
        for (index, plane) in out.iter_mut().enumerate() {
            if !self.passes.iter().any(|pass| pass.planes.contains(&index)) {
                *plane = planes[index];
            }
        }
        self.passes.iter().try_for_each(|pass| self.pass(machine, pass, planes, &out))?;
        Ok(out)
    }

    fn pass(&self, machine: &Machine, pass: &Pass, sources: &[Plane], out: &[Plane]) -> Result<(), DriverError> {
        let (masks, state) = pass.source(sources)?;
        self.table.bind_media(&machine.memory, SOURCE, &state)?;
        for (entry, &index) in (TARGET..).zip(&pass.planes) {
            self.table.bind(&machine.memory, entry, &pass.part(&out[index]).state())?;
        }
        let kernel = kernel(masks);
        let program = Program { kernel: &kernel, binding_table: self.table.offset, samplers: self.samplers, constants: &[] };
        let columns = pass.columns.len();
        let payload = |number: usize| {
            let (column, line) = (number % columns, number / columns);
            let addresses = [pass.columns[column], pass.lines[line]];
            let [[u, delta_u], [v, delta_v]] = addresses.map(|address| address.map(f32::to_bits));
            Register::of([(WIDTH * column) as u32, (HEIGHT * line) as u32, u, delta_u, v, delta_v, 0, 0])
        };
        completed(machine.run(&program, columns * pass.lines.len(), payload))
    }
}

/// Samples 16 × 4 pixels and writes the channels that are not masked. The DWords of r1 are x, y, U,
/// Delta U, V, Delta V.
fn kernel(masks: i64) -> Kernel {
    let channels = 4 - (masks >> 12).count_ones();
    let descriptor = Descriptor::new(2, 4 * channels, true, control(opcode::SAMPLE_8X8, 0, SOURCE));
    let address = |kernel: KernelBuilder, to: usize, from: usize| kernel.mov(1, m(2).at(to, Type::Ud), r(1).at(from, Type::Ud));
    let kernel = KernelBuilder::new().mov(8, m(1), r(0)).mov(1, m(1).at(2, Type::Ud), Operand::Value(masks));
    let kernel = kernel.mov(8, m(2), Operand::Value(0));
    let kernel = [(2, 2), (0, 3), (6, 4), (5, 5)].into_iter().fold(kernel, |kernel, (to, from)| address(kernel, to, from));
    let kernel = kernel.send(16, 1, SharedFunction::Sampler, descriptor);
    let registers = &mut MessageRegisters::default();
    // Red, green and blue are Cr, Y, Cb.
    let targets: &[(u32, u32)] = if channels == 1 { &[(0, 0)] } else { &[(0, 2), (1, 0), (2, 1)] };
    let kernel = targets.iter().fold(kernel, |kernel, &(channel, plane)| {
        let block = Block { binding: TARGET + plane, x: X, y: Y, width: 16, height: 4 };
        block.write(kernel, registers.next(), |kernel, to| {
            // Samples are words, of which the upper byte is written.
            let quads = (0..HEIGHT).flat_map(|y| (0..4).map(move |quad| (y, quad)));
            quads.fold(kernel, |kernel, (y, quad)| {
                let half = (quad / 2) as u32 * 2 * channels;
                let register = 16 + (half + 2 * channel) as usize + y / 2;
                let from = r(register).at(16 * (quad % 2) + 8 * (y % 2) + 1, Type::Ub).every(2);
                kernel.mov(4, m(to + y / 2).at(16 * (y % 2) + 4 * quad, Type::Ub), from)
            })
        })
    });
    kernel.end(registers.next()).build().expect("registers within the files")
}
