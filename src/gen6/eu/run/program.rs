//! A kernel with its states and constants, and the threads that execute it (§7.1, §7.4).
use crate::gen6::eu::data::descriptor::SharedFunction;
use crate::gen6::eu::data::error::{ErrorRecord, ProgramError};
use crate::gen6::eu::data::kernel::Kernel;
use crate::gen6::eu::data::register::{GRF, Register};

/// Number and order of the threads that run at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// Number of execution units; 0 counts as 1.
    pub eus: u32,
    /// Number of threads that an execution unit runs at a time; 0 counts as 1. At most 4096 threads
    /// run at a time; the others wait.
    pub threads: u32,
    /// Seed of the random order of instructions, messages and writebacks of different threads.
    /// None: each thread runs as far as it gets, then messages are delivered in order, then all
    /// writebacks. No result may depend on the order.
    pub seed: Option<u64>,
}

impl Default for Config {
    /// 12 execution units with 5 threads each, without random order.
    fn default() -> Config {
        Config { eus: 12, threads: 5, seed: None }
    }
}

/// A kernel with the states and constants of its threads.
#[derive(Clone, Debug)]
pub struct Program<'a> {
    /// The instructions of the threads.
    pub kernel: &'a Kernel,
    /// The binding table, an offset in bytes from the surface state base.
    pub binding_table: u32,
    /// The SAMPLER_STATE array, an offset in bytes from the dynamic state base.
    pub samplers: u32,
    /// Initial values of r2 and the registers after it, at most [`Program::MAX_CONSTANTS`].
    pub constants: &'a [Register],
}

impl Program<'_> {
    /// The number of registers for constants: all except r0 and r1.
    pub const MAX_CONSTANTS: usize = GRF - 2;

    /// Checks that `threads` threads of the program can be dispatched.
    pub(super) fn check(&self, threads: usize) -> Result<(), ProgramError> {
        let (found, max) = (self.constants.len(), Program::MAX_CONSTANTS);
        if found > max {
            return Err(ProgramError::Constants { found, max });
        }
        // Threads have numbers of 32 bits.
        match u32::try_from(threads) {
            Ok(_) => Ok(()),
            Err(_) => Err(ProgramError::Threads { found: threads }),
        }
    }

    /// The initial registers of thread `number` from r0 on: header, payload, constants.
    pub(super) fn registers(&self, config: &Config, number: u32, payload: Register) -> Vec<Register> {
        [&[self.header(config, number), payload], self.constants].concat()
    }

    /// r0 of a thread: DWord 3 SAMPLER_STATE array, DWord 4 binding table, DWord 5 7:0 dispatch id,
    /// DWord 6 27:24 the fixed function that dispatched the thread, 23:0 the number of the thread.
    fn header(&self, config: &Config, number: u32) -> Register {
        let spawner = u32::from(SharedFunction::ThreadSpawner.identifier());
        let id = u64::from(number) % (u64::from(config.eus.max(1)) * u64::from(config.threads.max(1)));
        Register::of([0, 0, 0, self.samplers, self.binding_table, id as u32 & 0xff, spawner << 24 | number & 0xff_ffff, 0])
    }
}

/// The outcome of a run.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Report {
    /// Number of threads that reached their end.
    pub ended: usize,
    /// Threads that hung: the number of each, and of the instruction that it hung at.
    pub hung: Vec<(u32, usize)>,
    /// The reason why no thread was dispatched; none if threads were dispatched.
    pub refused: Option<ProgramError>,
    /// Records of messages in error, ordered by thread and time.
    pub errors: Vec<ErrorRecord>,
}

impl Report {
    /// Whether all threads reached their ends without an error.
    pub fn is_clean(&self) -> bool {
        self.refused.is_none() && self.hung.is_empty() && self.errors.is_empty()
    }
}
