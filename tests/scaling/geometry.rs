//! Geometry, chroma conversion and filters against a reference that follows §13.9 and §13.10 pixel
//! by pixel.
use super::*;
use dndi::{Canvas, ConvolutionKernel, FilterWindow, Geometry, Mirror, PictureFilters, Rotation, Siting};

const DEPTHS: [u8; 6] = [8, 9, 10, 12, 14, 16];

fn at(grid: &Grid, x: i64, y: i64) -> i64 {
    let clamp = |v: i64, size: usize| v.clamp(0, size as i64 - 1) as usize;
    grid.data[clamp(y, grid.height) * grid.width + clamp(x, grid.width)]
}

fn grid(width: usize, height: usize, value: impl Fn(i64, i64) -> i64) -> Grid {
    let data = (0..height).flat_map(|y| (0..width).map(move |x| (x as i64, y as i64))).map(|(x, y)| value(x, y)).collect();
    Grid { width, height, data }
}

/// Chroma of twice the samples on one axis: `read(i)` is sample i of the axis.
fn up(x: i64, f: i64, read: impl Fn(i64) -> i64) -> i64 {
    let q = 8 * x - f;
    let (i, g) = (q.div_euclid(16), q.rem_euclid(16));
    (read(i) * (16 - g) + read(i + 1) * g + 8) >> 4
}

/// A chroma plane in another sampling, of the size `width`×`height`.
fn converted(plane: &Grid, (from, to): (Sampling, Sampling), size: (usize, usize), sitings: [Siting; 2]) -> Grid {
    let half = |sampling| match sampling {
        Sampling::C420 => (true, true),
        Sampling::C422 => (true, false),
        _ => (false, false),
    };
    let ((across, down), (to_across, to_down)) = (half(from), half(to));
    let [before, after] = sitings.map(|siting| (i64::from(siting.across), i64::from(siting.down)));
    let wide = match across && !to_across {
        true => grid(size.0, plane.height, |x, y| up(x, before.0, |i| at(plane, i, y))),
        false => grid(plane.width, plane.height, |x, y| at(plane, x, y)),
    };
    let tall = match down && !to_down {
        true => grid(wide.width, size.1, |x, y| up(y, before.1, |i| at(&wide, x, i))),
        false => wide,
    };
    let pair = |j: i64, f: i64, read: &dyn Fn(i64) -> i64| read(2 * j) * (8 - f) + read(2 * j + 1) * f;
    match (!across && to_across, !down && to_down) {
        (false, false) => tall,
        (true, false) => grid(size.0, size.1, |x, y| (pair(x, after.0, &|i| at(&tall, i, y)) + 4) >> 3),
        (false, true) => grid(size.0, size.1, |x, y| (pair(y, after.1, &|j| at(&tall, x, j)) + 4) >> 3),
        (true, true) => {
            let row = |x: i64, j: i64| pair(x, after.0, &|i| at(&tall, i, j));
            grid(size.0, size.1, |x, y| (pair(y, after.1, &|j| row(x, j)) + 32) >> 6)
        }
    }
}

fn rotated(plane: &Grid, rotation: Rotation) -> Grid {
    let (w, h) = (plane.width as i64, plane.height as i64);
    match rotation {
        Rotation::Quarter => grid(plane.height, plane.width, |x, y| at(plane, y, h - 1 - x)),
        Rotation::Half => grid(plane.width, plane.height, |x, y| at(plane, w - 1 - x, h - 1 - y)),
        _ => grid(plane.height, plane.width, |x, y| at(plane, w - 1 - y, x)),
    }
}

