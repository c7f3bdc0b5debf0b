//! Where woven film tears, and where it only seems to.
use crate::clip::*;
use crate::expect::*;
use dndi::{Content, Decision, Pulldown};

/// How many fields are woven with another picture, or not at all though their own is beside them. -1 if it is not all film.
fn mistakes(decisions: &[Decision]) -> usize {
    let shown = Clip::new((0..2 * decisions.len()).map(film).collect());
    let (_, wrong, missed) = woven(&shown, decisions);
    wrong + missed.len()
}

fn is_film(decision: &Decision) -> bool {
    (decision.content, decision.pulldown) == (Content::Film, Some(Pulldown::P32))
}

/// Moves in the middle.
fn smooth(x: usize, y: usize, picture: usize) -> u8 {
    let moved = if (40..120).contains(&x) { 8 * picture } else { 0 };
    (still(x + moved, y, 0) as usize * 3 / 4 + 30) as u8
}

/// The same with detail that combs by itself.
fn fine(x: usize, y: usize, picture: usize) -> u8 {
    let moved = if (40..120).contains(&x) { 8 * picture } else { 0 };
    (still(x + moved, y, 0) as usize * 3 / 4 + 20 + 24 * (y % 2)) as u8
}

/// A field of film with noise of the frame that it lies in.
fn coded(look: fn(usize, usize, usize) -> u8, x: usize, y: usize, field: usize) -> u8 {
    let strong = if (40..120).contains(&x) { 8 } else { 1 };
    let noise = noise(x / 4 + 1000 * (field / 2), y) as usize * strong / 128;
    look(x, y, film(field)).saturating_add(noise as u8)
}

/// A line of text that moves with each field.
fn crawls(x: usize, y: usize, field: usize) -> Option<u8> {
    (64..80).contains(&y).then(|| if ((x + 4 * field) / 6).is_multiple_of(3) { 235 } else { 16 })
}

/// What codecs leave: fields that repeat others differ, most where the film moves.
#[test]
fn noise_does_not_tear() {
    for look in
        [(|x, y, field| coded(fine, x, y, field)) as fn(usize, usize, usize) -> u8, |x, y, field| coded(smooth, x, y, field)]
    {
        in_both_orders(Clip::new((0..80).collect()).look(look), |_, decisions| {
            let torn = decisions.iter().flat_map(|decision| &decision.torn).any(|torn| !torn.is_empty());
            decisions.iter().all(is_film) && !torn && mistakes(decisions) == 0
        });
    }
}

/// A crawl at the rate of fields tears where it is and around it, in either order and however the film looks.
#[test]
fn a_crawl_tears_where_it_is() {
    let looks: [fn(usize, usize, usize) -> u8; 3] = [
        |x, y, field| crawls(x, y, field).unwrap_or(moving(x, y, film(field))),
        |x, y, field| crawls(x, y, field).unwrap_or(noisy(x, y, film(field))),
        |x, y, field| crawls(x, y, field).unwrap_or(still(x + 4 * film(field), y, 0)),
    ];
    for look in looks {
        in_both_orders(Clip::new((0..80).collect()).look(look), |clip, decisions| {
            let right = |decision: &Decision| {
                decision.torn.iter().all(|torn| {
                    let whole = |y: usize| (0..SIZE.0).all(|x| torn.contains(x, y));
                    (62..82).all(whole) && !(0..56).any(|y| (0..SIZE.0).any(|x| torn.contains(x, y)))
                })
            };
            decisions.iter().all(|decision| is_film(decision) && decision.top_first == clip.top_first)
                && decisions[3..decisions.len() - 3].iter().all(right)
        });
    }
}
