//! Kernels from text in the notation of the hardware documents (volume 4 part 1, 1.6.3, 3.3).
//!
//! One instruction a line: `mul (8) m4 r20 r19`, `mov m1 r3`, `send (8) r30 m3 r0 <desc>`, `send
//! r12 m1 DPWRITE`. Operands are separated by blanks or commas. A register may have an element, a
//! stride and a type: `r12.1<2>:ub`. A number is a value. The execution size in parentheses is
//! optional and 8 by default. The operands of `send` are the destination or `null`, the first
//! payload register, the register of the implied move (optional), and the descriptor: a name, with
//! or without angle brackets, a register, or a number. A number may have its shared function in
//! front, `5:0x02094000`. Without it, bits 27:24 of the number are the shared function, as in the
//! layout of older hardware. `...`, empty lines, and text after `//` or `;` are ignored.
use super::descriptor::{Descriptor, SharedFunction};
use super::error::ProgramError;
use super::kernel::{Kernel, KernelBuilder, Operand, Operation, Region, Send, Source, Type};

/// Builds a kernel from text. `names` are the descriptors that the text uses by name, each with its
/// shared function.
///
/// The text has one instruction a line, such as `mov (8) m4 r20`, `add r1.2:uw r3 7` or
/// `send r30 m3 NAME`, in the notation of the hardware documents (volume 4 part 1, 1.6.3, 3.3).
///
/// # Errors
/// [`ProgramError::Line`] for the first line that is no instruction, or none that a thread can
/// execute.
pub fn assemble(text: &str, names: &[(&str, SharedFunction, Descriptor)]) -> Result<Kernel, ProgramError> {
    let mut kernel = KernelBuilder::new();
    let mut lines = vec![];
    for (line, text) in (1..).zip(text.lines()) {
        let text = text.split("//").next().unwrap_or("").split(';').next().unwrap_or("").trim();
        if text.is_empty() || text == "..." {
            continue;
        }
        kernel = instruction(kernel, text, names).map_err(|reason| ProgramError::Line { line, reason })?;
        lines.push(line);
    }
    kernel.build().map_err(|error| match error {
        ProgramError::Instruction { number, reason } => ProgramError::Line { line: lines[number], reason: reason.to_owned() },
        other => other,
    })
}

fn instruction(kernel: KernelBuilder, text: &str, names: &[(&str, SharedFunction, Descriptor)]) -> Result<KernelBuilder, String> {
    let mut words = text.split([' ', '\t', ',']).filter(|word| !word.is_empty()).peekable();
    let name = words.next().unwrap_or("");
    let size = match words.next_if(|word| word.starts_with('(')) {
        None => 8,
        Some(word) => {
            let digits = word.trim_start_matches('(').trim_end_matches(')');
            digits.parse().map_err(|_| format!("'{word}' is no execution size"))?
        }
    };
    let operands: Vec<&str> = words.collect();
    let (operation, sources) = match name {
        "mov" => (Operation::Mov, 1),
        "add" => (Operation::Add, 2),
        "mul" => (Operation::Mul, 2),
        "shr" => (Operation::Shr, 2),
        "send" => return send(&operands, names).map(|send| kernel.send_any(send)),
        _ => return Err(format!("no instruction '{name}'")),
    };
    if operands.len() != 1 + sources {
        return Err(format!("{name} has {} operands, found {}", 1 + sources, operands.len()));
    }
    let parsed = operands.iter().map(|word| operand(word)).collect::<Result<Vec<Operand>, String>>()?;
    let second = parsed.get(2).copied().unwrap_or(Operand::Value(0));
    Ok(kernel.compute(operation, size, parsed[0], [parsed[1], second]))
}

fn send(operands: &[&str], names: &[(&str, SharedFunction, Descriptor)]) -> Result<Send, String> {
    let (to, from, moved, last) = match *operands {
        [to, from, last] => (to, from, None, last),
        [to, from, moved, last] => (to, from, Some(moved), last),
        _ => return Err(format!("send has 3 or 4 operands, found {}", operands.len())),
    };
    let grf = |word: &str| match operand(word)? {
        Operand::Grf(region) => Ok(region.register),
        _ => Err(format!("'{word}' is no GRF register")),
    };
    let Operand::Mrf(Region { register: payload, .. }) = operand(from)? else {
        return Err(format!("'{from}' is no MRF register"));
    };
    let destination = if to == "null" { None } else { Some(grf(to)?) };
    let implied_move = moved.map(grf).transpose()?;
    let name = last.trim_start_matches('<').trim_end_matches('>');
    if let Some(&(_, function, descriptor)) = names.iter().find(|(known, ..)| *known == name) {
        let descriptor = Source::Immediate(descriptor);
        return Ok(Send { destination, payload, implied_move, function: function.identifier(), descriptor });
    }
    let (function, bits) = last.split_once(':').map_or((None, last), |(function, bits)| (Some(function), bits));
    if let (Some(function), Ok(register)) = (function, grf(bits)) {
        let function = function.parse().map_err(|_| format!("'{function}' is no shared function"))?;
        return Ok(Send { destination, payload, implied_move, function, descriptor: Source::Register(register) });
    }
    let bits = number(bits).and_then(|bits| u32::try_from(bits).ok()).ok_or(format!("no descriptor '{last}'"))?;
    let function = match function {
        Some(function) => function.parse().map_err(|_| format!("'{function}' is no shared function"))?,
        None => (bits >> 24 & 15) as u8,
    };
    Ok(Send { destination, payload, implied_move, function, descriptor: Source::Immediate(Descriptor(bits)) })
}

