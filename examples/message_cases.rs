//! Cases of single messages: each is sent by a thread to the shared function that it names, and the
//! response and the memory after it are compared with the expected ones.
//!
//! ```sh
//! cargo run --example message_cases -- math.jsonl ports.jsonl
//! ```
//! A file has one JSON object a line. `tests/golden/messages/README.md` describes its fields. A
//! line is printed for each case that fails, and one for each DWord that differs. The last line is
//! `N passed, N failed`.
use dndi::gen6::eu::{
    ChromaKey, Descriptor, Event, KernelBuilder, Machine, Memory, MessageError, MonoFilter, Operand, Program, Register, Send,
    SharedFunction, Source, m, r,
};
use serde_json::Value;
use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write;

/// Addresses of the states, below those of the chunks of memory.
const STATES: u32 = 0x1000;
const SAMPLERS: u32 = 0x2000;
const BORDER: u32 = 0x3000;
/// Bytes of graphics memory: beyond the end of each chunk.
const MEMORY: u64 = 0x0030_0000;
/// First register of the response.
const RESPONSE: usize = 32;
/// DWord 0 of the registers of the response before the message. Each DWord has another value, so
/// that no response writes it by chance.
const UNWRITTEN: u32 = 0x5a5a_0000;

type Failure = Box<dyn Error>;

fn main() -> Result<(), Failure> {
    let (mut passed, mut failed) = (0, 0);
    for path in std::env::args_os().skip(1) {
        let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            let (name, differences) = run(line, None);
            match differences.is_empty() {
                true => passed += 1,
                false => failed += 1,
            }
            if !differences.is_empty() {
                println!("{name}");
            }
            differences.iter().for_each(|difference| println!("    {difference}"));
        }
    }
    println!("{passed} passed, {failed} failed");
    Ok(())
}

/// Runs the case of a line in the order that `seed` gives. Returns its name and the differences
/// from the expected result.
pub fn run(line: &str, seed: Option<u64>) -> (String, Vec<String>) {
    let case: Value = match serde_json::from_str(line) {
        Ok(case) => case,
        Err(error) => return ("no JSON".to_owned(), vec![error.to_string()]),
    };
    let name = case["name"].as_str().unwrap_or("without a name").to_owned();
    let differences = differences(&case, seed).unwrap_or_else(|error| vec![format!("not a case: {error}")]);
    (name, differences)
}

fn differences(case: &Value, seed: Option<u64>) -> Result<Vec<String>, Failure> {
    let function = match text(case, "function")? {
        "sampler" => SharedFunction::Sampler,
        "math" => SharedFunction::ExtendedMath,
        "gateway" => SharedFunction::Gateway,
        "sampler_cache" => SharedFunction::SamplerCache,
        "render_cache" => SharedFunction::RenderCache,
        "urb" => SharedFunction::Urb,
        "constant_cache" => SharedFunction::ConstantCache,
        "data_cache" => SharedFunction::DataCache,
        other => return Err(format!("no function {other}").into()),
    };
    let machine = machine(case, function, seed)?;
    let (descriptor, mask) = (Descriptor(hex(text(case, "desc")?)?), hex(text(case, "mask")?)? as u16);
    let payload = registers(&case["payload"])?;
    let (response, error) = send(&machine, function, descriptor, mask, &payload)?;
    let class = error.as_ref().map(class);
    if case["error"] != Value::Null {
        let expected = text(case, "error")?;
        let found = class.unwrap_or("no error");
        return Ok(if found == expected { vec![] } else { vec![format!("{expected} error expected, found {found}")] });
    }
    if let Some(error) = error {
        return Ok(vec![format!("{} error: {error}", class.unwrap_or("an"))]);
    }
    let mut differences = written_back(&case["writeback"], &response)?;
    let memory = if function == SharedFunction::Urb { &machine.urb } else { &machine.memory };
    differences.extend(after(&case["after"], memory)?);
    Ok(differences)
}

/// A machine with the surface, the sampler and the memory of a case.
fn machine(case: &Value, function: SharedFunction, seed: Option<u64>) -> Result<Machine, Failure> {
    let mut machine = Machine::new(None)?;
    machine.config.seed = seed;
    machine.data_cache_port = function == SharedFunction::DataCache;
    machine.memory.allocate(MEMORY, 4).ok_or("no memory")?;
    // All entries of the binding table are the one surface.
    (0..256).for_each(|entry| machine.memory.set_dword(4 * entry, STATES));
    machine.memory.set_dwords(STATES.into(), &optional_dwords(case, "surface")?);
    let mut sampler = optional_dwords(case, "sampler")?;
    if case["border"] != Value::Null {
        machine.memory.set_dwords(BORDER.into(), &dwords(text(case, "border")?)?);
        sampler.get_mut(2).ok_or("a sampler without DWord 2")?.clone_from(&BORDER);
    }
    machine.memory.set_dwords(SAMPLERS.into(), &sampler);
    for (key, range) in machine.chroma_keys.iter_mut().zip(array(&case["keys"])) {
        let [low, high] = dwords(range.as_str().unwrap_or_default())?[..] else { return Err("a key of two DWords".into()) };
        *key = ChromaKey { low, high };
    }
    for (palette, key) in machine.palettes.iter_mut().zip(["palette0", "palette1"]) {
        palette.iter_mut().zip(optional_dwords(case, key)?).for_each(|(entry, value)| *entry = value);
    }
    if let [size] = optional_dwords(case, "mono")?[..] {
        machine.mono_filter = MonoFilter { width: size >> 3 & 7, height: size & 7 };
    }
    for chunk in array(&case["memory"]) {
        let (address, bytes) = (hex(text(chunk, "addr")?)?, bytes(text(chunk, "bytes")?)?);
        if function == SharedFunction::Urb {
            machine.urb = Memory::new(bytes.len() as u32);
            machine.urb.write(0, &bytes);
        } else {
            machine.memory.write(address.into(), &bytes);
        }
    }
    Ok(machine)
}

