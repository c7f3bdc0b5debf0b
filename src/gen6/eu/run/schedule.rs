//! The threads of an execution unit: the order of instructions, of deliveries of messages and of
//! writebacks (§7.1).
use super::event::Event;
use super::program::{Config, Program, Report};
use super::thread::Thread;
use crate::gen6::eu::data::descriptor::{Descriptor, SharedFunction};
use crate::gen6::eu::data::error::{ErrorRecord, MessageError};
use crate::gen6::eu::data::kernel::{Instruction, Send, Source};
use crate::gen6::eu::data::message::{Message, Writeback};
use crate::gen6::eu::data::register::{GRF, MRF, Register, grf_bits, mrf_bits};
use crate::gen6::eu::functions::context::FunctionContext;
use crate::gen6::eu::functions::dispatch::{self, Scratch};

/// Threads that an execution unit runs at a time, at most. Results do not depend on the number; the
/// limit bounds the memory of an execution unit to 20 MB.
const MAX_SLOTS: u32 = 4096;

/// The caller's function for events.
pub(super) type Observer<'a> = &'a mut dyn FnMut(Event);

/// A message before its transmission: its payload is still in the MRF.
struct Outgoing {
    slot: usize,
    function: SharedFunction,
    send: Send,
    descriptor: Descriptor,
    mask: u16,
}

/// A writeback that is due.
struct Returning {
    slot: usize,
    register: usize,
    writeback: Writeback,
}

/// A thread that runs.
struct Slot {
    thread: Thread,
    /// Whether it executes no more instructions.
    done: bool,
    hung: bool,
}

/// The state of an execution unit.
struct Unit<'a> {
    functions: FunctionContext<'a>,
    scratch: Scratch,
    eu: u32,
    program: &'a Program<'a>,
    slots: Vec<Option<Slot>>,
    outgoing: Vec<Outgoing>,
    returning: Vec<Returning>,
    random: Option<fastrand::Rng>,
    report: Report,
    observer: Option<Observer<'a>>,
}

/// Runs threads, given by number and r1, on execution unit `eu` to their ends.
pub(super) fn run<'a>(
    functions: FunctionContext<'a>,
    config: &Config,
    eu: u32,
    program: &'a Program<'a>,
    mut threads: impl Iterator<Item = (u32, Register)>,
    observer: Option<Observer<'a>>,
) -> Report {
    let seed = config.seed.map(|seed| seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(eu.into()));
    let slots = (0..config.threads.clamp(1, MAX_SLOTS)).map(|_| None).collect();
    let mut unit = Unit {
        functions,
        scratch: Scratch::default(),
        eu,
        program,
        slots,
        outgoing: vec![],
        returning: vec![],
        random: seed.map(fastrand::Rng::with_seed),
        report: Report::default(),
        observer,
    };
    loop {
        for slot in unit.slots.iter_mut().filter(|slot| slot.is_none()) {
            let Some((number, payload)) = threads.next() else { break };
            let registers = program.registers(config, number, payload);
            if let Some(observer) = &mut unit.observer {
                observer(Event::Dispatched { thread: number, payload: registers.clone() });
            }
            *slot = Some(Slot { thread: Thread::new(number, &registers), done: false, hung: false });
        }
        if unit.slots.iter().all(Option::is_none) {
            return unit.report;
        }
        if !unit.act() {
            unit.hang();
        }
        unit.release();
    }
}

