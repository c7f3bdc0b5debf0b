//! How long a pulldown pattern, progressive frames and a field order are held where the pictures do
//! not show them.
use crate::clip::*;
use crate::expect::*;
use dndi::{FieldMatching, Reason, SimdLevel};

/// Film of low contrast with slight noise. It stops at picture 24 and is cut to another still at
/// picture 44.
fn stops(x: usize, y: usize, field: usize) -> u8 {
    let picture = film(field);
    let luma = if picture < 44 { still(x + 2 * picture.min(24), y, 0) } else { elsewhere(x, y, 0) };
    (20 + luma as usize / 8 + noise(x / 4 + 100 * field, y) as usize / 80) as u8
}

/// A pattern is held in a still, but not across a scene cut.
#[test]
fn a_scene_cut_ends_a_held_pattern() {
    in_both_orders(Clip::new((0..140).collect()).painted(stops), |_, decisions| {
        let found = letters(decisions);
        found[..54] == "f".repeat(54) && !found[55..].contains('f')
    });
    // Progressive frames are held across a cut.
    let cut = |x: usize, y: usize, picture: usize| if picture < 24 { still(x + picture, y, 0) } else { elsewhere(x, y, 0) };
    in_both_orders(Clip::new(pattern(&[2], 0, 50)).painted(cut), |_, decisions| letters(decisions) == "p".repeat(50));
}

/// Invisible noise in a still does not end a held pattern: of one level in few samples, or small
/// beside the detail of the picture.
#[test]
fn invisible_noise_ends_nothing() {
    fn noisy(field: usize, x: usize, y: usize, least: u8) -> u8 {
        u8::from(field > 60 && noise(x / 4 + 100 * field, y) > least)
    }
    let painters: [Painter; 2] = [
        |x, y, field| 16 + moving(x, y, film(field).min(20)) / 8 + noisy(field, x, y, 250),
        |x, y, field| moving(x, y, film(field).min(20)) / 4 * 3 + [0, 8][y % 2] + noisy(field, x, y, 200),
    ];
    for paint in painters {
        in_both_orders(Clip::new((0..110).collect()).painted(paint), |_, decisions| letters(decisions) == "f".repeat(55));
    }
}

/// Segments of little more than twelve field pairs are detected between others.
#[test]
fn short_segments() {
    for (segment, letter) in [(pattern(&[2], 100, 8), 'p'), (pattern(&[2, 3], 100, 7)[1..].to_vec(), 'f')] {
        let clip = Clip::new([Vec::from_iter(0..30), segment, Vec::from_iter(200..230)].concat());
        in_both_orders(clip, |clip, decisions| {
            let (_, wrong, missed) = woven(clip, decisions);
            let found = letters(decisions);
            // The fields of the first picture cannot be distinguished from video.
            let first = missed.iter().all(|field| (31..34).contains(field));
            wrong == 0 && first && found[..15] == "i".repeat(15) && found[17..22] == letter.to_string().repeat(5)
        });
    }
}

/// Progressive frames are held until fields are in an order and comb.
#[test]
fn progressive_until_fields_comb() {
    // A pan that stops, and goes on at the field rate.
    let paint = |x: usize, y: usize, field: usize| match field {
        0..40 => still(x + 3 * (field / 2), y, 0),
        40..80 => still(x + 60, y, 0),
        _ => still(x + 60 + 2 * (field - 80), y, 0),
    };
    in_both_orders(Clip::new((0..140).collect()).painted(paint), |clip, decisions| {
        let found = letters(decisions);
        let order = decisions[42..].iter().all(|decision| decision.field_order == clip.order);
        order && found[..34] == "p".repeat(34) && found[41..] == "i".repeat(29)
    });
    // The same after a cut, at once.
    let paint = |x: usize, y: usize, field: usize| match field {
        0..60 => still(x + 3 * (field / 2), y, 0),
        _ => elsewhere(x + 2 * field, y, 0),
    };
    in_both_orders(Clip::new((0..120).collect()).painted(paint), |_, decisions| {
        let found = letters(decisions);
        found[..30] == "p".repeat(30) && found[31..] == "i".repeat(29)
    });
    // And after a cut to rolling text.
    let paint = |x: usize, y: usize, field: usize| match field {
        0..60 => still(x + 3 * (field / 2), y, 0),
        _ => [16, 235][usize::from(text(x, y + field))],
    };
    in_both_orders(Clip::new((0..120).collect()).painted(paint), |_, decisions| {
        let found = letters(decisions);
        found[..30] == "p".repeat(30) && found[31..] == "i".repeat(29)
    });
}

/// Progressive frames with a small interlaced region stay progressive.
#[test]
fn a_little_combing_in_progressive_frames() {
    // An interlaced insert of 4 lines.
    let paint = |x: usize, y: usize, field: usize| match y {
        80..84 if x < 64 => still(x + 4 * field, y, 0),
        _ => moving(x, y, field / 2),
    };
    in_both_orders(Clip::new((0..80).collect()).painted(paint), |_, decisions| letters(decisions) == "p".repeat(40));
}

/// With `Always`, fields are woven only where they comb much less than with their other neighbours.
#[test]
fn field_matching_needs_low_combing() {
    // Every second picture has a single field, which is nearer to the picture before.
    for order in ORDERS {
        let fields: Vec<usize> = (0..60).map(|field| field / 3 * 5 + [0, 0, 2][field % 3]).collect();
        let clip = Clip { order, ..Clip::new(fields) }.painted(|x, y, moved| still(x + moved, y, 0));
        let decisions = decide(&clip.frames(), None, FieldMatching::Always, SimdLevel::Portable);
        let (matches, wrong, missed) = woven(&clip, &decisions);
        assert_eq!((wrong, missed), (0, vec![]), "{matches:?}");
    }
    // Accelerated motion.
    let fields: Vec<usize> = (0..30).flat_map(|n| std::iter::repeat_n(2 * n * n / 7, 2 + n * 7 % 3)).collect();
    for order in ORDERS {
        let clip = Clip { order, ..Clip::new(fields[..fields.len() / 2 * 2].to_vec()) };
        let decisions = decide(&clip.frames(), None, FieldMatching::Always, SimdLevel::Portable);
        let (_, wrong, missed) = woven(&clip, &decisions);
        assert!(wrong == 0 && missed.len() < 4, "{wrong} {missed:?}");
        assert!(decisions.iter().any(|decision| decision.reason == Reason::FieldMatched));
    }
}

/// An invisible change of the picture is no scene cut.
#[test]
fn faint_cuts() {
    let faint = |x: usize, y: usize, field: usize| (20 + (stops(x, y, field) as usize - 20) / 3) as u8;
    in_both_orders(Clip::new((0..140).collect()).painted(faint), |_, decisions| letters(decisions) == "f".repeat(70));
}

/// Five frames in the other field order do not change the order.
#[test]
fn the_order_is_held_over_a_few_frames() {
    for order in ORDERS {
        let clip = |fields: std::ops::Range<usize>, order| Clip { order, ..Clip::new(fields.collect()) }.frames();
        let frames = [clip(0..30, order), clip(30..40, order.reversed()), clip(40..80, order)].concat();
        let decisions = decide(&frames, None, FieldMatching::Pattern, SimdLevel::Portable);
        assert!(decisions.iter().all(|decision| decision.field_order == order && !decision.field_order_changed));
    }
}
