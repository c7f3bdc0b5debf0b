//! Threads on execution units: dispatch, order of execution, messages and writebacks (§7.1, §7.4).
pub(super) mod event;
pub(super) mod machine;
pub(super) mod program;
mod schedule;
mod thread;
