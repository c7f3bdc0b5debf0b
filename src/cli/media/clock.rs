//! The times of the frames: those that the decoder reports, without jitter, and those of the
//! outputs, which lie between them.

/// Deviation from a constant rate, in hundredths of a frame, up to which frames have that rate. It
/// must exceed the rounding of Matroska's milliseconds at 120 frames per second (6), and be less
/// than a field (50), by which soft pulldown delays frames.
const JITTER_PERCENT: i64 = 40;

/// Units of time in a frame.
const FRAME: i64 = 16;

/// The least time between two frames: eight times the nominal rate. It exceeds a millisecond, the
/// unit of Matroska, at up to 60 frames per second.
const LEAST: i64 = FRAME / 8;

/// The time from a frame to the next one beyond which there is a gap: more than the longest that
/// soft pulldown makes, a frame and a half.
const GAP: i64 = 2 * FRAME;

/// The times of the input frames in nanoseconds, and of the outputs made from them.
#[derive(Clone, Debug)]
pub struct Clock {
    /// Duration of a frame in seconds, as a fraction.
    duration: (u32, u32),
    /// Time of the first frame.
    origin: i64,
    /// The time of each frame, in units after the first one.
    times: Vec<i64>,
    /// The same with uniform durations for soft pulldown.
    even: Vec<i64>,
}

impl Clock {
    /// A clock for a nominal rate in frames per second, as numerator and denominator.
    pub fn new((num, den): (u32, u32)) -> Clock {
        Clock { duration: (den, num), origin: 0, times: vec![], even: vec![] }
    }

    /// Whether the time between two frames was not a whole number of frames.
    pub fn is_uneven(&self) -> bool {
        self.times.windows(2).any(|pair| (pair[1] - pair[0]) % FRAME != 0)
    }

    /// Adds the next frame, which the decoder reports at `time`.
    pub fn push(&mut self, time: Option<i64>) {
        let Some(&last) = self.times.last() else {
            self.origin = time.unwrap_or(0);
            self.times.push(0);
            self.even.push(0);
            return;
        };
        let due = last + FRAME;
        let next = match time {
            Some(time) if self.deviates(time, due) => self.after(last, time.saturating_sub(self.origin)),
            _ => due,
        };
        self.times.push(next);
        self.even.push(self.evened(next));
    }

    /// Whether a time deviates by more than jitter from `due`, in units after the first one.
    fn deviates(&self, time: i64, due: i64) -> bool {
        let deviation = i128::from(time) - i128::from(self.origin) - i128::from(self.nanoseconds(due, FRAME));
        deviation.abs() * 100 > i128::from(JITTER_PERCENT) * i128::from(self.nanoseconds(1, 1))
    }

    /// A time in nanoseconds after the first frame, in units: a multiple of half a frame, so that
    /// it has no jitter, unless the frame before is nearer than that.
    fn after(&self, last: i64, nanoseconds: i64) -> i64 {
        let half = self.parts(nanoseconds, 2).saturating_mul(FRAME / 2);
        if half > last { half } else { self.parts(nanoseconds, FRAME).max(last + LEAST) }
    }

    /// The time of the last frame, after that of the frame before.
    ///
    /// Soft pulldown shows frames for two and three fields in turn, that is for two and a half.
    fn evened(&self, next: i64) -> i64 {
        let (two, three) = (FRAME, 3 * FRAME / 2);
        let last = self.even.last().copied().unwrap_or(0);
        let steps: Vec<_> = self.times.windows(2).rev().take(2).map(|pair| pair[1] - pair[0]).collect();
        let even = last + (two + three) / 2;
        let pulldown = steps.contains(&three) && steps.iter().all(|step| [two, three].contains(step));
        let near = (even - next).abs() <= FRAME / 2;
        if pulldown && near { even } else { next.max(last + LEAST) }
    }

    /// The time in nanoseconds of an output whose time is `quarters` of a frame, counted from the
    /// first frame, if all frames have the same duration.
    pub fn output(&self, quarters: u64) -> i64 {
        let (index, part) = (usize::try_from(quarters / 4).unwrap_or(usize::MAX), (quarters % 4) as i64);
        let Some((&at, &last)) = self.even.get(index).or(self.even.last()).zip(self.even.last()) else {
            return self.nanoseconds(quarters as i64, 4);
        };
        // Frames after the end have the nominal duration.
        let Some(next) = index.checked_add(1).and_then(|next| self.even.get(next)) else {
            let after = quarters as i64 - 4 * (self.even.len() as i64 - 1);
            return self.origin.saturating_add(self.nanoseconds(4 * last + FRAME * after, 4 * FRAME));
        };
        let step = if next - at >= GAP { FRAME } else { next - at };
        self.origin.saturating_add(self.nanoseconds(4 * at + part * step, 4 * FRAME))
    }

