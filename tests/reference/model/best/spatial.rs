//! §15.2: the spatial picture of a field.

use super::super::balanced::fields::Fields;
use super::group;
use crate::model::Network;
use crate::model::picture::Plane;

/// S(t).
pub fn picture(fields: &Fields, t: i32, is_luma: bool, network: &Network) -> Plane {
    let &Plane { width, height, depth, .. } = fields.frame(t);
    Plane::from_fn(width, height, true, depth, |x, y| {
        if y & 1 == fields.parity(t) {
            return fields.at(t, x, y);
        }
        sample(fields, t, (x, y), is_luma, network)
    })
}

/// A missing sample of S(t). `network` is that of the luma.
pub fn sample(fields: &Fields, t: i32, (x, y): (i32, i32), is_luma: bool, network: &Network) -> i32 {
    let value = if is_luma { luma(fields, t, x, y, network) } else { chroma(fields, t, x, y) };
    value.clamp(0, (1 << fields.frame(t).depth) - 1)
}

/// The network of the luma.
pub fn network() -> Network {
    Network::parse(include_str!("../../../../src/deinterlace/networks/best_spatial.txt"))
}

fn luma(fields: &Fields, t: i32, x: i32, y: i32, network: &Network) -> i32 {
    let depth = fields.frame(t).depth;
    let u = depth - 8 - (depth - 8).min(4);
    let m = (fields.at(t, x, y - 1) + fields.at(t, x, y + 1) + 1) >> 1;
    if is_flat(fields, t, x, y) {
        return m;
    }
    let mut inputs = vec![];
    for (line, reach) in [(-3, 2), (-1, 4), (1, 4), (3, 2)] {
        for column in -reach..=reach {
            inputs.push((fields.at(t, x + column, y + line) >> u) - (m >> u));
        }
    }
    m + network.correction(&inputs, depth)
}

/// Whether the group of a missing luma sample is flat.
fn is_flat(fields: &Fields, t: i32, x: i32, y: i32) -> bool {
    let &Plane { width, depth, .. } = fields.frame(t);
    let difference = |x: i32| (fields.at(t, x, y - 1) - fields.at(t, x, y + 1)).abs();
    group(x, width).all(|x| difference(x) < 6 << (depth - 8))
}

/// The s of §14.2.
fn chroma(fields: &Fields, t: i32, x: i32, y: i32) -> i32 {
    let line = |k: i32| fields.at(t, x, y + k);
    (5077 * (line(-1) + line(1)) - 981 * (line(-3) + line(3))) >> 13
}