/// The planes of the output of `geometry` for pictures of `format`.
fn model(mut planes: Vec<Grid>, format: Format, location: ChromaLocation, geometry: &Geometry) -> Vec<Grid> {
    let (from, to) = (format.sampling, geometry.sampling.unwrap_or(format.sampling));
    let (width, height) = (planes[0].width, planes[0].height);
    if to != from {
        let size = to.chroma_size(width, height);
        let of = |sampling, location: ChromaLocation| match (sampling, location) {
            (Sampling::C420, ChromaLocation::Center) => Siting { across: 4, down: 4 },
            (Sampling::C420, ChromaLocation::Left) => Siting { across: 0, down: 4 },
            _ => Siting { across: 0, down: 0 },
        };
        let made = if from == Sampling::C422 { ChromaLocation::Left } else { ChromaLocation::Center };
        let sitings = [geometry.siting_in.unwrap_or(of(from, location)), geometry.siting_out.unwrap_or(of(to, made))];
        let luma = planes.remove(0);
        planes = match (from, to) {
            (_, Sampling::Mono) => vec![],
            (Sampling::Mono, _) => (0..2).map(|_| grid(size.0, size.1, |_, _| 1 << (format.depth - 1))).collect(),
            _ => planes.iter().map(|plane| converted(plane, (from, to), size, sitings)).collect(),
        };
        planes.insert(0, luma);
    }
    for plane in &mut planes {
        let (w, h) = (plane.width as i64, plane.height as i64);
        match geometry.mirror {
            Some(Mirror::Horizontal) => *plane = grid(plane.width, plane.height, |x, y| at(plane, w - 1 - x, y)),
            Some(_) => *plane = grid(plane.width, plane.height, |x, y| at(plane, x, h - 1 - y)),
            None => {}
        }
    }
    let mut size = (width, height);
    if let Some(rotation) = geometry.rotation {
        for (index, plane) in planes.iter_mut().enumerate() {
            let turned = |plane: &Grid| rotated(plane, rotation);
            *plane = match rotation {
                Rotation::Quarter | Rotation::ThreeQuarters if index > 0 && to == Sampling::C422 => {
                    let full = turned(&grid(width, height, |x, y| at(plane, x / 2, y)));
                    grid(full.width.div_ceil(2), full.height, |x, y| (at(&full, 2 * x, y) + at(&full, 2 * x + 1, y)) >> 1)
                }
                _ => turned(plane),
            };
        }
        if rotation != Rotation::Half {
            size = (height, width);
        }
    }
    let Some(canvas) = geometry.canvas else {
        assert_eq!((planes[0].width, planes[0].height), size);
        return planes;
    };
    let canvas_format = Format::new(canvas.width, canvas.height, to);
    let placed = planes.iter().enumerate().map(|(index, plane)| {
        let (width, height) = canvas_format.plane_size(index);
        let (across, down) = match (index, to) {
            (1.., Sampling::C420) => (2, 2),
            (1.., Sampling::C422) => (2, 1),
            (1.., Sampling::C411) => (4, 1),
            _ => (1, 1),
        };
        grid(width, height, |x, y| {
            let (x, y) = (x - i64::from(canvas.x) / across, y - i64::from(canvas.y) / down);
            let inside = (0..plane.width as i64).contains(&x) && (0..plane.height as i64).contains(&y);
            if inside { at(plane, x, y) } else { i64::from(canvas.fill[index]) << (format.depth - 8) }
        })
    });
    placed.collect()
}

/// A picture of any size, also below the width of a vector.
fn random_format(random: &mut Random, sampling: Sampling, depth: u8) -> Format {
    let mut size = || if random.once_in(4) { random.within(1..=9) } else { random.within(10..=170) } as usize;
    Format::new(size(), size(), sampling).with_depth(depth)
}

fn check_same(name: &str, got: &Frame, want: &[Grid]) {
    let got = grids(got);
    assert_eq!(got.len(), want.len(), "{name}");
    for (index, (got, want)) in got.iter().zip(want).enumerate() {
        assert_eq!((got.width, got.height), (want.width, want.height), "{name}, plane {index}");
        let differs = got.data.iter().zip(&want.data).position(|(a, b)| a != b);
        let place = differs.map(|i| (i % got.width, i / got.width, got.data[i], want.data[i]));
        assert_eq!(place, None, "{name}, plane {index}: column, line, value, expected");
    }
}

