//! Requirements on the decisions about a clip.
use crate::clip::*;
use dndi::{Content, Decision, FieldMatch, FieldMatching, FieldOrder, Pulldown, Scan, SimdLevel};

/// All flags that a frame can have.
pub const FLAGS: [Option<Scan>; 4] = [None, Some(Scan::Progressive), Some(Scan::TopFirst), Some(Scan::BottomFirst)];

/// Both field orders.
pub const ORDERS: [FieldOrder; 2] = [FieldOrder::TopFirst, FieldOrder::BottomFirst];

/// Compares the matches with the clip. Returns the match of each field, the number of wrong matches
/// (the other field shows a different picture), and the missed fields (deinterlaced although a
/// neighbour shows the same picture).
pub fn woven(clip: &Clip, decisions: &[Decision]) -> (Vec<FieldMatch>, usize, Vec<usize>) {
    let steps = decisions.iter().map(|decision| decision.matches.step);
    let mut matches: Vec<FieldMatch> = steps.flat_map(|step| [step.second_of_previous, step.first_of_current]).skip(1).collect();
    matches.push(decisions.last().unwrap().matches.final_match);
    let picture = |field: usize| {
        let picture = clip.fields[field];
        (0..SIZE.1)
            .step_by(4)
            .flat_map(|y| (0..SIZE.0).step_by(3).map(move |x| (x, y)))
            .map(|(x, y)| (clip.paint)(x, y, picture))
            .collect::<Vec<_>>()
    };
    let pictures: Vec<_> = (0..matches.len()).map(picture).collect();
    let is_same = |a: usize, b: usize| pictures[a] == pictures[b];
    let (mut wrong, mut missed) = (0, vec![]);
    for (field, field_match) in matches.iter().enumerate() {
        let (before, after) = (field.checked_sub(1), Some(field + 1).filter(|&after| after < matches.len()));
        match field_match {
            FieldMatch::Previous => wrong += usize::from(!before.is_some_and(|before| is_same(before, field))),
            FieldMatch::Next => wrong += usize::from(!after.is_some_and(|after| is_same(after, field))),
            FieldMatch::Deinterlace => {
                if [before, after].into_iter().flatten().any(|other| is_same(other, field)) {
                    missed.push(field);
                }
            }
        }
    }
    (matches, wrong, missed)
}

/// Requires, whatever the flags: this content and pulldown in every frame, the right field order
/// unless progressive, and all fields woven rightly with empty comb masks.
#[track_caller]
pub fn expect(clip: &Clip, content: Content, pulldown: Option<Pulldown>) {
    let frames = clip.frames();
    for flags in FLAGS {
        let decisions = decide(&frames, flags, FieldMatching::Pattern, SimdLevel::Portable);
        for decision in &decisions {
            assert_eq!((decision.content, decision.pulldown), (content, pulldown), "{flags:?}: frame {}", decision.frame);
            if content != Content::Progressive {
                assert_eq!(decision.field_order, clip.order, "{flags:?}: frame {}", decision.frame);
            }
        }
        let (_, wrong, missed) = woven(clip, &decisions);
        assert_eq!((wrong, missed), (0, vec![]), "{flags:?}");
        assert!(decisions.iter().flat_map(|decision| &decision.matches.comb_masks).all(|mask| mask.is_empty()), "{flags:?}");
    }
}

/// Requires that no field is woven with another picture; returns the missed fields.
#[track_caller]
pub fn nothing_wrong(clip: &Clip) -> Vec<usize> {
    let (_, wrong, missed) = woven(clip, &clip.decisions());
    assert_eq!(wrong, 0);
    missed
}

/// Length of the longest run of missed fields.
pub fn longest(missed: &[usize]) -> usize {
    missed.chunk_by(|a, b| a + 1 == *b).map(<[usize]>::len).max().unwrap_or(0)
}

/// The content of the frames, one letter each: `p`rogressive, `i`nterlaced or `f`ilm.
pub fn letters(decisions: &[Decision]) -> String {
    let letter = |decision: &Decision| match decision.content {
        Content::Progressive => 'p',
        Content::Interlaced => 'i',
        Content::Film => 'f',
        _ => '?',
    };
    decisions.iter().map(letter).collect()
}

/// Requires `is_right` of the decisions about a clip in both field orders, whatever the flags.
#[track_caller]
pub fn in_both_orders(clip: Clip, is_right: impl Fn(&Clip, &[Decision]) -> bool) {
    for order in ORDERS {
        let clip = Clip { fields: clip.fields.clone(), order, ..clip };
        let frames = clip.frames();
        for flags in FLAGS {
            let decisions = decide(&frames, flags, FieldMatching::Pattern, SimdLevel::Portable);
            let (_, wrong, missed) = woven(&clip, &decisions);
            let found = letters(&decisions);
            assert!(is_right(&clip, &decisions), "{order}, {flags:?}: {found}, {wrong} wrong, missed {missed:?}");
        }
    }
}

/// [`expect`] in both field orders.
#[track_caller]
pub fn expect_in_both_orders(clip: Clip, content: Content, pulldown: Option<Pulldown>) {
    expect(&clip, content, pulldown);
    expect(&clip.bottom_first(), content, pulldown);
}
