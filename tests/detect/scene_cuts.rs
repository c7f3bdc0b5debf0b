//! Scene cuts between different kinds of content: no field is woven by the pulldown pattern of the
//! other side.
use crate::clip::*;
use crate::expect::*;

/// The first picture after the cut.
const CUT: usize = 100;

/// Two shots that pan by `speeds` samples from picture to picture. A shot faster than 1 also sways,
/// like a hand-held camera.
fn shots(x: usize, y: usize, picture: usize, speeds: [usize; 2]) -> u8 {
    let sway = |n: usize, speed: usize| speed * n + if speed > 1 { [0, 1, 3, 4, 5, 5, 4, 3, 1, 0][n % 10] } else { 0 };
    match picture {
        ..CUT => still(x + sway(picture, speeds[0]), y, 0),
        _ => elsewhere(x + sway(picture - CUT, speeds[1]), y, 0),
    }
}

/// A pan that starts and stops again soon after the cut and starts anew later.
fn pauses(x: usize, y: usize, picture: usize) -> u8 {
    let step = |n: usize| [0, 0, 0, 3, 6, 8, 9, 10, 10, 10].get(n).copied().unwrap_or(n);
    if picture < CUT { still(x + 3 * picture, y, 0) } else { elsewhere(x + step(picture - CUT), y, 0) }
}

#[test]
fn between_video_and_film() {
    let painters: [Painter; 4] = [
        |x, y, picture| shots(x, y, picture, [3, 1]),
        |x, y, picture| shots(x, y, picture, [1, 3]),
        |x, y, picture| shots(x, y, picture, [2, 2]),
        pauses,
    ];
    for paint in painters {
        for (cadence, length) in [(&[2][..], 24), (&[3, 2], 40), (&[3, 2], 41), (&[3, 2, 2, 3], 35), (&[4, 2, 2, 2], 23)] {
            let film = |first: usize, length: usize| pattern(cadence, first, length)[..length].to_vec();
            let video = |first: usize, length: usize| Vec::from_iter(first..first + length);
            for fields in [[film(0, length), video(CUT, 41)], [video(0, length), film(CUT, 41)]] {
                in_both_orders(Clip::new(fields.concat()).painted(paint), |clip, decisions| woven(clip, decisions).1 == 0);
            }
        }
    }
}

/// A difference in height across the cut does not make the frame after it progressive.
#[test]
fn from_progressive_to_fields_of_another_shot() {
    let fields = [pattern(&[2], 0, 10), Vec::from_iter(CUT..CUT + 30)].concat();
    let painters: [Painter; 3] = [
        |x, y, picture| shots(x, y, picture, [1, 1]),
        |x, y, picture| still(x + picture, y + if picture < CUT { 3 } else { 0 }, 0),
        |x, y, picture| still(x + picture + picture / CUT * 20, y + if picture < CUT { 0 } else { 2 }, 0),
    ];
    for paint in painters {
        in_both_orders(Clip::new(fields.clone()).painted(paint), |clip, decisions| woven(clip, decisions).1 == 0);
    }
}

/// Film whose phase changes at a cut is close to a blend of two pictures in a window across it. It
/// stays film.
#[test]
fn film_across_a_cut_is_not_blended() {
    let both = |x: usize, y: usize, picture: usize| {
        if picture < 1000 { moving(x, y, picture) } else { elsewhere(x, y, picture - 1000) }
    };
    for phase in 0..5 {
        let fields = [pattern(&[2, 3], 0, 16), pattern(&[2, 3], 1000, 34)[phase..].to_vec()].concat();
        let mut detector = detector().seek_blends(true).build().unwrap();
        let clip = Clip::new(fields).painted(both);
        clip.frames().iter().for_each(|frame| detector.push(frame.planes()[0], None).unwrap());
        detector.finish();
        let found = letters(&std::iter::from_fn(|| detector.pull()).collect::<Vec<_>>());
        assert!(found.chars().all(|letter| letter == 'f'), "{phase}: {found}");
    }
}
