//! Graphics memory, which all threads and shared functions use (§7.3).
use crate::memory::{OutOfMemory, reserve};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Memory of whole DWords, little endian, addressed in bytes from 0.
///
/// Many threads may read and write it at a time. Accesses to a DWord are atomic. As on the
/// hardware, accesses of different threads to the same DWord have no order. Reads beyond the end
/// return 0, writes beyond the end are dropped.
#[derive(Debug)]
pub struct Memory {
    dwords: Vec<AtomicU32>,
    /// End of the last allocation, in bytes.
    used: u64,
    /// Whether allocations get addresses only, without memory.
    planned: bool,
}

impl Memory {
    /// Memory of `bytes` bytes, rounded up to whole DWords, all 0.
    pub fn new(bytes: u32) -> Memory {
        let dwords = (0..bytes.div_ceil(4)).map(|_| AtomicU32::new(0)).collect();
        Memory { dwords, used: 0, planned: false }
    }

    /// Memory without bytes, however much is allocated: it only checks that 32-bit addresses
    /// suffice.
    pub(crate) fn planned() -> Memory {
        Memory { planned: true, ..Memory::new(0) }
    }

    /// Size in bytes.
    pub fn size(&self) -> u64 {
        4 * self.dwords.len() as u64
    }

    /// Allocates `bytes` bytes at a multiple of `align` bytes and returns the address. The memory
    /// grows as needed. None if the end is beyond 32-bit addresses, or if the system has no memory
    /// left.
    pub fn allocate(&mut self, bytes: u64, align: u32) -> Option<u32> {
        self.try_allocate(bytes, align).ok().flatten()
    }

    /// [`allocate`](Memory::allocate) with an error if the memory of the process does not suffice.
    pub(crate) fn try_allocate(&mut self, bytes: u64, align: u32) -> Result<Option<u32>, OutOfMemory> {
        let start = self.used.next_multiple_of(align.max(4).into());
        let Some(end) = start.checked_add(bytes).filter(|&end| end <= 1 << 32) else { return Ok(None) };
        let Ok(address) = u32::try_from(start) else { return Ok(None) };
        let dwords = end.div_ceil(4) as usize;
        if dwords > self.dwords.len() && !self.planned {
            reserve(&mut self.dwords, dwords)?;
            self.dwords.resize_with(dwords, || AtomicU32::new(0));
        }
        self.used = end;
        Ok(Some(address))
    }

    /// The DWord that holds byte `address`.
    pub fn dword(&self, address: u64) -> u32 {
        self.at(address).map_or(0, |dword| dword.load(Relaxed))
    }

    /// `N` DWords from `address` on, a multiple of 4.
    pub fn dwords<const N: usize>(&self, address: u64) -> [u32; N] {
        std::array::from_fn(|i| self.dword(address.saturating_add(4 * i as u64)))
    }

    /// Sets the DWord that holds byte `address`.
    pub fn set_dword(&self, address: u64, value: u32) {
        if let Some(dword) = self.at(address) {
            dword.store(value, Relaxed);
        }
    }

    /// Replaces the DWord that holds byte `address` by `new` of it, and returns the old one. No
    /// other access comes between. 0 beyond the end.
    pub(crate) fn update(&self, address: u64, new: impl Fn(u32) -> u32) -> u32 {
        let update = |dword: &AtomicU32| dword.fetch_update(Relaxed, Relaxed, |old| Some(new(old)));
        self.at(address).map_or(0, |dword| update(dword).unwrap_or_default())
    }

    /// Sets DWords from `address` on, a multiple of 4.
    pub fn set_dwords(&self, address: u64, values: &[u32]) {
        for (i, &value) in values.iter().enumerate() {
            self.set_dword(address.saturating_add(4 * i as u64), value);
        }
    }

    /// The DWord that holds byte `address`; none beyond the end.
    fn at(&self, address: u64) -> Option<&AtomicU32> {
        self.dwords.get(usize::try_from(address / 4).ok()?)
    }