#[test]
fn random_geometry_is_that_of_the_model() {
    for seed in seeds(300) {
        let random = &mut Random::new(seed);
        let sampling = random.pick(&SAMPLINGS);
        let format = random_format(random, sampling, DEPTHS[seed as usize % DEPTHS.len()]);
        let mut geometry = Geometry::default();
        if random.once_in(2) {
            let to = if sampling == Sampling::C411 { Sampling::Mono } else { random.pick(&SAMPLINGS[..4]) };
            let mut siting = || {
                let set = random.once_in(2);
                set.then(|| Siting { across: random.within(0..=8) as u8, down: random.within(0..=8) as u8 })
            };
            geometry = geometry.sitings(siting(), siting()).sampling(to);
        }
        let to = geometry.sampling.unwrap_or(sampling);
        if random.once_in(2) {
            geometry = geometry.mirror(random.pick(&[Mirror::Horizontal, Mirror::Vertical]));
        }
        if random.once_in(2) {
            let turns = [Rotation::Half, Rotation::Quarter, Rotation::ThreeQuarters];
            geometry = geometry.rotation(random.pick(if to == Sampling::C411 { &turns[..1] } else { &turns }));
        }
        if random.once_in(2) {
            let mut offset = || random.within(-20..=40) / 4 * 4;
            let (x, y) = (offset(), offset());
            let canvas = Canvas::new(random.within(1..=200) as usize, random.within(1..=200) as usize, x, y);
            geometry = geometry.canvas(canvas.fill([random.within(0..=255) as u8, 0, 255]));
        }
        let frame = picture(random, format);
        let location = random.pick(&LOCATIONS);
        let level = random.pick(&SimdLevel::ALL);
        let builder = builder(format, Scan::Progressive).geometry(geometry).chroma_location(location);
        let builder = if level.is_supported() { builder.simd_level(level) } else { builder };
        let name = format!("seed {seed}, {format:?}, {location}, {geometry:?}");
        let out = process(&builder, &frame);
        assert_eq!(out.format(), builder.output_format(), "{name}");
        check_same(&name, &out, &model(grids(&frame), format, location, &geometry));
    }
}

#[test]
fn random_filters_are_those_of_the_model() {
    for seed in seeds(150) {
        let random = &mut Random::new(seed);
        let sampling = random.pick(&SAMPLINGS);
        let format = random_format(random, sampling, DEPTHS[seed as usize % DEPTHS.len()]);
        let all = random.once_in(2);
        let mut filters = PictureFilters::default().all_planes(all);
        let mut parameters = Parameters::default();
        if random.once_in(2) {
            let most = random.pick(&[1, 3, 5, 31]);
            let (width, height) = (random.within(1..=most) as usize, random.within(1..=most) as usize);
            let range = random.pick(&[100, 4096, 32767]);
            let coefficients = (0..width * height).map(|_| random.within(-range..=range) as i16).collect();
            filters = filters.convolve(ConvolutionKernel::new(width, coefficients).unwrap());
            parameters.convolve.scale_down = random.within(0..=10) as u8;
            parameters.convolve.coefficient_16 = random.once_in(2);
        }
        let mut window = || {
            let (width, height) = (random.within(1..=15) as usize, random.within(1..=15) as usize);
            if random.once_in(2) {
                return FilterWindow::new(width, height).unwrap();
            }
            let rows = (0..height).map(|_| random.within(0..=(1 << width) - 1) as u16);
            FilterWindow::with_mask(width, rows.collect()).unwrap()
        };
        let windows = [window(), window(), window()];
        let on = [0, 1, 2].map(|_| random.once_in(3));
        let [erode, dilate, extent] = [0, 1, 2].map(|i| on[i].then(|| windows[i].clone()));
        filters = filters.erode(erode).dilate(dilate).extent(extent);
        let frame = picture(random, format);
        let level = random.pick(&SimdLevel::ALL);
        let builder = builder(format, Scan::Progressive).filters(filters.clone()).parameters(parameters.clone());
        let builder = if level.is_supported() { builder.simd_level(level) } else { builder };
        let mut planes = grids(&frame);
        for plane in planes.iter_mut().take(if all { 3 } else { 1 }) {
            if let Some(kernel) = &filters.convolve {
                let ((w, h), p) = (kernel.size(), &parameters.convolve);
                let most = (1 << format.depth) - 1;
                *plane = grid(plane.width, plane.height, |x, y| {
                    let mut sum = 0;
                    for (index, &k) in kernel.coefficients().iter().enumerate() {
                        let (i, j) = ((index % w) as i64, (index / w) as i64);
                        let k = if p.coefficient_16 { i64::from(k) } else { i64::from(k).div_euclid(256) * 256 };
                        sum += k * at(plane, x + i - (w as i64 >> 1), y + j - (h as i64 >> 1));
                    }
                    ((sum >> 12) >> p.scale_down).clamp(0, most)
                });
            }
            for (index, window) in [&filters.erode, &filters.dilate, &filters.extent].into_iter().enumerate() {
                let Some(window) = window.as_ref().filter(|window| window.rows().iter().any(|row| *row > 0)) else { continue };
                let (w, h) = window.size();
                *plane = grid(plane.width, plane.height, |x, y| {
                    let taps = (0..h as i64).flat_map(|j| (0..w as i64).map(move |i| (i, j)));
                    let taps = taps.filter(|&(i, j)| window.rows()[j as usize] >> i & 1 == 1);
                    let samples: Vec<_> =
                        taps.map(|(i, j)| at(plane, x + i - (w as i64 >> 1), y + j - (h as i64 >> 1))).collect();
                    let (least, most) = (samples.iter().min().unwrap(), samples.iter().max().unwrap());
                    [*least, *most, most - least][index]
                });
            }
        }
        check_same(
            &format!("seed {seed}, {format:?}, {filters:?}, {:?}", parameters.convolve),
            &process(&builder, &frame),
            &planes,
        );
    }
}

