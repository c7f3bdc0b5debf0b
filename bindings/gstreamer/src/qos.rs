//! Quality of service: outputs that a sink would drop are dropped here.

use gst::ClockTime;

/// The lateness that the sink reports.
#[derive(Debug, Default)]
pub struct Qos {
    /// Running time before which outputs come too late.
    earliest: Option<ClockTime>,
    /// The sink's estimate of the ratio of time taken to time given.
    proportion: f64,
    /// Outputs that were passed on and that were dropped.
    processed: u64,
    dropped: u64,
}

/// A dropped output.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drop {
    /// The time by which it is late, in nanoseconds.
    pub jitter: i64,
    /// See [`Qos`].
    pub proportion: f64,
    /// Outputs so far: passed on, dropped.
    pub counts: (u64, u64),
}

impl Qos {
    /// Takes the report of a sink: an output of running time `timestamp` was late by `diff`
    /// nanoseconds.
    pub fn update(&mut self, proportion: f64, diff: i64, timestamp: Option<ClockTime>) {
        self.proportion = proportion;
        // Twice the lateness, as in other elements: the following outputs are late as well until
        // the time is made up.
        let late = u64::try_from(diff).map(|late| late.saturating_mul(2));
        self.earliest = timestamp.map(|timestamp| match late {
            Ok(late) => timestamp.saturating_add(ClockTime::from_nseconds(late)),
            Err(_) => timestamp.saturating_sub(ClockTime::from_nseconds(diff.unsigned_abs())),
        });
    }

    /// Forgets the reports, for a new segment.
    pub fn reset(&mut self) {
        *self = Qos { proportion: 1.0, ..Qos::default() };
    }

    /// Decides about an output with this running time. Returns the drop if it comes too late.
    pub fn decide(&mut self, time: Option<ClockTime>, enabled: bool) -> Option<Drop> {
        let late = self.earliest.zip(time).filter(|(earliest, time)| enabled && time < earliest);
        let Some((earliest, time)) = late else {
            self.processed += 1;
            return None;
        };
        self.dropped += 1;
        let jitter = i64::try_from((earliest - time).nseconds()).unwrap_or(i64::MAX);
        Some(Drop { jitter, proportion: self.proportion, counts: (self.processed, self.dropped) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_before_the_earliest_time_are_dropped() {
        let time = |ms| Some(ClockTime::from_mseconds(ms));
        let mut qos = Qos::default();
        assert_eq!(qos.decide(time(0), true), None);
        qos.update(1.5, 30_000_000, time(100));
        let drop = qos.decide(time(159), true).unwrap();
        assert_eq!(drop, Drop { jitter: 1_000_000, proportion: 1.5, counts: (1, 1) });
        assert_eq!(qos.decide(time(160), true), None);
        assert_eq!(qos.decide(time(159), false), None);
        assert_eq!(qos.decide(None, true), None);
        // A sink that waits for outputs.
        qos.update(0.5, -30_000_000, time(200));
        assert_eq!(qos.decide(time(170), true), None);
        qos.update(0.5, i64::MAX, time(200));
        assert!(qos.decide(time(1_000_000), true).is_some());
        qos.update(0.5, i64::MIN, time(200));
        qos.reset();
        assert_eq!(qos.decide(time(0), true), None);
    }
}
