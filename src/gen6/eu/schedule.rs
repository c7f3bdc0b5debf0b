//! The threads of an execution unit: which of them goes on, which message is delivered, which register comes back next (§7.1).
use super::descriptor::{Descriptor, SharedFunction};
use super::error::{ErrorRecord, MessageError};
use super::kernel::{Instruction, Send, Source};
use super::machine::{Machine, Program, Report};
use super::message::{self, Message, Writeback};
use super::register::{GRF, MRF, Register, grf_bits, mrf_bits};
use super::room::Room;
use super::thread::Thread;

/// What happens on an execution unit; threads by their numbers.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Event {
    /// A thread begins.
    Dispatched {
        /// The thread.
        thread: u32,
        /// r0 and what follows.
        payload: Vec<Register>,
    },
    /// A thread executed an instruction.
    Executed {
        /// The thread.
        thread: u32,
        /// The instruction's number, from 0.
        number: usize,
        /// The instruction.
        instruction: Instruction,
    },
    /// A message arrived at its shared function.
    Delivered {
        /// The thread that sent it.
        thread: u32,
        /// Identifier of the shared function.
        function: u8,
        /// What is asked for.
        descriptor: Descriptor,
        /// The registers.
        payload: Vec<Register>,
    },
    /// A register came back.
    Answered {
        /// The thread.
        thread: u32,
        /// The GRF register.
        register: usize,
        /// What it holds now.
        value: Register,
    },
    /// A thread came to its end.
    Ended {
        /// The thread.
        thread: u32,
    },
    /// A thread waits for what will never come.
    Hung {
        /// The thread.
        thread: u32,
    },
    /// A message was in error.
    Failed(ErrorRecord),
}

/// A message that waits for transmission; its payload is still in the MRF.
struct Outgoing {
    slot: usize,
    function: SharedFunction,
    send: Send,
    descriptor: Descriptor,
    mask: u16,
}

/// A register that is to come back.
struct Returning {
    slot: usize,
    register: usize,
    writeback: Writeback,
}

/// A thread in its place.
struct Slot {
    thread: Thread,
    /// It executes no more instructions.
    done: bool,
    hung: bool,
}

/// An execution unit at work.
struct Unit<'a> {
    machine: &'a Machine,
    eu: u32,
    program: &'a Program<'a>,
    room: &'a mut Room,
    slots: Vec<Option<Slot>>,
    outgoing: Vec<Outgoing>,
    returning: Vec<Returning>,
    random: Option<fastrand::Rng>,
    report: Report,
    tell: Option<&'a mut dyn FnMut(Event)>,
}

/// Runs threads, given by number and r1, to their ends.
pub(crate) fn run<'a>(
    machine: &'a Machine,
    eu: u32,
    program: &'a Program<'a>,
    mut threads: impl Iterator<Item = (u32, Register)>,
    room: &'a mut Room,
    tell: Option<&'a mut dyn FnMut(Event)>,
) -> Report {
    let config = machine.config;
    let seed = config.seed.map(|seed| seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(eu.into()));
    let slots = (0..config.threads.max(1)).map(|_| None).collect();
    let (outgoing, returning, random) = (vec![], vec![], seed.map(fastrand::Rng::with_seed));
    let mut unit = Unit { machine, eu, program, room, slots, outgoing, returning, random, report: Report::default(), tell };
    loop {
        for slot in unit.slots.iter_mut().filter(|slot| slot.is_none()) {
            let Some((number, payload)) = threads.next() else { break };
            let registers = [&[machine.header(program, number), payload], program.constants].concat();
            if let Some(tell) = &mut unit.tell {
                tell(Event::Dispatched { thread: number, payload: registers.clone() });
            }
            *slot = Some(Slot { thread: Thread::new(number, &registers), done: false, hung: false });
        }
        if unit.slots.iter().all(Option::is_none) {
            return unit.report;
        }
        if !unit.act() {
            unit.give_up();
        }
        unit.release();
    }
}

