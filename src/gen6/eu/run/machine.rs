//! The machine: memory, counters and execution units, and the dispatch of threads (§7.1, §7.4).
use super::event::Event;
use super::program::{Config, Program, Report};
use super::schedule::{self, Observer};
use crate::deinterlace::CompensationParameters;
use crate::gen6::eu::data::counters::Counters;
use crate::gen6::eu::data::memory::Memory;
use crate::gen6::eu::data::register::Register;
use crate::gen6::eu::functions::context::{Bases, ChromaKey, FunctionContext, MonoFilter};
use dndi_simd::{Kernels, SimdLevel, SimdLevelError};
use rayon::prelude::*;

/// Memory, shared functions and execution units.
#[derive(Debug)]
pub struct Machine {
    /// The graphics memory.
    pub memory: Memory,
    /// The memory of the unified return buffer, whose handle h is byte 64·h; without bytes at
    /// first. It is a memory of its own: no surface reaches it.
    pub urb: Memory,
    /// Counters of the shared functions.
    pub counters: Counters,
    /// Base addresses.
    pub bases: Bases,
    /// Parameters of motion compensation, which no state of this hardware has. Values outside their
    /// ranges make `deinterlace` messages fail.
    pub compensation: CompensationParameters,
    /// The chroma key table.
    pub chroma_keys: [ChromaKey; 4],
    /// Whether the machine has the data cache port of a later part, shared function 10.
    pub data_cache_port: bool,
    /// The texture palettes (3DSTATE_SAMPLER_PALETTE_LOAD0 and 1). Bits of an entry: 31:24 alpha,
    /// 23:16 red, 15:8 green, 7:0 blue.
    pub palettes: [[u32; 256]; 2],
    /// The size of the monochrome filter.
    pub mono_filter: MonoFilter,
    /// Number and order of threads.
    pub config: Config,
    kernels: &'static Kernels,
}

impl Machine {
    /// A machine without memory. Its shared functions use the instruction set `level`; by default
    /// that of [`StreamBuilder::simd_level`](crate::StreamBuilder::simd_level).
    ///
    /// # Errors
    /// [`SimdLevelError`] if the processor lacks the instruction set.
    pub fn new(level: Option<SimdLevel>) -> Result<Machine, SimdLevelError> {
        let kernels = Kernels::at(level.map_or_else(SimdLevel::from_env, Ok)?)?;
        Ok(Machine {
            memory: Memory::new(0),
            urb: Memory::new(0),
            counters: Counters::default(),
            bases: Bases::default(),
            compensation: CompensationParameters::default(),
            chroma_keys: [ChromaKey::default(); 4],
            data_cache_port: false,
            palettes: [[0; 256]; 2],
            mono_filter: MonoFilter::default(),
            config: Config::default(),
            kernels,
        })
    }

    /// Dispatches `threads` threads and runs them to their ends. r0 of each thread is its header,
    /// r1 is `payload` of its number.
    ///
    /// The execution units work in parallel on the rayon pool of the caller. The assignment of
    /// threads to units does not depend on the pool.
    pub fn run(&self, program: &Program, threads: usize, payload: impl Fn(usize) -> Register + Sync) -> Report {
        if let Err(refused) = program.check(threads) {
            return Report { refused: Some(refused), ..Report::default() };
        }
        let eus = self.config.eus.max(1) as usize;
        let reports = (0..eus.min(threads)).into_par_iter().map(|eu| {
            let numbers = (eu..threads).step_by(eus).map(|number| (number as u32, payload(number)));
            schedule::run(self.functions(), &self.config, eu as u32, program, numbers, None)
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

    /// Runs `threads` threads on one execution unit, and passes each event to `observer`.
    pub fn run_traced(
        &self,
        program: &Program,
        threads: usize,
        payload: impl Fn(usize) -> Register,
        mut observer: impl FnMut(Event),
    ) -> Report {
        if let Err(refused) = program.check(threads) {
            return Report { refused: Some(refused), ..Report::default() };
        }
        let numbers = (0..threads).map(|number| (number as u32, payload(number)));
        let observer: Observer = &mut observer;
        schedule::run(self.functions(), &self.config, 0, program, numbers, Some(observer))
    }

    /// The kernels of this instruction set.
    pub(crate) fn kernels(&self) -> &'static Kernels {
        self.kernels
    }

    fn functions(&self) -> FunctionContext<'_> {
        FunctionContext {
            memory: &self.memory,
            urb: &self.urb,
            counters: &self.counters,
            bases: self.bases,
            chroma_keys: &self.chroma_keys,
            palettes: &self.palettes,
            mono_filter: self.mono_filter,
            compensation: &self.compensation,
            data_cache_port: self.data_cache_port,
            kernels: self.kernels,
        }
    }
}
