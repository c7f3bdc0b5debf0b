//! The scene of the clips: a landscape with a house, in linear steps of R, G and B from 0 to 1.

/// Size of the pictures.
pub const SIZE: (usize, usize) = (192, 128);

/// A colour: R, G and B, 0…1.
pub type Color = [f64; 3];

/// The colour of pixel (x, y): the mean of 3×3 points.
pub fn pixel(x: usize, y: usize) -> Color {
    let mut sum = [0.0; 3];
    for (i, j) in (0..3).flat_map(|j| (0..3).map(move |i| (i, j))) {
        let point = point(x as f64 + (i as f64 + 0.5) / 3.0, y as f64 + (j as f64 + 0.5) / 3.0);
        sum.iter_mut().zip(point).for_each(|(sum, value)| *sum += value / 9.0);
    }
    sum
}

/// The colour of a point.
fn point(x: f64, y: f64) -> Color {
    let within =
        |left: f64, top: f64, width: f64, height: f64| (left..left + width).contains(&x) && (top..top + height).contains(&y);
    let distance = |cx: f64, cy: f64| ((x - cx) * (x - cx) + (y - cy) * (y - cy)).sqrt();
    // The house: a door, windows with bars, a wall of boards, and a roof of tiles.
    if within(126.0, 84.0, 12.0, 24.0) {
        return [0.45, 0.12, 0.10];
    }
    if within(102.0, 80.0, 16.0, 14.0) || within(146.0, 80.0, 16.0, 14.0) {
        let bar = (x - 110.0).abs() < 0.8 || (x - 154.0).abs() < 0.8 || (y - 87.0).abs() < 0.8;
        return if bar { [0.9, 0.9, 0.88] } else { [0.15, 0.22, 0.3] };
    }
    if within(94.0, 70.0, 76.0, 38.0) {
        let shade = if (y - 70.0) % 4.0 < 0.7 { 0.82 } else { 0.93 };
        return [shade, shade, shade * 0.97];
    }
    if (44.0..70.0).contains(&y) && (x - 132.0).abs() < (y - 44.0) * 1.6 + 4.0 {
        let tile = if (x + y * 0.5) % 6.0 < 1.0 || y % 5.0 < 1.0 { 0.75 } else { 1.0 };
        return [0.62 * tile, 0.2 * tile, 0.14 * tile];
    }
    // A ball in front, lit from the left.
    let ball = distance(44.0, 98.0);
    if ball < 17.0 {
        let light = 1.0 - distance(38.0, 91.0) / 30.0;
        return [0.15 + 0.75 * light, 0.1 + 0.2 * light, 0.2 + 0.55 * light];
    }
    // A meadow with rows, hills behind it, the sun, clouds and the sky.
    let hill = 66.0 + (x - 60.0) * (x - 60.0) / 400.0 - if x > 120.0 { (x - 120.0) * 0.5 } else { 0.0 };
    if y > 88.0 {
        let row = ((x - 96.0) * 40.0 / (y - 70.0)).rem_euclid(8.0) < 4.0;
        return if row { [0.24, 0.5, 0.16] } else { [0.3, 0.58, 0.2] };
    }
    if y > hill {
        let depth = (y - hill) / 60.0;
        return [0.22 + 0.1 * depth, 0.36 + 0.12 * depth, 0.3 - 0.1 * depth];
    }
    if distance(160.0, 20.0) < 11.0 {
        return [1.0, 0.93, 0.6];
    }
    let cloud = |cx: f64, cy: f64, size: f64| distance(cx, cy + (x - cx) * 0.1) < size;
    if cloud(40.0, 26.0, 10.0) || cloud(54.0, 22.0, 13.0) || cloud(70.0, 27.0, 9.0) {
        return [0.94, 0.95, 0.96];
    }
    let height = y / 90.0;
    [0.3 + 0.4 * height, 0.52 + 0.3 * height, 0.85 + 0.08 * height]
}
