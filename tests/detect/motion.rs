//! Motion whose fields meet by chance, or have nothing in common.
use crate::clip::*;
use crate::expect::*;
use dndi::{Content, Pulldown};

/// Text on black that is `lines` further up.
fn rolls(x: usize, y: usize, lines: usize) -> u8 {
    if text(x, y + 1000 + lines) { 235 } else { 16 }
}

/// The same over a texture that stays.
fn rolls_over(x: usize, y: usize, lines: usize) -> u8 {
    if text(x, y + 1000 + lines) { 235 } else { still(x, y, 0) / 2 }
}

type Look = fn(usize, usize, usize) -> u8;

/// A roll of one line a frame combs least where a field is woven with the next picture's: its lines come in pairs.
#[test]
fn progressive_rolls() {
    let looks: [Look; 9] = [
        rolls,
        rolls_over,
        |x, y, picture| rolls(x, y, 500 - picture),
        |x, y, picture| rolls_over(x, y, 500 - picture),
        |x, y, picture| noise(x, y + picture),
        |x, y, picture| noise(x / 4, y + picture),
        |x, y, picture| rolls(x, y, 2 * picture),
        |x, y, picture| rolls_over(x, y, 2 * picture),
        |x, y, picture| rolls(x, y, 3 * picture),
    ];
    for look in looks {
        expect_in_both_orders(Clip::new(pattern(&[2], 0, 30)).look(look), Content::Progressive, Some(Pulldown::P22));
    }
    // It begins after a still, which tells nothing.
    let late: Look = |x, y, picture| rolls(x, y, picture.max(20));
    in_both_orders(Clip::new(pattern(&[2], 0, 45)).look(late), |_, decisions| {
        letters(&decisions[14..]).chars().all(|letter| letter == 'p')
    });
}

#[test]
fn film_that_rolls() {
    let looks: [Look; 2] = [|x, y, picture| rolls(x, y, 2 * picture), |x, y, picture| rolls_over(x, y, 2 * picture)];
    for look in looks {
        expect_in_both_orders(Clip::new(pattern(&[2, 3], 0, 24)).look(look), Content::Film, Some(Pulldown::P32));
    }
}

/// Text that rolls at the rate of fields over what stands is video: its lines lie right wherever two fields are woven.
#[test]
fn interlaced_rolls() {
    let looks: [Look; 7] = [
        rolls,
        |x, y, field| rolls(x, y, 2 * field),
        |x, y, field| rolls(x, y, 3 * field),
        rolls_over,
        |x, y, field| rolls_over(x, y, 500 - field),
        |x, y, field| rolls_over(x, y, 2 * field),
        |x, y, field| rolls_over(x, y, 3 * field),
    ];
    for look in looks {
        expect_in_both_orders(Clip::new((0..60).collect()).look(look), Content::Interlaced, None);
    }
}

/// Text that rolls at the rate of fields over film has fields of its own, but the film below has not.
#[test]
fn rolls_over_film() {
    let looks: [Look; 4] = [
        |x, y, field| if y < 40 && text(x, y + 1000 + field) { 200 } else { moving(x, y, film(field)) },
        |x, y, field| if y < 40 && text(x, y + 1000 + 2 * field) { 200 } else { moving(x, y, film(field)) },
        |x, y, field| if x < 40 && text(x, y + 1000 + 2 * field) { 200 } else { moving(x, y, film(field)) },
        |x, y, field| if text(x, y + 1000 + field) { 200 } else { moving(x, y, film(field)) },
    ];
    for look in looks {
        in_both_orders(Clip::new((0..60).collect()).look(look), |clip, decisions| {
            decisions.iter().all(|decision| {
                let kind = (decision.content, decision.pulldown, decision.top_first);
                kind == (Content::Film, Some(Pulldown::P32), clip.top_first)
            })
        });
    }
}