impl Unit<'_> {
    /// Takes the next action. Returns false if there is none.
    fn act(&mut self) -> bool {
        let kernel = self.program.kernel;
        let runs = |slot: &Option<Slot>| slot.as_ref().is_some_and(|slot| !slot.done && !slot.thread.must_wait(kernel));
        let Some(random) = &mut self.random else {
            // Threads run as far as they get, then messages are delivered, then all writebacks are
            // done.
            if let Some(slot) = self.slots.iter().position(runs) {
                while runs(&self.slots[slot]) {
                    self.execute(slot);
                }
                return true;
            }
            if !self.outgoing.is_empty() {
                self.deliver(0);
                return true;
            }
            let any = !self.returning.is_empty();
            std::mem::take(&mut self.returning).into_iter().for_each(|returning| self.write_back(&returning));
            return any;
        };
        let ready: Vec<usize> = (0..self.slots.len()).filter(|&slot| runs(&self.slots[slot])).collect();
        let count = ready.len() + self.outgoing.len() + self.returning.len();
        if count == 0 {
            return false;
        }
        let choice = random.usize(..count);
        if let Some(&slot) = ready.get(choice) {
            self.execute(slot);
        } else if choice < ready.len() + self.outgoing.len() {
            // Messages of one thread to one function are delivered in order.
            let chosen = &self.outgoing[choice - ready.len()];
            let (slot, function) = (chosen.slot, chosen.function);
            let first = self.outgoing.iter().position(|other| other.slot == slot && other.function == function);
            self.deliver(first.unwrap_or(0));
        } else {
            let returning = self.returning.swap_remove(choice - ready.len() - self.outgoing.len());
            self.write_back(&returning);
        }
        true
    }

    /// Marks all threads that are not done as hung: no action is possible any more.
    fn hang(&mut self) {
        for slot in self.slots.iter_mut().flatten() {
            slot.hung = slot.hung || !slot.done;
            slot.done = true;
        }
    }

    /// Removes the threads that are done and whose messages are transmitted.
    fn release(&mut self) {
        for (index, entry) in self.slots.iter_mut().enumerate() {
            let gone = |slot: &Slot| slot.done && self.outgoing.iter().all(|outgoing| outgoing.slot != index);
            let Some(Slot { thread, hung, .. }) = entry.take_if(|slot| gone(slot)) else { continue };
            self.returning.retain(|returning| returning.slot != index);
            let event = if hung {
                self.report.hung.push((thread.number, thread.next));
                Event::Hung { thread: thread.number }
            } else {
                self.report.ended += 1;
                Event::Ended { thread: thread.number }
            };
            if let Some(observer) = &mut self.observer {
                observer(event);
            }
        }
    }

    /// Executes the next instruction of a thread.
    fn execute(&mut self, index: usize) {
        let Some(slot) = &mut self.slots[index] else { return };
        let number = slot.thread.next;
        let Some(&instruction) = self.program.kernel.instructions().get(number) else {
            // The kernel has no instruction that ends the thread.
            (slot.done, slot.hung) = (true, true);
            return;
        };
        slot.thread.next += 1;
        let thread = slot.thread.number;
        if let Instruction::Compute { operation, size, mask, to, from } = instruction {
            slot.thread.compute(operation, size, mask, to, from);
        }
        self.report_event(|| Event::Executed { thread, number, instruction });
        match instruction {
            Instruction::Compute { .. } => {}
            Instruction::Send(send, mask) => self.send(index, send, mask),
        }
    }

    /// Enqueues a message, unless it is in error.
    fn send(&mut self, index: usize, send: Send, mask: u16) {
        let Some(slot) = &mut self.slots[index] else { return };
        let files = &mut slot.thread.files;
        if let Some(register) = send.implied_move {
            files.mrf[send.payload] = files.grf[register];
        }
        let (mut descriptor, given) = match send.descriptor {
            Source::Immediate(descriptor) => (descriptor, true),
            Source::Register(register) => (Descriptor(files.grf[register].dword(0)), false),
        };
        let (thread, first, function) =
            (slot.thread.number, files.mrf[send.payload], dispatch::find(self.functions, send.function));
        if descriptor.end_of_thread() && given {
            slot.done = true;
            let refused = match function {
                _ if send.destination.is_some() => Some(MessageError::EndWithDestination),
                Some(function) if !dispatch::can_end(function, descriptor) => Some(MessageError::EndAt { function }),
                _ => None,
            };
            if let Some(error) = refused {
                slot.hung = true;
                return self.fail(thread, send.function, descriptor, first, error);
            }
        }
        let expected = if send.destination.is_some() { descriptor.response() } else { 0 };
        let start = send.destination.unwrap_or(0);
        let overlap = files.grf_in_flight & grf_bits(start, expected);
        // The response is in flight even if the message is in error.
        files.grf_in_flight |= grf_bits(start, expected);
        if descriptor.end_of_thread() && !given {
            self.fail(thread, send.function, descriptor, first, MessageError::EndFromRegister);
            descriptor = Descriptor(descriptor.0 & !(1 << 31));
        }
        let past = |first, count, end| (first + count > end).then_some(MessageError::PastTheEnd { first, count });
        let error = past(send.payload, descriptor.length(), MRF).or_else(|| past(start, expected, GRF));
        let error =
            error.or_else(|| (overlap != 0).then(|| MessageError::Overlap { register: overlap.trailing_zeros() as usize }));
        let unknown = MessageError::SharedFunction { identifier: send.function };
        let Some(slot) = &mut self.slots[index] else { return };
        match error.map_or_else(|| function.ok_or(unknown), Err) {
            Ok(function) => {
                slot.thread.files.mrf_in_flight |= mrf_bits(send.payload, descriptor.length());
                self.outgoing.push(Outgoing { slot: index, function, send, descriptor, mask });
            }
            Err(error) => {
                // The message never reaches the thread spawner, so a thread that it ends hangs.
                slot.hung = slot.done;
                self.fail(thread, send.function, descriptor, first, error);
            }
        }
    }

    /// Records a message in error.
    fn fail(&mut self, thread: u32, function: u8, descriptor: Descriptor, first: Register, error: MessageError) {
        let record = ErrorRecord { eu: self.eu, thread, function, descriptor, first, error };
        self.report_event(|| Event::Failed(record.clone()));
        self.report.errors.push(record);
    }

    /// Passes an event to the observer, if there is one.
    fn report_event(&mut self, event: impl FnOnce() -> Event) {
        if let Some(observer) = &mut self.observer {
            observer(event());
        }
    }

    /// Transmits a message to its shared function and enqueues the writebacks of its response.
    fn deliver(&mut self, index: usize) {
        let Outgoing { slot: index, function, send, descriptor, mask } = self.outgoing.remove(index);
        let Some(slot) = &mut self.slots[index] else { return };
        let thread = slot.thread.number;
        let mut payload = [Register::default(); MRF];
        let payload = &mut payload[..descriptor.length()];
        payload.copy_from_slice(&slot.thread.files.mrf[send.payload..][..descriptor.length()]);
        let left = self.outgoing.iter().filter(|other| other.slot == index);
        slot.thread.files.mrf_in_flight = left.fold(0, |bits, o| bits | mrf_bits(o.send.payload, o.descriptor.length()));
        self.report_event(|| Event::Delivered { thread, function: send.function, descriptor, payload: payload.to_vec() });
        let Program { binding_table, samplers, .. } = *self.program;
        let message = Message { descriptor, payload, mask, binding_table, samplers };
        let served = match payload.is_empty() {
            true => Err(MessageError::Length { found: 0, needed: 1 }),
            false => dispatch::serve(self.functions, &mut self.scratch, function, &message),
        };
        let expected = if send.destination.is_some() { descriptor.response() } else { 0 };
        let error = match &served {
            Ok(_) if send.destination.is_none() && descriptor.response() > 0 => {
                Some(MessageError::NoDestination { found: descriptor.response() })
            }
            Ok(response) if response.len() > expected => {
                Some(MessageError::ResponseTooShort { found: expected, needed: response.len() })
            }
            Ok(response) if response.len() < expected => {
                Some(MessageError::ResponseTooLong { found: expected, needed: response.len() })
            }
            Ok(_) => None,
            Err(error) => Some(error.clone()),
        };
        if let Some(error) = error {
            let first = payload.first().copied().unwrap_or_default();
            self.fail(thread, send.function, descriptor, first, error);
        }
        let registers = send.destination.unwrap_or(0)..;
        for (register, writeback) in registers.zip(served.unwrap_or_default()).take(expected) {
            self.returning.push(Returning { slot: index, register, writeback });
        }
    }

    /// Writes a register of a response.
    fn write_back(&mut self, returning: &Returning) {
        let &Returning { slot, register, writeback } = returning;
        let Some(Slot { thread, .. }) = &mut self.slots[slot] else { return };
        writeback.write(&mut thread.files.grf[register]);
        thread.files.grf_in_flight &= !grf_bits(register, 1);
        let (thread, value) = (thread.number, thread.files.grf[register]);
        self.report_event(|| Event::WrittenBack { thread, register, value });
    }
}
