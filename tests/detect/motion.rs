//! Motion whose fields match by chance or are uncorrelated, and fades.
use crate::clip::*;
use crate::expect::*;
use dndi::{Content, Pulldown};

/// Text on black, scrolled up by `lines` lines.
fn rolls(x: usize, y: usize, lines: usize) -> u8 {
    if text(x, y + 1000 + lines) { 235 } else { 16 }
}

/// The same over a static texture.
fn rolls_over(x: usize, y: usize, lines: usize) -> u8 {
    if text(x, y + 1000 + lines) { 235 } else { still(x, y, 0) / 2 }
}

/// Text that rolls by one line a frame combs least in the wrong match, because its lines repeat in
/// pairs.
#[test]
fn progressive_rolls() {
    let painters: [Painter; 9] = [
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
    for paint in painters {
        expect_in_both_orders(Clip::new(pattern(&[2], 0, 30)).painted(paint), Content::Progressive, Some(Pulldown::P22));
    }
    // The roll starts after a still, which is undetermined.
    let late: Painter = |x, y, picture| rolls(x, y, picture.max(20));
    in_both_orders(Clip::new(pattern(&[2], 0, 45)).painted(late), |_, decisions| {
        letters(&decisions[14..]).chars().all(|letter| letter == 'p')
    });
}

#[test]
fn film_that_rolls() {
    let painters: [Painter; 2] = [|x, y, picture| rolls(x, y, 2 * picture), |x, y, picture| rolls_over(x, y, 2 * picture)];
    for paint in painters {
        expect_in_both_orders(Clip::new(pattern(&[2, 3], 0, 24)).painted(paint), Content::Film, Some(Pulldown::P32));
    }
}

/// Text that rolls at the field rate over a still is video, although its lines fit in every match.
#[test]
fn interlaced_rolls() {
    let painters: [Painter; 7] = [
        rolls,
        |x, y, field| rolls(x, y, 2 * field),
        |x, y, field| rolls(x, y, 3 * field),
        rolls_over,
        |x, y, field| rolls_over(x, y, 500 - field),
        |x, y, field| rolls_over(x, y, 2 * field),
        |x, y, field| rolls_over(x, y, 3 * field),
    ];
    for paint in painters {
        expect_in_both_orders(Clip::new((0..60).collect()).painted(paint), Content::Interlaced, None);
    }
}

/// Text that rolls at the field rate over film does not hide the pattern of the film.
#[test]
fn rolls_over_film() {
    let painters: [Painter; 4] = [
        |x, y, field| if y < 40 && text(x, y + 1000 + field) { 200 } else { moving(x, y, film(field)) },
        |x, y, field| if y < 40 && text(x, y + 1000 + 2 * field) { 200 } else { moving(x, y, film(field)) },
        |x, y, field| if x < 40 && text(x, y + 1000 + 2 * field) { 200 } else { moving(x, y, film(field)) },
        |x, y, field| if text(x, y + 1000 + field) { 200 } else { moving(x, y, film(field)) },
    ];
    for paint in painters {
        in_both_orders(Clip::new((0..60).collect()).painted(paint), |clip, decisions| {
            decisions.iter().all(|decision| {
                let kind = (decision.content, decision.pulldown, decision.field_order);
                kind == (Content::Film, Some(Pulldown::P32), clip.order)
            })
        });
    }
}

/// Motion so fast that fields are uncorrelated: neither order combs less, but no frame is
/// progressive.
#[test]
fn uncorrelated_fields() {
    let painters: [Painter; 6] = [
        |x, y, field| still(x + 977 * field, y + 331 * field, 0),
        |x, y, field| still(x + 64 * field, y, 0),
        |x, y, field| noise(x, y + field),
        |x, y, field| noise((x + 16 * field) / 4, y / 4),
        |x, y, field| still(x + 16 * field, y, 0),
        |x, y, field| still(2 * (x + 16 * field), y, 0),
    ];
    for paint in painters {
        in_both_orders(Clip::new((0..60).collect()).painted(paint), |_, decisions| {
            decisions.iter().all(|decision| decision.content == Content::Interlaced)
        });
    }
}

/// All field pairs comb alike in an even pan; a rhythm of two fields is caused by rounding.
#[test]
fn even_pans() {
    let painters: [Painter; 6] = [
        |x, y, field| still(4 * x + field, 4 * y, 0),
        |x, y, field| still(4 * x + field, 2 * y, 0),
        |x, y, field| still(x + field, y, 0),
        |x, y, field| still(x + 2 * field, y, 0),
        |x, y, field| if field < 31 { still(4 * x + field, 2 * y, 0) } else { elsewhere(4 * x + field, 2 * y, 0) },
        |x, y, field| if field < 31 { still(x + 2 * field, y, 0) } else { elsewhere(x + 2 * field, y, 0) },
    ];
    for paint in painters {
        expect_in_both_orders(Clip::new((0..60).collect()).painted(paint), Content::Interlaced, None);
    }
}

/// A fade at the field rate of a still: rounding has rhythms like a pulldown pattern.
#[test]
fn fading_stills() {
    fn at(v: u8, level: usize, full: usize) -> u8 {
        (16 + (v as usize - 16) * level / full) as u8
    }
    let painters: [Painter; 7] = [
        |x, y, field| at(still(x, y, 0), field + 80, 160),
        |x, y, field| at(still(x, y, 0), field + 200, 280).saturating_add(noise(x / 4 + 100 * field, y) / 32),
        |x, y, field| at(100 + noise(x / 4, y / 4) / 16, field + 200, 280),
        |x, y, field| at(100 + noise(x / 4, y) / 16, field + 200, 280),
        |x, y, field| at(still(x, y, 0), field + 20, 120),
        |x, y, field| at(still(x, y, 0), 160 - field, 160),
        |x, y, field| at(still(x, y, 0), field, 80),
    ];
    for paint in painters {
        in_both_orders(Clip::new((0..80).collect()).painted(paint), |_, decisions| {
            decisions.iter().all(|decision| decision.content == Content::Interlaced)
        });
    }
    // The rounded levels have the rhythm of 3:2 itself, but all tiles change at the same fields.
    let paint: Painter = |x, y, field| (40 + (40 + still(x, y, 0) as usize / 16) * (field + 60) / 120) as u8;
    in_both_orders(Clip::new((0..60).collect()).painted(paint), |_, decisions| letters(decisions).starts_with(&"i".repeat(22)));
    let painters: [Painter; 2] =
        [|x, y, picture| at(moving(x, y, picture), picture, 32), |x, y, picture| at(still(x, y, 0), picture, 32)];
    for paint in painters {
        expect_in_both_orders(Clip::new(pattern(&[2, 3], 0, 32)).painted(paint), Content::Film, Some(Pulldown::P32));
        expect_in_both_orders(Clip::new(pattern(&[2], 0, 32)).painted(paint), Content::Progressive, Some(Pulldown::P22));
    }
}

/// 3:2 film that rolls by one line a picture has repeated lines in the wrong match: it may be
/// deinterlaced.
#[test]
fn film_that_rolls_by_a_line_is_never_woven_wrongly() {
    for paint in [rolls as Painter, rolls_over] {
        in_both_orders(Clip::new(pattern(&[2, 3], 0, 24)).painted(paint), |clip, decisions| woven(clip, decisions).1 == 0);
    }
}