/// Sends one message from one thread. Returns the registers of the response afterwards and the
/// first error.
fn send(
    machine: &Machine,
    function: SharedFunction,
    descriptor: Descriptor,
    mask: u16,
    payload: &[Register],
) -> Result<(Vec<Register>, Option<MessageError>), Failure> {
    let count = descriptor.response();
    let mut kernel = KernelBuilder::new();
    for n in 0..payload.len() {
        kernel = kernel.mov(8, m(n), r(2 + n));
    }
    let constants = [payload, &(0..count).map(unwritten).collect::<Vec<_>>()].concat();
    for n in 0..count {
        kernel = kernel.mov(8, r(RESPONSE + n), r(2 + payload.len() + n));
    }
    let send = Send {
        destination: (count > 0).then_some(RESPONSE),
        payload: 0,
        implied_move: None,
        function: function.identifier(),
        descriptor: Source::Immediate(descriptor),
    };
    kernel = kernel.masked(mask).send_any(send).masked(0xffff);
    // The thread waits for each register of the response.
    for n in 0..count {
        kernel = kernel.mov(1, r(100), r(RESPONSE + n));
    }
    let kernel = kernel.mov(1, r(100), Operand::Value(0)).end(15).build()?;
    let program = Program { kernel: &kernel, binding_table: 0, samplers: SAMPLERS, constants: &constants };
    let mut written = BTreeMap::new();
    let report = machine.run_traced(
        &program,
        1,
        |_| Register::default(),
        |event| {
            if let Event::WrittenBack { register, value, .. } = event {
                written.insert(register, value);
            }
        },
    );
    let response = (0..count).map(|n| written.get(&(RESPONSE + n)).copied().unwrap_or(unwritten(n)));
    if let Some(refused) = report.refused {
        return Err(refused.into());
    }
    let error = report.errors.into_iter().next().map(|record| record.error);
    Ok((response.collect(), error))
}

/// Register `n` of the response before the message.
fn unwritten(n: usize) -> Register {
    Register::of(std::array::from_fn(|dword| UNWRITTEN + (8 * n + dword) as u32 * 0x11))
}

/// The class of an error in the cases.
fn class(error: &MessageError) -> &'static str {
    match error {
        MessageError::Opcode { .. } => "opcode",
        MessageError::Length { .. } => "length",
        MessageError::Payload { .. } => "payload",
        MessageError::Surface { .. } => "surface",
        MessageError::State { .. } => "state",
        _ => "another",
    }
}

/// Compares a response with the expected registers. A digit `-` is not written.
fn written_back(expected: &Value, response: &[Register]) -> Result<Vec<String>, Failure> {
    let expected = array(expected);
    let mut differences = vec![];
    if expected.len() != response.len() {
        differences.push(format!("{} registers expected, found {}", expected.len(), response.len()));
    }
    for (n, (line, found)) in expected.iter().zip(response).enumerate() {
        let line = line.as_str().ok_or("a register that is no text")?;
        for (dword, digits) in line.split_whitespace().enumerate() {
            let before = format!("{:08x}", unwritten(n).dword(dword));
            let wanted: String =
                digits.chars().zip(before.chars()).map(|(digit, old)| if digit == '-' { old } else { digit }).collect();
            let found = format!("{:08x}", found.dword(dword));
            if found != wanted {
                differences.push(format!("register {n} DWord {dword}: {digits} expected, found {found}"));
            }
        }
    }
    Ok(differences)
}

/// Compares the memory with the chunks that are expected after the message.
fn after(expected: &Value, memory: &Memory) -> Result<Vec<String>, Failure> {
    let mut differences = vec![];
    for chunk in array(expected) {
        let (address, wanted) = (hex(text(chunk, "addr")?)?, bytes(text(chunk, "bytes")?)?);
        let mut found = vec![0; wanted.len()];
        memory.read(address.into(), &mut found);
        let dwords = wanted.chunks(4).zip(found.chunks(4)).enumerate();
        for (n, (wanted, found)) in dwords.filter(|(_, (wanted, found))| wanted != found) {
            let at = address as usize + 4 * n;
            differences.push(format!("memory {at:08x}: bytes {} expected, found {}", digits(wanted), digits(found)));
        }
    }
    Ok(differences)
}

fn digits(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn text<'a>(case: &'a Value, key: &str) -> Result<&'a str, Failure> {
    case[key].as_str().ok_or_else(|| format!("{key} is missing").into())
}

fn array(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn hex(digits: &str) -> Result<u32, Failure> {
    u32::from_str_radix(digits, 16).map_err(|error| format!("\"{digits}\": {error}").into())
}

fn dwords(text: &str) -> Result<Vec<u32>, Failure> {
    text.split_whitespace().map(hex).collect()
}

fn optional_dwords(case: &Value, key: &str) -> Result<Vec<u32>, Failure> {
    case[key].as_str().map_or_else(|| Ok(vec![]), dwords)
}

fn bytes(digits: &str) -> Result<Vec<u8>, Failure> {
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair)?, 16).map_err(Failure::from);
    digits.as_bytes().chunks(2).map(byte).collect()
}

fn registers(lines: &Value) -> Result<Vec<Register>, Failure> {
    let register = |line: &Value| {
        let dwords: [u32; 8] =
            dwords(line.as_str().unwrap_or_default())?.try_into().map_err(|_| "a register of other than 8 DWords")?;
        Ok(Register::of(dwords))
    };
    array(lines).iter().map(register).collect()
}
