//! Extended math: functions of floats, correct to the nearest binary32, and integer division
//! (§11.1).
//!
//! No result depends on the mathematical library of the system: all arithmetic is that of integers.
mod angle;
mod division;
mod fixed;
mod number;
mod power;
mod roots;
pub(super) mod serve;
