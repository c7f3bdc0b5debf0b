//! A binding table with its surface states.
use super::error::DriverError;
use super::plane::reserve;
use crate::gen6::eu::data::memory::Memory;
use crate::gen6::state::{MediaSurfaceState, StateError, SurfaceState};

/// Bytes from one surface state to the next.
const STATE: u32 = 32;

/// A binding table with its surface states.
#[derive(Clone, Copy, Debug)]
pub(super) struct BindingTable {
    /// Offset from the surface state base.
    pub offset: u32,
    entries: u32,
}

impl BindingTable {
    /// Allocates a table of `entries` entries, a multiple of 8.
    pub fn new(memory: &mut Memory, entries: u32) -> Result<BindingTable, DriverError> {
        let offset = reserve(memory, ((4 + STATE) * entries) as usize)?;
        let table = BindingTable { offset, entries };
        for entry in 0..entries {
            memory.set_dword(u64::from(offset + 4 * entry), table.state(entry));
        }
        Ok(table)
    }

    /// Offset of the surface state of an entry.
    fn state(&self, entry: u32) -> u32 {
        self.offset + 4 * self.entries + STATE * entry
    }

    /// Binds a surface of the data port to an entry.
    pub fn bind(&self, memory: &Memory, entry: u32, state: &SurfaceState) -> Result<(), StateError> {
        memory.set_dwords(self.state(entry).into(), &state.encode()?);
        Ok(())
    }

    /// Binds a surface of the sampler to an entry.
    pub fn bind_media(&self, memory: &Memory, entry: u32, state: &MediaSurfaceState) -> Result<(), StateError> {
        memory.set_dwords(self.state(entry).into(), &state.encode()?);
        Ok(())
    }
}
