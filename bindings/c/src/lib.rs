//! The C interface of dndi, built as `libdndi` by cargo-c.
//!
//! [`abi`] has the exported functions and all unsafe code: it turns pointers into references and
//! catches panics. [`types`] has the structs of the interface, `handles` the behaviour.

pub mod abi;
mod handles;
pub mod types;
