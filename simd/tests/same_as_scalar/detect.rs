//! Kernels of the detector.
use super::check;
use dndi_simd::Tile;

#[test]
fn downsample4() {
    check("downsample4", |k, n, inputs, out| {
        let more = inputs.rng.within(0..4);
        let src = inputs.row(4 * n + more);
        out.take(n, 7u8, |dst| (k.downsample4)(dst, &src));
    });
}

#[test]
fn field_metrics() {
    check("field_metrics", |k, n, inputs, out| {
        let lines: [Vec<u8>; 10] = std::array::from_fn(|_| inputs.row(n));
        let [current, previous] = [0, 5].map(|first| std::array::from_fn(|y| lines[first + y].as_slice()));
        let mut tiles = vec![Tile::default(); n.div_ceil(16)];
        (k.field_metrics)(&mut tiles, current, previous);
        let unsigned =
            tiles.iter().flat_map(|tile| [tile.inside, tile.across[0], tile.across[1], tile.changed[0], tile.changed[1]]);
        let signed = tiles.iter().flat_map(|tile| {
            [tile.vertical_motion, tile.vertical_motion_across[0], tile.vertical_motion_across[1], tile.uncorrelated]
        });
        let sums: Vec<u32> = unsigned.chain(signed.map(|v| v as u32)).collect();
        out.take(sums.len(), 0u32, |out| out.copy_from_slice(&sums));
    });
}
