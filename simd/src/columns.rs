//! Sums of columns, for windows along a line.
use crate::isa::Isa;

/// Values of the even columns of a line, of the odd ones, and sums of pairs of both. The windows of
/// the two columns of a pair have whole pairs in common.
pub(crate) struct Columns<const PAIRS: usize> {
    pub even: [u16; PAIRS],
    pub odd: [u16; PAIRS],
    pub pairs: [u16; PAIRS],
}

impl<const PAIRS: usize> Columns<PAIRS> {
    pub fn new() -> Columns<PAIRS> {
        Columns { even: [0; PAIRS], odd: [0; PAIRS], pairs: [0; PAIRS] }
    }

    #[inline(always)]
    pub fn store<I: Isa>(&mut self, s: I, pair: usize, even: I::H, odd: I::H) {
        s.store16(&mut self.even[pair..], even);
        s.store16(&mut self.odd[pair..], odd);
        s.store16(&mut self.pairs[pair..], s.add16(even, odd));
    }

    /// For each pair the sums of the windows that begin with its even and with its odd column. A
    /// window has `WIDTH` columns, 5 or 7, and `constant` is added to its sum.
    #[inline(always)]
    pub fn windows<I: Isa, const WIDTH: usize>(&self, s: I, pair: usize, constant: I::H) -> [I::H; 2] {
        let mut common = s.add16(s.load16(&self.pairs[pair + 1..]), constant);
        if WIDTH == 7 {
            common = s.add16(common, s.load16(&self.pairs[pair + 2..]));
        }
        let even = s.add16(s.add16(s.load16(&self.pairs[pair..]), common), s.load16(&self.even[pair + WIDTH / 2..]));
        let odd = s.add16(s.add16(s.load16(&self.odd[pair..]), common), s.load16(&self.pairs[pair + WIDTH / 2..]));
        [even, odd]
    }
}