fn number(word: &str) -> Option<i64> {
    let (negative, digits) = word.strip_prefix('-').map_or((false, word), |digits| (true, digits));
    let value = match digits.strip_prefix("0x") {
        Some(digits) => i64::from_str_radix(digits, 16).ok()?,
        None => digits.parse().ok()?,
    };
    Some(if negative { value.checked_neg()? } else { value })
}

/// A register, `r12` or `r12.1<2>:ub`, or a value.
fn operand(word: &str) -> Result<Operand, String> {
    let wrong = || format!("'{word}' is no operand");
    if let Some(value) = number(word) {
        return Ok(Operand::Value(value));
    }
    let (word_, kind) = word.split_once(':').unwrap_or((word, "ud"));
    let kind = match kind {
        "ub" => Type::Ub,
        "uw" => Type::Uw,
        "ud" => Type::Ud,
        "d" => Type::D,
        "f" => Type::F,
        _ => return Err(wrong()),
    };
    let (position, stride) = word_.split_once('<').unwrap_or((word_, "1>"));
    let stride = stride.strip_suffix('>').and_then(|stride| stride.parse().ok()).ok_or_else(wrong)?;
    let (name, element) = position.split_once('.').unwrap_or((position, "0"));
    let element: usize = element.parse().map_err(|_| wrong())?;
    let register = name.get(1..).and_then(|digits| digits.parse().ok()).ok_or_else(wrong)?;
    let byte = element.checked_mul(kind.size()).ok_or_else(wrong)?;
    let region = Region { register, byte, stride, kind };
    match name.as_bytes()[0] {
        b'r' => Ok(Operand::Grf(region)),
        b'm' => Ok(Operand::Mrf(region)),
        _ => Err(wrong()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::kernel::{Instruction, m, r};
    use super::*;

    #[test]
    fn regions_and_values() {
        assert_eq!(operand("r12"), Ok(r(12)));
        assert_eq!(operand("m3.8<2>:ub"), Ok(m(3).at(8, Type::Ub).every(2)));
        assert_eq!([operand("0x10"), operand("-3")], [Ok(Operand::Value(16)), Ok(Operand::Value(-3))]);
        for wrong in ["", "x1", "r", "r1.x", "r1<", "r1:q", "rr", "é1", "r99999999999999999999"] {
            assert!(operand(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn wrong_lines_are_reported() {
        let error = |text: &str| assemble(text, &[]).unwrap_err().to_string();
        assert_eq!(error("mov m1 r1\njump 3"), "line 2: no instruction 'jump'");
        assert_eq!(error("mov m1"), "line 1: mov has 2 operands, found 1");
        assert_eq!(error("\n\nmov (3) m1 r1"), "line 3: an execution size other than 1, 2, 4, 8, 16");
        assert_eq!(error("mov r1 m1"), "line 1: an MRF register as source");
        for register in ["r128", "r576460752303423488", "r18446744073709551615"] {
            assert_eq!(error(&format!("mov {register} r1")), "line 1: a destination outside r0…r127, or not aligned");
            assert_eq!(error(&format!("mov r1 {register}")), "line 1: a source outside r0…r127, or not aligned");
        }
        assert_eq!(error("mov m576460752303423488 r1"), "line 1: a destination outside its MRF register, or not aligned");
        assert_eq!(error("send r1 m1 NAME"), "line 1: no descriptor 'NAME'");
        assert_eq!(error("send r1 r1 0"), "line 1: 'r1' is no MRF register");
    }

    #[test]
    fn descriptors() {
        let sent = |text: &str| {
            let names = [("desc", SharedFunction::RenderCache, Descriptor::new(2, 1, true, 7))];
            match assemble(text, &names).unwrap().instructions()[0] {
                Instruction::Send(send, 0xffff) => send,
                _ => unreachable!(),
            }
        };
        let named = sent("send (8) r30 m3 r0 <desc> // with a name");
        assert_eq!((named.destination, named.payload, named.implied_move, named.function), (Some(30), 3, Some(0), 5));
        assert_eq!((sent("send null m1 7:0x82000010").function, sent("send null m1 0x01110001").function), (7, 1));
        assert_eq!(sent("send null m1 2:r9").descriptor, Source::Register(9));
    }
}