impl Unit<'_> {
    /// Does one of the things that can be done now; tells whether there was one.
    fn act(&mut self) -> bool {
        let kernel = self.program.kernel;
        let runs = |slot: &Option<Slot>| slot.as_ref().is_some_and(|slot| !slot.done && !slot.thread.must_wait(kernel));
        let Some(random) = &mut self.random else {
            // As they come: threads as far as they get, then messages, then answers.
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
            std::mem::take(&mut self.returning).into_iter().for_each(|returning| self.answer(&returning));
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
            // Those of one thread to one function stay in their order.
            let chosen = &self.outgoing[choice - ready.len()];
            let (slot, function) = (chosen.slot, chosen.function);
            let first = self.outgoing.iter().position(|other| other.slot == slot && other.function == function);
            self.deliver(first.unwrap_or(0));
        } else {
            let returning = self.returning.swap_remove(choice - ready.len() - self.outgoing.len());
            self.answer(&returning);
        }
        true
    }

    /// Nothing can happen any more: all threads that are left hang.
    fn give_up(&mut self) {
        for slot in self.slots.iter_mut().flatten() {
            slot.hung = slot.hung || !slot.done;
            slot.done = true;
        }
    }

    /// Frees the places of threads that are done and whose messages have left.
    fn release(&mut self) {
        for (index, place) in self.slots.iter_mut().enumerate() {
            let gone = |slot: &Slot| slot.done && self.outgoing.iter().all(|outgoing| outgoing.slot != index);
            let Some(Slot { thread, hung, .. }) = place.take_if(|slot| gone(slot)) else { continue };
            self.returning.retain(|returning| returning.slot != index);
            let event = if hung {
                self.report.hung.push((thread.number, thread.next));
                Event::Hung { thread: thread.number }
            } else {
                self.report.ended += 1;
                Event::Ended { thread: thread.number }
            };
            if let Some(tell) = &mut self.tell {
                tell(event);
            }
        }
    }

    fn execute(&mut self, index: usize) {
        let Some(slot) = &mut self.slots[index] else { return };
        let number = slot.thread.next;
        let Some(&instruction) = self.program.kernel.instructions().get(number) else {
            // Past the end of the kernel: nothing ended the thread.
            (slot.done, slot.hung) = (true, true);
            return;
        };
        slot.thread.next += 1;
        let thread = slot.thread.number;
        if let Instruction::Compute { operation, size, mask, to, from } = instruction {
            slot.thread.compute(operation, size, mask, to, from);
        }
        self.tell(|| Event::Executed { thread, number, instruction });
        match instruction {
            Instruction::Compute { .. } => {}
            Instruction::Send(send, mask) => self.send(index, send, mask),
        }
    }

    /// Enqueues a message, unless it is in error already.
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
        let (thread, first, function) = (slot.thread.number, files.mrf[send.payload], SharedFunction::of(send.function));
        if descriptor.end_of_thread() && given {
            slot.done = true;
            let refused = match function {
                _ if send.destination.is_some() => Some(MessageError::EndWithDestination),
                Some(function) if !message::can_end(function, descriptor) => Some(MessageError::EndAt { function }),
                _ => None,
            };
            if let Some(error) = refused {
                slot.hung = true;
                return self.fail(thread, send.function, descriptor, first, error);
            }
        }
        let asked = if send.destination.is_some() { descriptor.response() } else { 0 };
        let start = send.destination.unwrap_or(0);
        let overlap = files.grf_in_flight & grf_bits(start, asked);
        // Whatever becomes of the message, its answer is waited for.
        files.grf_in_flight |= grf_bits(start, asked);
        if descriptor.end_of_thread() && !given {
            self.fail(thread, send.function, descriptor, first, MessageError::EndFromRegister);
            descriptor = Descriptor(descriptor.0 & !(1 << 31));
        }
        let past = |first, count, end| (first + count > end).then_some(MessageError::PastTheEnd { first, count });
        let error = past(send.payload, descriptor.length(), MRF).or_else(|| past(start, asked, GRF));
        let error =
            error.or_else(|| (overlap != 0).then(|| MessageError::Overlap { register: overlap.trailing_zeros() as usize }));
        let nobody = MessageError::SharedFunction { identifier: send.function };
        let Some(slot) = &mut self.slots[index] else { return };
        match error.map_or_else(|| function.ok_or(nobody), Err) {
            Ok(function) => {
                slot.thread.files.mrf_in_flight |= mrf_bits(send.payload, descriptor.length());
                self.outgoing.push(Outgoing { slot: index, function, send, descriptor, mask });
            }
            Err(error) => {
                // Discarded before it reaches anything, the thread spawner too: nobody hears that the thread is done.
                slot.hung = slot.done;
                self.fail(thread, send.function, descriptor, first, error);
            }
        }
    }

    /// Latches the record of a message in error.
    fn fail(&mut self, thread: u32, function: u8, descriptor: Descriptor, first: Register, error: MessageError) {
        let record = ErrorRecord { eu: self.eu, thread, function, descriptor, first, error };
        self.tell(|| Event::Failed(record.clone()));
        self.report.errors.push(record);
    }

    /// Tells what happens to whoever wants to know.
    fn tell(&mut self, event: impl FnOnce() -> Event) {
        if let Some(tell) = &mut self.tell {
            tell(event());
        }
    }

    /// Transmits a message, has it served, and sees to its answer.
    fn deliver(&mut self, index: usize) {
        let Outgoing { slot: place, function, send, descriptor, mask } = self.outgoing.remove(index);
        let Some(slot) = &mut self.slots[place] else { return };
        let thread = slot.thread.number;
        let mut payload = [Register::default(); MRF];
        let payload = &mut payload[..descriptor.length()];
        payload.copy_from_slice(&slot.thread.files.mrf[send.payload..][..descriptor.length()]);
        let left = self.outgoing.iter().filter(|other| other.slot == place);
        slot.thread.files.mrf_in_flight = left.fold(0, |bits, o| bits | mrf_bits(o.send.payload, o.descriptor.length()));
        self.tell(|| Event::Delivered { thread, function: send.function, descriptor, payload: payload.to_vec() });
        let Program { binding_table, samplers, .. } = *self.program;
        let message = Message { descriptor, payload, mask, binding_table, samplers };
        let served = match payload.is_empty() {
            true => Err(MessageError::Length { found: 0, needed: 1 }),
            false => message::serve(self.machine, self.room, function, &message),
        };
        let asked = if send.destination.is_some() { descriptor.response() } else { 0 };
        let error = match &served {
            Ok(_) if send.destination.is_none() && descriptor.response() > 0 => {
                Some(MessageError::NoDestination { found: descriptor.response() })
            }
            Ok(answer) if answer.len() > asked => Some(MessageError::ResponseTooShort { found: asked, needed: answer.len() }),
            Ok(answer) if answer.len() < asked => Some(MessageError::ResponseTooLong { found: asked, needed: answer.len() }),
            Ok(_) => None,
            Err(error) => Some(error.clone()),
        };
        if let Some(error) = error {
            let first = payload.first().copied().unwrap_or_default();
            self.fail(thread, send.function, descriptor, first, error);
        }
        let registers = send.destination.unwrap_or(0)..;
        for (register, writeback) in registers.zip(served.unwrap_or_default()).take(asked) {
            self.returning.push(Returning { slot: place, register, writeback });
        }
    }

    /// Writes a register back.
    fn answer(&mut self, returning: &Returning) {
        let &Returning { slot, register, writeback } = returning;
        let Some(Slot { thread, .. }) = &mut self.slots[slot] else { return };
        writeback.write(&mut thread.files.grf[register]);
        thread.files.grf_in_flight &= !grf_bits(register, 1);
        let (thread, value) = (thread.number, thread.files.grf[register]);
        self.tell(|| Event::Answered { thread, register, value });
    }
}
