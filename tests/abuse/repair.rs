//! Movements of chroma beyond their range, and their measurement for formats of any size.
use crate::{SAMPLINGS, SIZES, WORDS, pairs};
use dndi::{
    ChromaLocation, ChromaShift, ChromaShiftMeter, CompositeStandard, DotCrawlMeter, DotCrawlRepair, DropOutRepair, Format,
    Frame, Sampling,
};

#[test]
fn movements_of_any_number() {
    for (right, down) in pairs(&WORDS) {
        for (right, down) in [(right as i32, down as i32), ((right as i32).wrapping_neg(), down as i32)] {
            let [across, lines] = ChromaShift::LIMITS;
            let is_within = right.unsigned_abs() <= across as u32 && down.unsigned_abs() <= lines as u32;
            assert_eq!(ChromaShift::new(right, down).is_some(), is_within);
        }
    }
}

#[test]
fn formats_of_any_size_are_measured() {
    let mut measured = ChromaShiftMeter::default();
    measured.add(&Frame::new(Format::new(64, 48, Sampling::C420)));
    for meter in [ChromaShiftMeter::default(), measured] {
        for sampling in SAMPLINGS {
            for (width, height) in pairs(&SIZES) {
                for depth in [0, 8, 255] {
                    let format = Format::new(width, height, sampling).with_depth(depth);
                    for has_fields in [false, true] {
                        assert_eq!(meter.shift(format, ChromaLocation::Center, has_fields), None);
                    }
                }
            }
        }
    }
}

#[test]
fn frames_of_any_depth_and_without_samples() {
    let mut repair = DropOutRepair::default();
    let mut meter = ChromaShiftMeter::default();
    let mut crawl = DotCrawlMeter::default();
    let mut combs = [CompositeStandard::Ntsc, CompositeStandard::Pal].map(DotCrawlRepair::new);
    for depth in [0, 1, 8, 9, 16, 17, 255] {
        for (width, height) in [(0, 0), (0, 9), (9, 0), (64, 48)] {
            let format = Format::new(width, height, Sampling::C420).with_depth(depth);
            let next = Frame::new(format);
            for _ in 0..3 {
                repair.repair(&mut Frame::new(format), Some(&next)).unwrap();
            }
            meter.add(&next);
            (0..8).for_each(|_| crawl.add(&next).unwrap());
            for comb in &mut combs {
                (0..3).for_each(|_| comb.repair(&mut Frame::new(format), [Some(&next); 2]).unwrap());
            }
        }
    }
}
