//! The machine: what all threads share, and the dispatch of threads to execution units (§7.1, §7.4).
use super::descriptor::SharedFunction;
use super::error::{ErrorRecord, MessageError};
use super::kernel::Kernel;
use super::memory::Memory;
use super::register::{GRF, Register};
use super::room::Room;
use super::schedule::{self, Event};
use super::statistics::Registers;
use crate::deinterlace::CompensationParameters;
use crate::gen6::state::{MediaSurfaceState, SurfaceState};
use dndi_simd::Kernels;
use rayon::prelude::*;

/// Execution units, the threads that each holds at a time, and their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// Execution units.
    pub eus: u32,
    /// Threads that an execution unit holds at a time.
    pub threads: u32,
    /// Latencies and the order of writebacks: as they come, or drawn with this seed. Results may not differ.
    pub seed: Option<u64>,
}

impl Default for Config {
    /// 12 execution units with 5 threads each, nothing permuted.
    fn default() -> Config {
        Config { eus: 12, threads: 5, seed: None }
    }
}

/// Addresses that offsets in messages and states count from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bases {
    /// Of stateless buffers and COLOR_PROCESSING_STATE.
    pub general_state: u32,
    /// Of binding tables and SURFACE_STATE.
    pub surface_state: u32,
    /// Of SAMPLER_STATE and SAMPLER_8x8_STATE.
    pub dynamic_state: u32,
}

/// A range of colours that the sampler takes for transparent (3DSTATE_CHROMA_KEY): inclusive bounds, bits 31:24 alpha, 23:16 red, 15:8
/// green, 7:0 blue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChromaKey {
    /// Lower bounds.
    pub low: u32,
    /// Upper bounds.
    pub high: u32,
}

/// Threads of a kernel.
#[derive(Clone, Debug)]
pub struct Program<'a> {
    /// What they execute.
    pub kernel: &'a Kernel,
    /// Their binding table, an offset from the surface state base.
    pub binding_table: u32,
    /// Their SAMPLER_STATE array, an offset from the dynamic state base.
    pub samplers: u32,
    /// What r2 and the registers that follow hold when they begin; at most 126.
    pub constants: &'a [Register],
}

impl Program<'_> {
    /// Registers that constants may fill: all but r0 and r1.
    pub const MOST_CONSTANTS: usize = GRF - 2;

    fn refused(&self) -> Option<DispatchError> {
        let found = self.constants.len();
        (found > Program::MOST_CONSTANTS).then_some(DispatchError::Constants { found })
    }
}

/// Why no thread was dispatched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DispatchError {
    /// More constants than there are registers for them, [`Program::MOST_CONSTANTS`].
    Constants {
        /// How many.
        found: usize,
    },
}

impl std::fmt::Display for DispatchError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let DispatchError::Constants { found } = self;
        write!(f, "{found} constants, the registers of a thread hold at most {}", Program::MOST_CONSTANTS)
    }
}

impl std::error::Error for DispatchError {}

/// What became of the threads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// Threads that came to their end.
    pub ended: usize,
    /// Threads that hang, by number, and the instruction where.
    pub hung: Vec<(u32, usize)>,
    /// Why none was dispatched; none where they were.
    pub refused: Option<DispatchError>,
    /// Records of messages in error, by thread and in the order in which they were found.
    pub errors: Vec<ErrorRecord>,
}

/// Memory, shared functions and execution units.
#[derive(Debug)]
pub struct Machine {
    /// The memory.
    pub memory: Memory,
    /// Counters.
    pub registers: Registers,
    /// Base addresses.
    pub bases: Bases,
    /// Motion compensation, which no state of this hardware carries.
    pub compensation: CompensationParameters,
    /// The chroma key table.
    pub chroma_keys: [ChromaKey; 4],
    /// Execution units.
    pub config: Config,
    pub(crate) kernels: &'static Kernels,
}

