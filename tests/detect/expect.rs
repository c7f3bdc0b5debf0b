//! What decisions about a clip must be.
use crate::clip::*;
use dndi::{FieldMatch, Content, Decision, FieldMatching, SimdLevel, Pulldown, Scan};

pub const FLAGS: [Option<Scan>; 4] = [None, Some(Scan::Progressive), Some(Scan::TopFirst), Some(Scan::BottomFirst)];

/// What woven fields have to do with each other: codes of each field, and how many are wrong (another picture) or missed (the same
/// picture beside it, but deinterlaced).
pub fn woven(clip: &Clip, decisions: &[Decision]) -> (Vec<FieldMatch>, usize, Vec<usize>) {
    let mut codes: Vec<FieldMatch> =
        decisions.iter().flat_map(|decision| [decision.cadence.prev2, decision.cadence.cur1]).skip(1).collect();
    codes.push(decisions.last().unwrap().end);
    let look = |field: usize| {
        let picture = clip.fields[field];
        (0..SIZE.1)
            .step_by(4)
            .flat_map(|y| (0..SIZE.0).step_by(3).map(move |x| (x, y)))
            .map(|(x, y)| (clip.look)(x, y, picture))
            .collect::<Vec<_>>()
    };
    let looks: Vec<_> = (0..codes.len()).map(look).collect();
    let alike = |a: usize, b: usize| looks[a] == looks[b];
    let (mut wrong, mut missed) = (0, vec![]);
    for (field, code) in codes.iter().enumerate() {
        let (before, after) = (field.checked_sub(1), Some(field + 1).filter(|&after| after < codes.len()));
        match code {
            FieldMatch::Previous => wrong += usize::from(!before.is_some_and(|before| alike(before, field))),
            FieldMatch::Next => wrong += usize::from(!after.is_some_and(|after| alike(after, field))),
            FieldMatch::Deinterlace => {
                if [before, after].into_iter().flatten().any(|other| alike(other, field)) {
                    missed.push(field);
                }
            }
        }
    }
    (codes, wrong, missed)
}

#[track_caller]
pub fn expect(clip: &Clip, content: Content, pulldown: Option<Pulldown>) {
    let frames = clip.frames();
    for flags in FLAGS {
        let decisions = decide(&frames, flags, FieldMatching::Pattern, SimdLevel::Portable);
        for decision in &decisions {
            assert_eq!((decision.content, decision.pulldown), (content, pulldown), "{flags:?}: frame {}", decision.frame);
            if content != Content::Progressive {
                assert_eq!(decision.top_first, clip.top_first, "{flags:?}: frame {}", decision.frame);
            }
        }
        let (_, wrong, missed) = woven(clip, &decisions);
        assert_eq!((wrong, missed), (0, vec![]), "{flags:?}");
        assert!(decisions.iter().flat_map(|decision| &decision.torn).all(|torn| torn.is_empty()), "{flags:?}");
    }
}

/// Fields that were deinterlaced though another one would have done, and none is woven with another picture.
#[track_caller]
pub fn nothing_wrong(clip: &Clip) -> Vec<usize> {
    let (_, wrong, missed) = woven(clip, &clip.decisions());
    assert_eq!(wrong, 0);
    missed
}

/// The longest run of fields that were missed.
pub fn longest(missed: &[usize]) -> usize {
    missed.chunk_by(|a, b| a + 1 == *b).map(<[usize]>::len).max().unwrap_or(0)
}

/// What each frame is: a letter for each, `p`rogressive, `i`nterlaced or `f`ilm.
pub fn letters(decisions: &[Decision]) -> String {
    let letter = |decision: &Decision| match decision.content {
        Content::Progressive => 'p',
        Content::Interlaced => 'i',
        Content::Film => 'f',
        _ => '?',
    };
    decisions.iter().map(letter).collect()
}

/// Asks `right` of the decisions about a clip in both field orders, whatever the flags.
#[track_caller]
pub fn in_both_orders(clip: Clip, right: impl Fn(&Clip, &[Decision]) -> bool) {
    for top_first in [true, false] {
        let clip = Clip { fields: clip.fields.clone(), top_first, ..clip };
        let frames = clip.frames();
        for flags in FLAGS {
            let decisions = decide(&frames, flags, FieldMatching::Pattern, SimdLevel::Portable);
            let (_, wrong, missed) = woven(&clip, &decisions);
            let found = letters(&decisions);
            assert!(right(&clip, &decisions), "top first {top_first}, {flags:?}: {found}, {wrong} wrong, missed {missed:?}");
        }
    }
}

/// [`expect`] in both field orders.
#[track_caller]
pub fn expect_in_both_orders(clip: Clip, content: Content, pulldown: Option<Pulldown>) {
    expect(&clip, content, pulldown);
    expect(&clip.bottom_first(), content, pulldown);
}
