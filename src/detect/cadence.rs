//! Pulldown patterns, and the field pairs at which a new picture starts in each of their phases.
use crate::format::NameError;
use std::fmt;
use std::str::FromStr;

/// A pulldown pattern: the number of fields that each picture of a telecine has.
///
/// ```
/// use dndi::Pulldown;
///
/// let pulldown: Pulldown = "3:2".parse().unwrap();
/// assert_eq!((pulldown, pulldown.to_string()), (Pulldown::P32, "3:2".to_owned()));
/// assert_eq!(pulldown.ratio(), (4, 5)); // 4 pictures in 5 frames
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Pulldown {
    /// 2:2, two fields each: 25 pictures in 50 fields. In phase these are progressive frames; out
    /// of phase the pictures are shifted by a field.
    P22,
    /// 3:2, two and three fields in turn: 24 pictures in 60 fields.
    P32,
    /// 3:2:2:3 ("advanced"), two, three, three and two fields in turn: 24 pictures in 60 fields.
    P2332,
    /// 2:2:2:4, two, two, two and four fields in turn: 24 pictures in 60 fields. In phase every
    /// fourth of the progressive frames is repeated.
    P2224,
}

impl Pulldown {
    const ALL: [Pulldown; 4] = [Pulldown::P22, Pulldown::P32, Pulldown::P2332, Pulldown::P2224];

    const NAMES: &'static [&'static str] = &["2:2", "3:2", "3:2:2:3", "2:2:2:4"];

    /// The number of fields of each picture of a period.
    const fn fields(self) -> &'static [usize] {
        match self {
            Pulldown::P22 => &[2],
            Pulldown::P32 => &[2, 3],
            Pulldown::P2332 => &[2, 3, 3, 2],
            Pulldown::P2224 => &[2, 2, 2, 4],
        }
    }

    /// The number of pictures in a number of frames, such as (4, 5) for 3:2.
    pub fn ratio(self) -> (u32, u32) {
        if self == Pulldown::P22 { (1, 1) } else { (4, 5) }
    }
}

/// `2:2`, `3:2`, `3:2:2:3` or `2:2:2:4`.
impl fmt::Display for Pulldown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Pulldown::NAMES[*self as usize])
    }
}

impl FromStr for Pulldown {
    type Err = NameError;

    fn from_str(name: &str) -> Result<Pulldown, NameError> {
        NameError::find("pulldown pattern", name, Pulldown::NAMES, &Pulldown::ALL)
    }
}

/// A pulldown pattern in one of its phases.
#[derive(Clone, Copy, Debug)]
pub(super) struct CadencePhase {
    pub pulldown: Pulldown,
    /// Fields of a period.
    period: u64,
    /// A bit for each of 64 field pairs, from the first of a period on: whether a picture starts
    /// there.
    starts: u64,
}

/// The number of all patterns in all phases.
pub(super) const PHASES: usize = 2 + 5 + 10 + 10;

/// The index of the phase in which both fields of each frame belong to one picture, and no frame
/// repeats another: progressive frames.
pub(super) const IN_PHASE: usize = 0;

static TABLE: [CadencePhase; PHASES] = table();

const fn table() -> [CadencePhase; PHASES] {
    let mut table = [CadencePhase { pulldown: Pulldown::P22, period: 2, starts: 0 }; PHASES];
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
            // Counted from one period earlier, so that the pictures before the phase are included.
            let (mut starts, mut at, mut i) = (0, phase, 0);
            while at < period + 64 {
                if at >= period {
                    starts |= 1 << (at - period);
                }
                at += fields[i % fields.len()];
                i += 1;
            }
            table[count] = CadencePhase { pulldown: Pulldown::ALL[kind], period: period as u64, starts };
            (count, phase) = (count + 1, phase + 1);
        }
        kind += 1;
    }
    assert!(count == PHASES);
    table
}

/// The phase with this index, less than [`PHASES`].
pub(super) fn cadence_phase(index: usize) -> &'static CadencePhase {
    &TABLE[index]
}

impl CadencePhase {
    /// Whether a picture starts at a field pair.
    pub fn starts_picture(&self, pair: u64) -> bool {
        self.starts_from(pair) & 1 == 1
    }

    /// A bit for each of the 32 field pairs from `pair` on: whether a picture starts there.
    pub fn starts_from(&self, pair: u64) -> u32 {
        // Periods are at most 10, so 54 bits or more remain.
        (self.starts >> (pair % self.period)) as u32
    }

    /// Whether the frames are progressive: pictures start only at even field pairs, before frames.
    pub fn is_progressive(&self) -> bool {
        // Two periods or more are recorded, so odd periods have starts at odd pairs.
        self.starts & 0xaaaa_aaaa_aaaa_aaaa == 0
    }
}

/// The phase does not fit. Any other value is the quality of a fit: the number of picture starts
/// where no change is visible.
pub(super) const NO_FIT: u8 = u8::MAX;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back() {
        for pulldown in Pulldown::ALL {
            assert_eq!(pulldown.to_string().parse(), Ok(pulldown));
        }
        let error = "2:3".parse::<Pulldown>().unwrap_err().to_string();
        assert_eq!(error, "no pulldown pattern '2:3'; there are: 2:2, 3:2, 3:2:2:3, 2:2:2:4");
    }

    #[test]
    fn ratios_count_pictures_and_frames() {
        assert_eq!(Pulldown::P22.ratio(), (1, 1));
        for pulldown in [Pulldown::P32, Pulldown::P2332, Pulldown::P2224] {
            let fields: usize = pulldown.fields().iter().sum();
            let (pictures, frames) = pulldown.ratio();
            assert_eq!((4 * fields, pictures, frames), (10 * pulldown.fields().len(), 4, 5));
        }
    }

    #[test]
    fn phases_have_the_fields_of_their_pattern() {
        for phase in &TABLE {
            let starts: Vec<u64> = (0..60).filter(|&pair| phase.starts_picture(pair)).collect();
            let fields = phase.pulldown.fields();
            let lengths: Vec<usize> = starts.windows(2).map(|pair| (pair[1] - pair[0]) as usize).collect();
            let turns = |shift: usize| (0..lengths.len()).all(|i| lengths[i] == fields[(i + shift) % fields.len()]);
            assert!((0..fields.len()).any(turns), "{phase:?}");
        }
        let progressive: Vec<usize> = (0..PHASES).filter(|&index| TABLE[index].is_progressive()).collect();
        assert_eq!(progressive[0], IN_PHASE);
        // 2:2 in phase, and 2:2:2:4 in its five even phases.
        assert_eq!(progressive.len(), 6);
        assert!(progressive[1..].iter().all(|&index| TABLE[index].pulldown == Pulldown::P2224));
    }
}
