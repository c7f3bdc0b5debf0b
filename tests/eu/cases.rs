//! Golden cases of single messages, in any order of execution.
#[path = "../../examples/message_cases.rs"]
#[allow(dead_code)]
mod message_cases;

fn all_pass(text: &str, count: usize, seed: Option<u64>) {
    assert_eq!(text.lines().count(), count);
    for line in text.lines() {
        let (name, differences) = message_cases::run(line, seed);
        assert!(differences.is_empty(), "{name}, order {seed:?}:\n{}", differences.join("\n"));
    }
}

#[test]
fn extended_math() {
    for seed in [None, Some(3)] {
        all_pass(include_str!("../golden/messages/math.jsonl"), 40, seed);
    }
}

#[test]
fn ports() {
    for seed in [None, Some(3)] {
        all_pass(include_str!("../golden/messages/ports.jsonl"), 67, seed);
    }
}

#[test]
fn textures() {
    for seed in [None, Some(3)] {
        all_pass(include_str!("../golden/messages/sampler.jsonl"), 152, seed);
    }
}

/// A changed response, a changed byte of memory and another error are noticed.
#[test]
fn cases_can_fail() {
    let line = |name: &str| {
        let text = include_str!("../golden/messages/ports.jsonl");
        text.lines().find(|line| line.contains(&format!("\"{name}\""))).unwrap().to_owned()
    };
    let failures = |line: &str| message_cases::run(line, None).1.len();
    let atomic = line("atomic_15");
    assert_eq!(failures(&atomic), 0);
    assert_eq!(failures(&atomic.replacen("\"writeback\": [\"c", "\"writeback\": [\"d", 1)), 1);
    assert_eq!(failures(&atomic.replacen("--------", "00000000", 1)), 1);
    let written = line("streamed_1");
    let (before, after) = written.split_once("\"after\"").unwrap();
    assert!(failures(&format!("{before}\"after\"{}", after.replacen("\"bytes\": \"", "\"bytes\": \"5", 1))) > 0);
    assert_eq!(failures(&line("error_urb_header").replace("\"payload\"}", "\"length\"}")), 1);
    assert_eq!([failures("{}"), failures("nothing")], [1, 1]);
}