    /// The duration of `count` parts of a frame, of which `parts` are a frame.
    fn nanoseconds(&self, count: i64, parts: i64) -> i64 {
        let (num, den) = (i128::from(self.duration.0), i128::from(self.duration.1) * i128::from(parts));
        let scaled = i128::from(count) * num * 1_000_000_000;
        ((2 * scaled + den).div_euclid(2 * den)).clamp(i64::MIN.into(), i64::MAX.into()) as i64
    }

    /// The nearest number of parts of a frame in a duration, of which `parts` are a frame.
    fn parts(&self, nanoseconds: i64, parts: i64) -> i64 {
        let num = i128::from(self.duration.0) * 1_000_000_000;
        let den = i128::from(self.duration.1) * i128::from(parts);
        let rounded = (2 * i128::from(nanoseconds) * den + num).div_euclid(2 * num);
        // The product with units of a frame must not overflow.
        rounded.clamp((i64::MIN / 256).into(), (i64::MAX / 256).into()) as i64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MILLISECOND: i64 = 1_000_000;

    fn clock(rate: (u32, u32), milliseconds: &[i64]) -> Clock {
        let mut clock = Clock::new(rate);
        milliseconds.iter().for_each(|time| clock.push(Some(time * MILLISECOND)));
        clock
    }

    fn outputs(clock: &Clock, step: u64, count: u64) -> Vec<i64> {
        (0..count).map(|number| (clock.output(number * step) + MILLISECOND / 2).div_euclid(MILLISECOND)).collect()
    }

    #[test]
    fn a_constant_rate_has_no_jitter() {
        let clock = clock((25, 1), &[100, 141, 179, 220, 265]);
        assert_eq!(outputs(&clock, 4, 6), [100, 140, 180, 220, 260, 300]);
        assert_eq!(outputs(&clock, 2, 4), [100, 120, 140, 160]);
        assert_eq!(Clock::new((25, 1)).output(6), 60 * MILLISECOND);
    }

    #[test]
    fn a_gap_is_kept_and_its_fields_are_not_stretched() {
        let clock = clock((25, 1), &[0, 40, 480, 520]);
        assert_eq!(outputs(&clock, 2, 8), [0, 20, 40, 60, 480, 500, 520, 540]);
        assert!(!clock.is_uneven());
    }

    #[test]
    fn soft_pulldown_is_even() {
        let times = [0, 50, 83, 133, 167, 217, 250, 284, 317];
        let clock = clock((30, 1), &times);
        assert_eq!(outputs(&clock, 4, 9), [0, 42, 83, 125, 167, 208, 250, 283, 317]);
    }

    #[test]
    fn a_wrong_rate_does_not_drift() {
        let times: Vec<i64> = (0..500).map(|number| number * 1000 / 29).collect();
        let clock = clock((30, 1), &times);
        assert!(clock.is_uneven());
        for (number, time) in times.iter().enumerate() {
            let output = clock.output(4 * number as u64) / MILLISECOND;
            assert!((output - time).abs() <= 17, "{number}: {output} {time}");
        }
    }

    #[test]
    fn bursts_do_not_delay_what_follows() {
        let times: Vec<i64> = (0..100).map(|number| number * 40 / 5).collect();
        let clock = clock((25, 1), &times);
        for (number, time) in times.iter().enumerate() {
            let output = clock.output(4 * number as u64) / MILLISECOND;
            assert!((output - time).abs() <= 17, "{number}: {output} {time}");
        }
    }

    #[test]
    fn times_may_be_far_apart() {
        for first in [0, i64::MIN, i64::MAX] {
            let mut clock = Clock::new((25, 1));
            [Some(first), Some(i64::MAX), Some(i64::MIN), None, Some(0)].into_iter().for_each(|time| clock.push(time));
            let outputs: Vec<_> = (0..5).map(|number| clock.output(4 * number)).collect();
            assert!(outputs.is_sorted(), "{outputs:?}");
        }
    }

    #[test]
    fn times_increase() {
        let clock = clock((25, 1), &[0, 40, 0, 0, 0, 40, 400, 80]);
        let outputs = outputs(&clock, 2, 16);
        assert!(outputs.windows(2).all(|pair| pair[0] < pair[1]), "{outputs:?}");
    }
}