    /// Reads bytes from `address` on.
    pub fn read(&self, address: u64, bytes: &mut [u8]) {
        let skip = (address % 4) as usize;
        let head = bytes.len().min((4 - skip) % 4);
        let (first, rest) = bytes.split_at_mut(head);
        first.copy_from_slice(&self.dword(address).to_le_bytes()[skip..][..head]);
        let start = usize::try_from(address.saturating_add(head as u64) / 4).unwrap_or(usize::MAX);
        let known = self.dwords.get(start..).unwrap_or_default();
        let mut known = known.iter().map(|dword| dword.load(Relaxed));
        let (whole, tail) = rest.as_chunks_mut::<4>();
        for bytes in whole {
            *bytes = known.next().unwrap_or(0).to_le_bytes();
        }
        let count = tail.len();
        tail.copy_from_slice(&known.next().unwrap_or(0).to_le_bytes()[..count]);
    }

    /// Writes bytes from `address` on. A DWord that is written in part keeps its other bytes, even
    /// if another thread writes these at the same time.
    pub fn write(&self, address: u64, bytes: &[u8]) {
        let skip = (address % 4) as usize;
        let (head, rest) = bytes.split_at(bytes.len().min((4 - skip) % 4));
        self.merge(address, skip, head);
        let mut address = address.saturating_add(head.len() as u64);
        let (whole, tail) = rest.as_chunks::<4>();
        for &bytes in whole {
            self.set_dword(address, u32::from_le_bytes(bytes));
            address = address.saturating_add(4);
        }
        self.merge(address, 0, tail);
    }

    /// Sets bytes of the DWord that holds byte `address`, from its byte `skip` on.
    fn merge(&self, address: u64, skip: usize, bytes: &[u8]) {
        let Some(dword) = self.at(address).filter(|_| !bytes.is_empty()) else { return };
        let (mut clear, mut set) = ([0xff; 4], [0; 4]);
        clear[skip..skip + bytes.len()].fill(0);
        set[skip..skip + bytes.len()].copy_from_slice(bytes);
        let replace = |old: u32| Some(old & u32::from_le_bytes(clear) | u32::from_le_bytes(set));
        let _ = dword.fetch_update(Relaxed, Relaxed, replace);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_round_trip_at_any_alignment() {
        for (address, count) in (0..9).flat_map(|address| (0..20).map(move |count| (address, count))) {
            let memory = Memory::new(40);
            memory.write(0, &[0xee; 40]);
            let bytes: Vec<u8> = (1..=count).collect();
            memory.write(address, &bytes);
            let mut read = vec![0; count as usize];
            memory.read(address, &mut read);
            assert_eq!(read, bytes);
            let mut all = [0; 40];
            memory.read(0, &mut all);
            let kept = all.iter().enumerate().filter(|(i, _)| !(address..address + count as u64).contains(&(*i as u64)));
            assert!(kept.clone().all(|(_, &byte)| byte == 0xee) && kept.count() == 40 - count as usize);
        }
    }

    #[test]
    fn updates_return_the_old_value() {
        let memory = Memory::new(8);
        memory.set_dword(4, 7);
        assert_eq!((memory.update(4, |old| old + 1), memory.dword(4), memory.update(8, |_| 1)), (7, 8, 0));
    }

    #[test]
    fn accesses_beyond_the_end() {
        let memory = Memory::new(6);
        memory.write(6, &[1, 2, 3, 4]);
        memory.write(u64::from(u32::MAX), &[1; 8]);
        let mut bytes = [9; 6];
        memory.read(5, &mut bytes);
        assert_eq!((memory.size(), bytes), (8, [0, 1, 2, 0, 0, 0]));
    }

    #[test]
    fn allocations_are_aligned_and_do_not_overlap() {
        let mut memory = Memory::new(0);
        let [first, second] = [memory.allocate(5, 64), memory.allocate(100, 32)];
        assert_eq!((first, second, memory.size()), (Some(0), Some(32), 132));
        assert_eq!(memory.allocate(1 << 32, 4), None);
    }
}
