//! Texture messages with the responses that a model in Python gives, which was written from §10.
use crate::support::{Outcome, SAMPLERS, machine, orders, send_masked};
use dndi::gen6::eu::{ChromaKey, Descriptor, Machine, MessageError, MonoFilter, Register, SharedFunction};
use serde_json::Value;

const CASES: &str = include_str!("../golden/messages/sampler.jsonl");
/// Address of the border colour.
const BORDER: u32 = 12288;
/// Chunks of memory end below this address.
const MEMORY: u64 = 0x0024_0000;

fn dwords(value: &Value) -> Vec<u32> {
    let digits = value.as_str().unwrap_or_default().split_whitespace();
    digits.map(|digits| u32::from_str_radix(digits, 16).unwrap()).collect()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// A machine with the states, tables and memory of a case.
fn prepared(case: &Value) -> Machine {
    let mut machine = machine();
    machine.memory.allocate(MEMORY, 4).unwrap();
    machine.memory.set_dwords(1024, &dwords(&case["surface"]));
    let mut sampler = dwords(&case["sampler"]);
    if !case["border"].is_null() {
        machine.memory.set_dwords(BORDER.into(), &dwords(&case["border"]));
        sampler[2] = BORDER;
    }
    machine.memory.set_dwords(SAMPLERS.into(), &sampler);
    for (key, bounds) in machine.chroma_keys.iter_mut().zip(list(&case["keys"])) {
        let bounds = dwords(bounds);
        *key = ChromaKey { low: bounds[0], high: bounds[1] };
    }
    for (palette, name) in machine.palettes.iter_mut().zip(["palette0", "palette1"]) {
        palette.iter_mut().zip(dwords(&case[name])).for_each(|(entry, value)| *entry = value);
    }
    if let [size] = dwords(&case["mono"])[..] {
        machine.mono_filter = MonoFilter { width: size >> 3 & 7, height: size & 7 };
    }
    for chunk in list(&case["memory"]) {
        let digits = chunk["bytes"].as_str().unwrap();
        let bytes: Vec<u8> = (0..digits.len() / 2).map(|n| u8::from_str_radix(&digits[2 * n..][..2], 16).unwrap()).collect();
        machine.memory.write(dwords(&chunk["addr"])[0].into(), &bytes);
    }
    machine
}

fn sent(case: &Value, machine: &Machine) -> Outcome {
    let descriptor = Descriptor(dwords(&case["desc"])[0]);
    let registers = list(&case["payload"]).iter().map(|line| Register::of(dwords(line).try_into().unwrap()));
    let mask = dwords(&case["mask"])[0] as u16;
    send_masked(machine, SharedFunction::Sampler, descriptor, &registers.collect::<Vec<_>>(), mask)
}

/// The response in digits; DWords that are not written keep all ones.
fn digits(registers: &[Register]) -> Vec<String> {
    let line = |register: &Register| (0..8).map(|n| format!("{:08x}", register.dword(n))).collect::<Vec<_>>().join(" ");
    registers.iter().map(line).collect()
}

#[test]
fn cases() {
    let (mut responses, mut errors) = (0, 0);
    for line in CASES.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let name = &case["name"];
        let outcome = sent(&case, &prepared(&case));
        if let Some(expected) = case["error"].as_str() {
            let found = match outcome.error() {
                MessageError::Opcode { .. } => "opcode",
                MessageError::Length { .. } => "length",
                MessageError::Payload { .. } => "payload",
                MessageError::Surface { .. } => "surface",
                MessageError::State(_) => "state",
                _ => "another",
            };
            assert_eq!(found, expected, "{name}");
            errors += 1;
            continue;
        }
        let want: Vec<String> = list(&case["writeback"]).iter().map(|line| line.as_str().unwrap().replace('-', "f")).collect();
        assert_eq!(digits(outcome.registers()), want, "{name}");
        responses += 1;
    }
    assert_eq!((responses, errors), (134, 18));
}

/// The order of deliveries and writebacks does not change a response.
#[test]
fn any_order() {
    for line in CASES.lines().filter(|line| line.contains("killpix") || line.contains("aniso") || line.contains("masked")) {
        let case: Value = serde_json::from_str(line).unwrap();
        let mut machine = prepared(&case);
        let mut responses = orders().take(8).map(|order| {
            machine.config = order;
            sent(&case, &machine).response
        });
        let first = responses.next().unwrap();
        assert!(responses.all(|response| response == first), "{}", case["name"]);
    }
}
