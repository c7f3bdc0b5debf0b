//! The messages of extended math by function.
use super::{angle, division, power, roots};
use crate::gen6::eu::data::descriptor::SharedFunction;
use crate::gen6::eu::data::error::MessageError;
use crate::gen6::eu::data::message::{Message, Writeback};
use crate::gen6::eu::data::register::Register;

/// A function by its number of operands.
enum Function {
    One(fn(u32) -> u32),
    Two(fn(u32, u32) -> u32),
    /// Integer division: whether the response has the quotient, and the remainder.
    Division([bool; 2]),
}

impl Function {
    /// The function with this code, bits 3:0 of the descriptor.
    fn of(code: u32) -> Option<Function> {
        Some(match code {
            1 => Function::One(roots::reciprocal),
            2 => Function::One(power::logarithm),
            3 => Function::One(power::exponential),
            4 => Function::One(roots::square_root),
            5 => Function::One(roots::reciprocal_root),
            6 => Function::One(angle::sine),
            7 => Function::One(angle::cosine),
            9 => Function::Two(roots::divide),
            10 => Function::Two(power::power),
            11 => Function::Division([true, true]),
            12 => Function::Division([true, false]),
            13 => Function::Division([false, true]),
            _ => return None,
        })
    }
}

/// Processes a message: 8 channels in a register for each operand, or 16 in two.
pub(in crate::gen6::eu::functions) fn serve(message: &Message) -> Result<Vec<Writeback>, MessageError> {
    let descriptor = message.descriptor;
    let unknown = MessageError::Opcode { function: SharedFunction::ExtendedMath, control: descriptor.control() };
    let function = Function::of(descriptor.bits(3, 0)).ok_or(unknown.clone())?;
    let signed = descriptor.bits(4, 4) == 1;
    let operands = if matches!(function, Function::One(_)) { 1 } else { 2 };
    if descriptor.bits(19, 5) != 0 || signed && !matches!(function, Function::Division(_)) {
        return Err(unknown);
    }
    let found = message.payload.len();
    let registers = if found > operands { 2 } else { 1 };
    if found != operands * registers {
        return Err(MessageError::Length { found, needed: operands * registers });
    }
    let (a, b) = message.payload.split_at(registers);
    let compute = |function: &dyn Fn(u32, u32) -> u32| -> Vec<Writeback> {
        (0..registers).map(|n| result(a[n], b.get(n), message.mask >> (8 * n), function)).collect()
    };
    Ok(match function {
        Function::One(function) => compute(&|a, _| function(a)),
        Function::Two(function) => compute(&function),
        Function::Division([quotient, remainder]) => {
            let mut response = vec![];
            if quotient {
                response.extend(compute(&|a, b| division::divide(a, b, signed).0));
            }
            if remainder {
                response.extend(compute(&|a, b| division::divide(a, b, signed).1));
            }
            response
        }
    })
}

/// A register of the response: the channels that `mask` enables are computed and written.
fn result(a: Register, b: Option<&Register>, mask: u16, function: &dyn Fn(u32, u32) -> u32) -> Writeback {
    let mut writeback = Writeback::EMPTY;
    for channel in (0..8).filter(|channel| mask >> channel & 1 == 1) {
        let value = function(a.dword(channel), b.map_or(0, |b| b.dword(channel)));
        writeback.set(channel, value, 4);
    }
    writeback
}
