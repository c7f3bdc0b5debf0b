//! The Gen6 hardware as documented: its state structures, and a functional model of its message
//! path.
pub mod eu;
pub mod state;
