//! Comb masks of woven film: where they mark tiles, and where they must not.
use crate::clip::*;
use crate::expect::*;
use dndi::{Content, Decision, Pulldown};

/// Fields that are woven with a different picture, or deinterlaced although a neighbour shows the
/// same one.
fn mistakes(decisions: &[Decision]) -> usize {
    let shown = Clip::new((0..2 * decisions.len()).map(film).collect());
    let (_, wrong, missed) = woven(&shown, decisions);
    wrong + missed.len()
}

fn is_film(decision: &Decision) -> bool {
    (decision.content, decision.pulldown) == (Content::Film, Some(Pulldown::P32))
}

/// Motion in the middle columns.
fn smooth(x: usize, y: usize, picture: usize) -> u8 {
    let moved = if (40..120).contains(&x) { 8 * picture } else { 0 };
    (still(x + moved, y, 0) as usize * 3 / 4 + 30) as u8
}

/// The same with stripes one line high, which comb in a progressive picture.
fn fine(x: usize, y: usize, picture: usize) -> u8 {
    let moved = if (40..120).contains(&x) { 8 * picture } else { 0 };
    (still(x + moved, y, 0) as usize * 3 / 4 + 20 + 24 * (y % 2)) as u8
}

/// A field of film with different noise in each frame, as a codec makes it: most where the film
/// moves.
fn coded(paint: Painter, x: usize, y: usize, field: usize) -> u8 {
    let strong = if (40..120).contains(&x) { 8 } else { 1 };
    let noise = noise(x / 4 + 1000 * (field / 2), y) as usize * strong / 128;
    paint(x, y, film(field)).saturating_add(noise as u8)
}

/// A line of text that moves with each field.
fn crawls(x: usize, y: usize, field: usize) -> Option<u8> {
    (64..80).contains(&y).then(|| if ((x + 4 * field) / 6).is_multiple_of(3) { 235 } else { 16 })
}

#[test]
fn coding_noise_is_not_marked() {
    let painters: [Painter; 2] = [|x, y, field| coded(fine, x, y, field), |x, y, field| coded(smooth, x, y, field)];
    for paint in painters {
        in_both_orders(Clip::new((0..80).collect()).painted(paint), |_, decisions| {
            let is_marked = decisions.iter().flat_map(|decision| &decision.matches.comb_masks).any(|mask| !mask.is_empty());
            decisions.iter().all(is_film) && !is_marked && mistakes(decisions) == 0
        });
    }
}

/// A text crawl at the field rate is marked, with the tiles around it and no others, in either
/// order and over different film.
#[test]
fn a_crawl_is_marked() {
    let painters: [Painter; 3] = [
        |x, y, field| crawls(x, y, field).unwrap_or(moving(x, y, film(field))),
        |x, y, field| crawls(x, y, field).unwrap_or(noisy(x, y, film(field))),
        |x, y, field| crawls(x, y, field).unwrap_or(still(x + 4 * film(field), y, 0)),
    ];
    for paint in painters {
        in_both_orders(Clip::new((0..80).collect()).painted(paint), |clip, decisions| {
            let is_right = |decision: &Decision| {
                decision.matches.comb_masks.iter().all(|mask| {
                    let is_marked = |y: usize| (0..SIZE.0).all(|x| mask.contains(x, y));
                    (62..82).all(is_marked) && !(0..56).any(|y| (0..SIZE.0).any(|x| mask.contains(x, y)))
                })
            };
            decisions.iter().all(|decision| is_film(decision) && decision.field_order == clip.order)
                && decisions[3..decisions.len() - 3].iter().all(is_right)
        });
    }
}
