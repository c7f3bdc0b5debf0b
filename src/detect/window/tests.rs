//! Windows of given measures.
use super::super::synthetic::{SAMPLES, fields, lookahead};
use super::*;

/// The window of pairs 4 to 15 in the top-first order.
fn window(lookahead: &Lookahead) -> Window<'_> {
    Window::new(lookahead, FieldOrder::TopFirst, 4..16)
}

/// Whether the pair or field 10 belongs to a set of the window.
fn has_10(set: u32) -> bool {
    set >> 6 & 1 == 1
}

#[test]
fn new_pictures_are_visible_from_two_and_a_half_sigma_on() {
    let with = |peak_q4: i64| {
        let lookahead = lookahead(12, |frame, metrics| {
            metrics.pairs[0][0].peak_q4 = if frame == 5 { peak_q4 } else { 0 };
        });
        let window = window(&lookahead);
        assert_eq!(window.visible_changes & !(1 << 6), 0);
        has_10(window.visible_changes)
    };
    assert!(!with(9) && with(10));
}

#[test]
fn a_picture_starts_before_a_surely_progressive_frame() {
    let lookahead = lookahead(12, |frame, metrics| metrics.surely_progressive = frame == 5);
    let window = window(&lookahead);
    assert_eq!((window.surely_progressive, window.known_starts), (1 << 7, 1 << 6));
    assert_eq!(window.visible_changes, 1 << 6);
}

#[test]
fn still_fields_change_by_a_quarter_of_the_range() {
    let is_still = |change: u64| {
        let lookahead = fields(|_| 0, |field| if field == 10 { change } else { [2000, 1000][field % 2] });
        let window = window(&lookahead);
        assert!(!window.is_still(12) && window.is_still(11) && window.is_still(3) && window.is_still(16));
        assert_eq!(window.is_still(10), has_10(window.still_fields));
        window.is_still(10)
    };
    assert!(is_still(1250) && !is_still(1251));
    // The first two fields have none before them.
    let lookahead = fields(|_| 0, |field| if field < 6 { 1000 } else { 0 });
    let window = Window::new(&lookahead, FieldOrder::TopFirst, 1..12);
    assert!(window.is_still(0) && window.is_still(1) && !window.is_still(2) && !window.is_still(5) && window.is_still(6));
    // They do not count as the fields that change least.
    for (change, still) in [(1250, true), (1251, false)] {
        let lookahead = fields(|_| 0, |field| [0, 0, 2000, 1000, change].get(field).copied().unwrap_or(1000));
        assert_eq!(Window::new(&lookahead, FieldOrder::TopFirst, 1..12).is_still(4), still);
    }
}

#[test]
fn repeated_fields_change_by_a_quarter_of_those_beside_them() {
    // Of the parity: the other fields do not count. The changes are six times as large.
    let repeats = |change: u64, before: u64, after: u64| {
        let change = |field: usize| match field {
            8 => before,
            10 => change,
            12 => after,
            _ => 0,
        };
        has_10(window(&fields(|_| 0, change)).repeated_fields)
    };
    // A mean square of a third counts as noise: 32 samples.
    let most = (6 * 1000 - SAMPLES) / 24;
    assert!(repeats(most, 1000, 1000) && !repeats(most + 1, 1000, 1000));
    assert!(!repeats(most, 1000, 980) && !repeats(most, 980, 1000));
    let least = SAMPLES.div_ceil(6);
    assert!(repeats(0, least, least) && !repeats(0, least - 1, least));
    // The limit itself: a change counts twice in the top field, so four times 200 and 32.
    let repeats = |beside: u64| {
        let changes = |frame: usize| if frame == 5 { 100 } else { beside };
        has_10(window(&lookahead(12, |frame, metrics| metrics.changed = [changes(frame), 0])).repeated_fields)
    };
    assert!(repeats(416) && !repeats(415));
}

/// At the ends of the window the field beside on the other side counts alone. Field 1 and those
/// before it have no change.
#[test]
fn repeated_fields_at_the_ends() {
    let set = |pairs: Range<u64>, change: fn(usize) -> u64| {
        Window::new(&fields(|_| 0, change), FieldOrder::TopFirst, pairs).repeated_fields
    };
    assert_eq!(set(4..8, |field| if field == 4 { 0 } else { 1000 }), 1);
    assert_eq!(set(4..8, |field| if field == 4 || field == 6 { 0 } else { 1000 }), 0);
    assert_eq!(set(1..6, |field| if field == 2 { 0 } else { 1000 }) & 2, 2);
    assert_eq!(set(1..6, |field| if field == 2 || field == 4 { 0 } else { 1000 }) & 0b1010, 0);
    assert_eq!(set(1..6, |field| if field == 3 { 0 } else { 1000 }) & 4, 4);
    assert_eq!(set(1..6, |field| if field == 3 || field < 2 { 0 } else { 1000 }) & 4, 4);
}

