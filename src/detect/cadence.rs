//! Cadences of film, and how well they fit what the borders between fields tell.
use std::fmt;

/// How the pictures of film are spread over fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Pulldown {
    /// Two fields each: 25 pictures in 50 fields, progressive frames in phase or a field late.
    P22,
    /// Two and three fields in turn: 24 pictures in 60 fields.
    P32,
    /// Two, three, three, two: the same from cameras that want to be undone easily.
    P2332,
    /// Two, two, two, four: 24 pictures in 60 fields, a frame repeated.
    P2224,
}

impl Pulldown {
    const ALL: [Pulldown; 4] = [Pulldown::P22, Pulldown::P32, Pulldown::P2332, Pulldown::P2224];

    /// Fields of each picture.
    const fn fields(self) -> &'static [usize] {
        match self {
            Pulldown::P22 => &[2],
            Pulldown::P32 => &[2, 3],
            Pulldown::P2332 => &[2, 3, 3, 2],
            Pulldown::P2224 => &[2, 2, 2, 4],
        }
    }

    /// Pictures and the frames that hold them, such as 4 in 5.
    pub fn ratio(self) -> (u32, u32) {
        if self == Pulldown::P22 { (1, 1) } else { (4, 5) }
    }
}

impl fmt::Display for Pulldown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Pulldown::P22 => "2:2",
            Pulldown::P32 => "3:2",
            Pulldown::P2332 => "3:2:2:3",
            Pulldown::P2224 => "2:2:2:4",
        })
    }
}

/// A cadence in one of its phases.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hypothesis {
    pub pulldown: Pulldown,
    pub period: u64,
    /// A bit for each of 64 borders, the first of a period first, where another picture begins.
    starts: u64,
}

/// All cadences in all phases.
pub(super) const HYPOTHESES: usize = 2 + 5 + 10 + 10;

/// The hypothesis that both fields of each frame belong together.
pub(super) const IN_PHASE: usize = 0;

static TABLE: [Hypothesis; HYPOTHESES] = table();

const fn table() -> [Hypothesis; HYPOTHESES] {
    let mut table = [Hypothesis { pulldown: Pulldown::P22, period: 2, starts: 0 }; HYPOTHESES];
    let (mut count, mut kind) = (0, 0);
    while kind < Pulldown::ALL.len() {
        let fields = Pulldown::ALL[kind].fields();
        let (mut period, mut i) = (0, 0);
        while i < fields.len() {
            period += fields[i];
            i += 1;
        }
        let mut phase = 0;
        while phase < period {
            // A period earlier the same begins.
            let (mut starts, mut at, mut i) = (0, phase, 0);
            while at < period + 64 {
                if at >= period {
                    starts |= 1 << (at - period);
                }
                at += fields[i % fields.len()];
                i += 1;
            }
            table[count] = Hypothesis { pulldown: Pulldown::ALL[kind], period: period as u64, starts };
            (count, phase) = (count + 1, phase + 1);
        }
        kind += 1;
    }
    assert!(count == HYPOTHESES);
    table
}

pub(super) fn hypothesis(index: usize) -> &'static Hypothesis {
    &TABLE[index]
}

impl Hypothesis {
    /// Whether another picture begins at a border.
    pub fn begins(&self, border: u64) -> bool {
        self.begin_from(border) & 1 == 1
    }

    /// A bit for each border from one on, at least 32, where another picture begins.
    pub fn begin_from(&self, border: u64) -> u32 {
        (self.starts >> (border % self.period)) as u32
    }

    /// Whether both fields of every frame belong to one picture.
    pub fn keeps_frames(&self) -> bool {
        self.period.is_multiple_of(2) && self.starts & 0xaaaa_aaaa_aaaa_aaaa == 0
    }
}

/// Instead of the number of pictures that stood still.
pub(super) const NO_FIT: u8 = u8::MAX;

/// Borders that are looked at together: a long window allows pictures that do not change, a short one does not.
pub(super) const WINDOWS: [u64; 2] = [20, 12];
