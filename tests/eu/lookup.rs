//! The example of a kernel that samples textures.
#[allow(dead_code)]
#[path = "../../examples/color_lookup.rs"]
mod color_lookup;

use color_lookup::{GAMMA, TABLE, by_messages, picture, plainly, table};

#[test]
fn a_kernel_gives_the_pixels_of_plain_loops() {
    let (pixels, table) = (picture(), table());
    let plain: Vec<_> = pixels.iter().map(|pixel| plainly(*pixel, &table, GAMMA)).collect();
    for seed in [None, Some(1), Some(2)] {
        let (found, report) = by_messages(&pixels, &table, GAMMA, seed).unwrap();
        assert_eq!((report.ended, &report.errors[..]), (64, &[][..]));
        assert!(found == plain, "order {seed:?}");
    }
    let changed = pixels.iter().zip(&plain).filter(|(pixel, plain)| pixel != plain).count();
    assert!(changed > pixels.len() / 2, "{changed}");
    // An exponent and a table that change nothing.
    let identity = |n: usize| {
        let [r, g, b] = [n % TABLE, n / TABLE % TABLE, n / TABLE / TABLE].map(|i| i as f32 / (TABLE - 1) as f32);
        [r, g, b, 1.0]
    };
    let identity: Vec<_> = (0..TABLE * TABLE * TABLE).map(identity).collect();
    assert!(by_messages(&pixels, &identity, 1.0, None).unwrap().0 == pixels);
}