#[test]
fn peaks_exceed_the_pairs_beside_them_by_a_sixth() {
    // Six times the excess of 100 over the pairs beside: 600 over 500, three fields apart.
    let is_peak = |own: u64, beside: u64, apart: u64| {
        let lookahead = lookahead(12, |_, metrics| {
            (metrics.across, metrics.inside) = ([own, apart], beside);
        });
        let window = window(&lookahead);
        assert_eq!(has_10(window.peaks), window.is_peak(own, 10, beside));
        has_10(window.peaks)
    };
    assert!(is_peak(600, 500, 1100) && !is_peak(600, 500, 1101));
    assert!(is_peak(500, 500, 500) && !is_peak(400, 500, 501));
    // Pair 1 alone has no fields around it that are three field periods apart.
    assert!(Window::new(&lookahead(1, |_, _| {}), FieldOrder::TopFirst, 1..2).is_peak(0, 1, 0));
}

/// The lower of the pairs beside counts, and of the sums around.
#[test]
fn peaks_beside_unlike_pairs() {
    let is_peak = |before: u64, after: u64, apart: [u64; 2]| {
        let lookahead = lookahead(12, |frame, metrics| {
            metrics.inside = if frame == 4 { before } else { after };
            metrics.across = [600, apart[usize::from(frame > 5)]];
        });
        // The even pair 10 is compared with its own sum, the odd pair 11 with both around it.
        let window = window(&lookahead);
        [has_10(window.peaks), window.is_peak(600, 11, 500)]
    };
    assert_eq!(is_peak(500, 900, [1100, 9000]), [true, true]);
    assert_eq!(is_peak(900, 500, [1100, 9000]), [true, true]);
    assert_eq!(is_peak(900, 500, [1101, 1100]), [false, true]);
    assert_eq!(is_peak(501, 900, [1100, 1101]), [false, true]);
    assert_eq!(is_peak(500, 500, [1101, 1101]), [false, false]);
}

#[test]
fn excluded_orders_count_by_frames() {
    // Whole frames of pairs 4 to 15: 2 to 7. Two of them are a third, which is not more.
    let window = |excluded: &[(usize, FieldOrder)]| {
        let lookahead = lookahead(12, |frame, metrics| {
            metrics.excluded_order = excluded.iter().find(|&&(other, _)| other == frame).map(|&(_, order)| order);
        });
        let window = Window::new(&lookahead, FieldOrder::TopFirst, 4..16);
        [window.excludes_progressive(), window.excludes_order()]
    };
    let [top, bottom] = FieldOrder::BOTH;
    assert_eq!(window(&[(2, bottom), (7, bottom)]), [false, false]);
    assert_eq!(window(&[(2, bottom), (7, bottom), (4, bottom)]), [true, false]);
    assert_eq!(window(&[(1, bottom), (8, bottom), (4, bottom)]), [false, false]);
    assert_eq!(window(&[(2, top)]), [false, false]);
    assert_eq!(window(&[(2, top), (7, top)]), [false, true]);
    // One of four frames is not too many, one of three is.
    let excludes = |pairs: Range<u64>| {
        let lookahead = lookahead(12, |frame, metrics| metrics.excluded_order = (frame == 2).then_some(top));
        Window::new(&lookahead, top, pairs).excludes_order()
    };
    assert!(!excludes(4..12) && excludes(4..10) && excludes(3..11) && !excludes(5..13));
}

#[test]
fn sets_count_from_the_first_pair() {
    let lookahead = fields(|pair| pair as u64, |_| 0);
    let window = window(&lookahead);
    assert_eq!(window.all(), 0xfff);
    assert_eq!(window.combing[..12], [4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]);
    assert_eq!(window.combing[12..], [0; MAX_PAIRS - 12]);
    assert_eq!((set(&(4..16), |pair| pair == 4 || pair == 9), window.samples()), (0b10_0001, SAMPLES));
    assert!(indices(0x8000_0021).eq([0, 5, 31]) && indices(0x21).rev().eq([5, 0]));
}