impl Machine {
    /// A machine without memory, whose shared functions use the instruction set of `level`, or the best one.
    ///
    /// # Errors
    /// [`SimdLevelError`](crate::SimdLevelError) of a level that the processor lacks.
    pub fn new(level: Option<crate::SimdLevel>) -> Result<Machine, crate::SimdLevelError> {
        let kernels = Kernels::at(level.map_or_else(crate::SimdLevel::from_env, Ok)?)?;
        Ok(Machine {
            memory: Memory::new(0),
            registers: Registers::default(),
            bases: Bases::default(),
            compensation: CompensationParameters::default(),
            chroma_keys: [ChromaKey::default(); 4],
            config: Config::default(),
            kernels,
        })
    }

    /// Dispatches `threads` threads and runs them to their ends. In r0 each finds the usual header; r1 is `payload` of its number.
    ///
    /// The execution units work in parallel on the rayon pool of the caller; which thread goes to which does not depend on it.
    pub fn run(&self, program: &Program, threads: usize, payload: impl Fn(usize) -> Register + Sync) -> Report {
        if let Some(refused) = program.refused() {
            return Report { refused: Some(refused), ..Report::default() };
        }
        let eus = self.config.eus.max(1) as usize;
        let reports = (0..eus.min(threads)).into_par_iter().map(|eu| {
            let numbers = (eu..threads).step_by(eus).map(|number| (number as u32, payload(number)));
            schedule::run(self, eu as u32, program, numbers, &mut Room::new(self.kernels), None)
        });
        let mut all = Report::default();
        for report in reports.collect::<Vec<_>>() {
            all.ended += report.ended;
            all.hung.extend(report.hung);
            all.errors.extend(report.errors);
        }
        all.hung.sort_by_key(|&(thread, _)| thread);
        all.errors.sort_by_key(|record| record.thread);
        all
    }

    /// The same on one execution unit, telling all that happens.
    pub fn run_traced(
        &self,
        program: &Program,
        threads: usize,
        payload: impl Fn(usize) -> Register,
        mut tell: impl FnMut(Event),
    ) -> Report {
        if let Some(refused) = program.refused() {
            return Report { refused: Some(refused), ..Report::default() };
        }
        let numbers = (0..threads).map(|number| (number as u32, payload(number)));
        schedule::run(self, 0, program, numbers, &mut Room::new(self.kernels), Some(&mut tell))
    }

    /// r0 of a thread: pointers to its states, its dispatch id in DWord 5 7:0, the fixed function that dispatched it in DWord 6 27:24 and
    /// its number in 23:0.
    pub(crate) fn header(&self, program: &Program, number: u32) -> Register {
        let spawner = u32::from(SharedFunction::ThreadSpawner.identifier());
        let id = number % (self.config.eus.max(1) * self.config.threads.max(1));
        Register::of([0, 0, 0, program.samplers, program.binding_table, id & 0xff, spawner << 24 | number & 0xff_ffff, 0])
    }

    /// Address of the surface state that an entry of a binding table points to.
    fn surface_address(&self, binding_table: u32, binding: u8) -> u64 {
        let base = u64::from(self.bases.surface_state);
        let pointer = self.memory.dword(base + u64::from(binding_table) + 4 * u64::from(binding)) & !31;
        base + u64::from(pointer)
    }

    /// The surface of an entry of a binding table, for most messages.
    pub(crate) fn surface(&self, binding_table: u32, binding: u8) -> Result<SurfaceState, MessageError> {
        let dwords = self.memory.dwords(self.surface_address(binding_table, binding));
        SurfaceState::decode(&dwords).map_err(|error| MessageError::State { what: error.to_string() })
    }

    /// The surface of an entry of a binding table, for the messages deinterlace and sample_8x8.
    pub(crate) fn media_surface(&self, binding_table: u32, binding: u8) -> Result<MediaSurfaceState, MessageError> {
        let dwords = self.memory.dwords(self.surface_address(binding_table, binding));
        MediaSurfaceState::decode(&dwords).map_err(|error| MessageError::State { what: error.to_string() })
    }
}