/// So fast that fields have nothing in common: no order combs less, but none has anything of a frame.
#[test]
fn fields_that_have_nothing_in_common() {
    let looks: [Look; 6] = [
        |x, y, field| still(x + 977 * field, y + 331 * field, 0),
        |x, y, field| still(x + 64 * field, y, 0),
        |x, y, field| noise(x, y + field),
        |x, y, field| noise((x + 16 * field) / 4, y / 4),
        |x, y, field| still(x + 16 * field, y, 0),
        |x, y, field| still(2 * (x + 16 * field), y, 0),
    ];
    for look in looks {
        in_both_orders(Clip::new((0..60).collect()).look(look), |_, decisions| {
            decisions.iter().all(|decision| decision.content == Content::Interlaced)
        });
    }
}

/// All borders comb alike: a rhythm of two fields is but rounding.
#[test]
fn even_pans() {
    let looks: [Look; 6] = [
        |x, y, field| still(4 * x + field, 4 * y, 0),
        |x, y, field| still(4 * x + field, 2 * y, 0),
        |x, y, field| still(x + field, y, 0),
        |x, y, field| still(x + 2 * field, y, 0),
        |x, y, field| if field < 31 { still(4 * x + field, 2 * y, 0) } else { elsewhere(4 * x + field, 2 * y, 0) },
        |x, y, field| if field < 31 { still(x + 2 * field, y, 0) } else { elsewhere(x + 2 * field, y, 0) },
    ];
    for look in looks {
        expect_in_both_orders(Clip::new((0..60).collect()).look(look), Content::Interlaced, None);
    }
}

/// A fade at the rate of fields over a picture that stays: rounding comes in rhythms like a cadence's.
#[test]
fn fading_stills() {
    fn at(v: u8, level: usize, full: usize) -> u8 {
        (16 + (v as usize - 16) * level / full) as u8
    }
    let looks: [Look; 7] = [
        |x, y, field| at(still(x, y, 0), field + 80, 160),
        |x, y, field| at(still(x, y, 0), field + 200, 280).saturating_add(noise(x / 4 + 100 * field, y) / 32),
        |x, y, field| at(100 + noise(x / 4, y / 4) / 16, field + 200, 280),
        |x, y, field| at(100 + noise(x / 4, y) / 16, field + 200, 280),
        |x, y, field| at(still(x, y, 0), field + 20, 120),
        |x, y, field| at(still(x, y, 0), 160 - field, 160),
        |x, y, field| at(still(x, y, 0), field, 80),
    ];
    for look in looks {
        in_both_orders(Clip::new((0..80).collect()).look(look), |_, decisions| {
            decisions.iter().all(|decision| decision.content == Content::Interlaced)
        });
    }
    // Its levels come in the rhythm of 3:2 itself, but all tiles change wherever any does.
    let look: Look = |x, y, field| (40 + (40 + still(x, y, 0) as usize / 16) * (field + 60) / 120) as u8;
    in_both_orders(Clip::new((0..60).collect()).look(look), |_, decisions| letters(decisions).starts_with(&"i".repeat(22)));
    let looks: [Look; 2] =
        [|x, y, picture| at(moving(x, y, picture), picture, 32), |x, y, picture| at(still(x, y, 0), picture, 32)];
    for look in looks {
        expect_in_both_orders(Clip::new(pattern(&[2, 3], 0, 32)).look(look), Content::Film, Some(Pulldown::P32));
        expect_in_both_orders(Clip::new(pattern(&[2], 0, 32)).look(look), Content::Progressive, Some(Pulldown::P22));
    }
}

/// Film that rolls by one line a picture has its lines in pairs where it should not be woven: it may be deinterlaced.
#[test]
fn film_that_rolls_by_a_line_is_never_woven_wrongly() {
    for look in [rolls as Look, rolls_over] {
        in_both_orders(Clip::new(pattern(&[2, 3], 0, 24)).look(look), |clip, decisions| woven(clip, decisions).1 == 0);
    }
}
