//! The Gen6 hardware as documented: its state structures, and a functional model of its message
//! path; and all structures of the Gen11 reference as tables.
pub mod eu;
pub mod reference;
pub mod state;
