//! What is held on to where nothing shows it, and until when.
use crate::clip::*;
use crate::expect::*;
use dndi::{FieldMatching, SimdLevel, Reason};

/// Film of little contrast and with some noise that stands from picture 24 on, and is cut to another still at picture 44.
fn stands(x: usize, y: usize, field: usize) -> u8 {
    let picture = film(field);
    let look = if picture < 44 { still(x + 2 * picture.min(24), y, 0) } else { elsewhere(x, y, 0) };
    (20 + look as usize / 8 + noise(x / 4 + 100 * field, y) as usize / 80) as u8
}

/// A cadence goes on where all stands, but not over a cut.
#[test]
fn a_cut_ends_what_is_held() {
    in_both_orders(Clip::new((0..140).collect()).look(stands), |_, decisions| {
        let found = letters(decisions);
        found[..54] == "f".repeat(54) && !found[55..].contains('f')
    });
    // Frames are whole after a cut, too.
    let cut = |x: usize, y: usize, picture: usize| if picture < 24 { still(x + picture, y, 0) } else { elsewhere(x, y, 0) };
    in_both_orders(Clip::new(pattern(&[2], 0, 50)).look(cut), |_, decisions| letters(decisions) == "p".repeat(50));
}

/// Film that stands, with noise that nobody sees: of the last bit here and there, or little beside the picture's own detail.
#[test]
fn what_nobody_sees_ends_nothing() {
    fn noisy(field: usize, x: usize, y: usize, least: u8) -> u8 {
        u8::from(field > 60 && noise(x / 4 + 100 * field, y) > least)
    }
    let looks: [fn(usize, usize, usize) -> u8; 2] = [
        |x, y, field| 16 + moving(x, y, film(field).min(20)) / 8 + noisy(field, x, y, 250),
        |x, y, field| moving(x, y, film(field).min(20)) / 4 * 3 + [0, 8][y % 2] + noisy(field, x, y, 200),
    ];
    for look in looks {
        in_both_orders(Clip::new((0..110).collect()).look(look), |_, decisions| letters(decisions) == "f".repeat(55));
    }
}

/// Stretches of little more than twelve borders are seen between others.
#[test]
fn short_stretches() {
    for (stretch, letter) in [(pattern(&[2], 100, 8), 'p'), (pattern(&[2, 3], 100, 7)[1..].to_vec(), 'f')] {
        let clip = Clip::new([Vec::from_iter(0..30), stretch, Vec::from_iter(200..230)].concat());
        in_both_orders(clip, |clip, decisions| {
            let (_, wrong, missed) = woven(clip, decisions);
            let found = letters(decisions);
            // Fields of the first picture look like those before it.
            let first = missed.iter().all(|field| (31..34).contains(field));
            wrong == 0 && first && found[..15] == "i".repeat(15) && found[17..22] == letter.to_string().repeat(5)
        });
    }
}

/// Frames are held on to until fields are seen in order and comb.
#[test]
fn frames_until_fields_comb() {
    // Stops, and goes on at the rate of fields.
    let look = |x: usize, y: usize, field: usize| match field {
        0..40 => still(x + 3 * (field / 2), y, 0),
        40..80 => still(x + 60, y, 0),
        _ => still(x + 60 + 2 * (field - 80), y, 0),
    };
    in_both_orders(Clip::new((0..140).collect()).look(look), |clip, decisions| {
        let found = letters(decisions);
        let order = decisions[42..].iter().all(|decision| decision.top_first == clip.top_first);
        order && found[..34] == "p".repeat(34) && found[41..] == "i".repeat(29)
    });
    // The same after a cut to it, at once.
    let look = |x: usize, y: usize, field: usize| match field {
        0..60 => still(x + 3 * (field / 2), y, 0),
        _ => elsewhere(x + 2 * field, y, 0),
    };
    in_both_orders(Clip::new((0..120).collect()).look(look), |_, decisions| {
        let found = letters(decisions);
        found[..30] == "p".repeat(30) && found[31..] == "i".repeat(29)
    });
    // And after one to text that rolls.
    let look = |x: usize, y: usize, field: usize| match field {
        0..60 => still(x + 3 * (field / 2), y, 0),
        _ => [16, 235][usize::from(text(x, y + field))],
    };
    in_both_orders(Clip::new((0..120).collect()).look(look), |_, decisions| {
        let found = letters(decisions);
        found[..30] == "p".repeat(30) && found[31..] == "i".repeat(29)
    });
}

/// Frames whose motion is odd in places stay frames.
#[test]
fn a_little_combing_in_frames() {
    // An interlaced insert of a few lines in progressive frames.
    let look = |x: usize, y: usize, field: usize| match y {
        80..84 if x < 64 => still(x + 4 * field, y, 0),
        _ => moving(x, y, field / 2),
    };
    in_both_orders(Clip::new((0..80).collect()).look(look), |_, decisions| letters(decisions) == "p".repeat(40));
}

/// Woven fields that match but in part are no valley.
#[test]
fn reconstruction_asks_for_valleys() {
    // Each second picture has one field alone, nearer to the one before.
    for top_first in [true, false] {
        let fields: Vec<usize> = (0..60).map(|field| field / 3 * 5 + [0, 0, 2][field % 3]).collect();
        let clip = Clip { top_first, ..Clip::new(fields) }.look(|x, y, moved| still(x + moved, y, 0));
        let decisions = decide(&clip.frames(), None, FieldMatching::Always, SimdLevel::Portable);
        let (codes, wrong, missed) = woven(&clip, &decisions);
        assert_eq!((wrong, missed), (0, vec![]), "{codes:?}");
    }
    // Pictures that move faster and slower.
    let fields: Vec<usize> = (0..30).flat_map(|n| std::iter::repeat_n(2 * n * n / 7, 2 + n * 7 % 3)).collect();
    for top_first in [true, false] {
        let clip = Clip { top_first, ..Clip::new(fields[..fields.len() / 2 * 2].to_vec()) };
        let decisions = decide(&clip.frames(), None, FieldMatching::Always, SimdLevel::Portable);
        let (_, wrong, missed) = woven(&clip, &decisions);
        assert!(wrong == 0 && missed.len() < 4, "{wrong} {missed:?}");
        assert!(decisions.iter().any(|decision| decision.reason == Reason::FieldMatched));
    }
}

/// A change that nobody sees is no cut.
#[test]
fn faint_cuts() {
    let faint = |x: usize, y: usize, field: usize| (20 + (stands(x, y, field) as usize - 20) / 3) as u8;
    in_both_orders(Clip::new((0..140).collect()).look(faint), |_, decisions| letters(decisions) == "f".repeat(70));
}

/// A few frames in the other order do not turn it.
#[test]
fn the_order_stays_over_a_few_frames() {
    for top_first in [true, false] {
        let clip = |fields: std::ops::Range<usize>, top_first| Clip { top_first, ..Clip::new(fields.collect()) }.frames();
        let frames = [clip(0..30, top_first), clip(30..40, !top_first), clip(40..80, top_first)].concat();
        let decisions = decide(&frames, None, FieldMatching::Pattern, SimdLevel::Portable);
        assert!(decisions.iter().all(|decision| decision.top_first == top_first && !decision.turned));
    }
}