/// Four quarter turns, and two mirrors, are the identity where chroma turns with luma.
#[test]
fn turns_come_back() {
    let random = &mut Random::new(5);
    for sampling in [Sampling::C420, Sampling::C444, Sampling::Mono] {
        let format = Format::new(45, 70, sampling);
        let frame = picture(random, format);
        let turn =
            |frame: &Frame, geometry: Geometry| process(&builder(frame.format(), Scan::Progressive).geometry(geometry), frame);
        let quarter = Geometry::default().rotation(Rotation::Quarter);
        let turned = (0..4).fold(frame.clone(), |frame, _| turn(&frame, quarter));
        assert_eq!(turned, frame);
        let half = turn(&turn(&frame, quarter), quarter);
        assert_eq!(half, turn(&frame, Geometry::default().rotation(Rotation::Half)));
        let both =
            turn(&turn(&frame, Geometry::default().mirror(Mirror::Vertical)), Geometry::default().mirror(Mirror::Horizontal));
        assert_eq!(half, both);
    }
}

/// The geometry composes with scaling and a lower depth, and streams reuse its frames.
#[test]
fn streams_with_geometry_reuse_frames() {
    let format = Format::new(64, 48, Sampling::C422).with_depth(10);
    let geometry = Geometry::default().sampling(Sampling::C420).rotation(Rotation::Quarter).canvas(Canvas::new(90, 90, -4, 6));
    let mut stream =
        Stream::builder(format, Scan::TopFirst).geometry(geometry).output_depth(8).scale(Scale::new(80, 40)).build().unwrap();
    assert_eq!(stream.output_format(), Format::new(90, 90, Sampling::C420));
    let mut count = 0;
    for seed in 0..4 {
        stream.push(&picture(&mut Random::new(seed), format).planes()).unwrap();
        while let Some(output) = stream.pull() {
            assert_eq!(output.frame.format(), stream.output_format());
            stream.recycle(output.frame);
            count += 1;
        }
    }
    assert!(count >= 6);
}

#[test]
fn impossible_geometry_is_an_error() {
    use dndi::{Error, GeometryError};
    let check = |sampling, scan, geometry| builder(Format::new(40, 20, sampling), scan).geometry(geometry).check();
    let error = |result: Result<(), Error>| match result {
        Err(Error::Geometry(error)) => Some(error),
        _ => None,
    };
    let plain = Geometry::default();
    let interlaced = |geometry| error(check(Sampling::C420, Scan::TopFirst, geometry));
    assert_eq!(interlaced(plain.mirror(Mirror::Horizontal)), None);
    assert_eq!(interlaced(plain.mirror(Mirror::Vertical)), Some(GeometryError::Fields));
    assert_eq!(interlaced(plain.rotation(Rotation::Half)), Some(GeometryError::Fields));
    assert_eq!(interlaced(plain.canvas(Canvas::new(40, 20, 0, 1))), Some(GeometryError::Canvas { across: 2, down: 2 }));
    let progressive = |sampling, geometry| error(check(sampling, Scan::Progressive, geometry));
    assert_eq!(progressive(Sampling::C411, plain.rotation(Rotation::Quarter)), Some(GeometryError::Turn411));
    assert_eq!(progressive(Sampling::C411, plain.sampling(Sampling::C420)), Some(GeometryError::Sampling));
    assert_eq!(progressive(Sampling::C411, plain.sampling(Sampling::Mono)), None);
    let siting = Siting { across: 9, down: 0 };
    assert_eq!(progressive(Sampling::C420, plain.sitings(siting, None)), Some(GeometryError::Siting));
    for (width, height) in [(0, 1), (1, 8193), (usize::MAX, 1)] {
        let canvas = plain.canvas(Canvas::new(width, height, 0, 0));
        assert!(matches!(check(Sampling::Mono, Scan::Progressive, canvas), Err(Error::OutputSize { .. })));
    }
    let odd = check(Sampling::Mono, Scan::TopFirst, plain.canvas(Canvas::new(8, 7, 0, 0)));
    assert!(matches!(odd, Err(Error::OutputSize { .. })));
}
