//! Maps of a step for inspection.
use super::*;

/// A stream for frames of [`moving`], which are large enough for motion vectors.
fn stream(denoise: bool) -> Stream {
    Stream::builder(Format::new(70, 42, Sampling::C420), Scan::BottomFirst)
        .deinterlacer(Deinterlacer::Gen6)
        .denoise(denoise)
        .build()
        .unwrap()
}

/// The lower half of the picture moves by three samples per field, the rest is static.
fn moving(number: usize) -> Frame {
    let format = Format::new(70, 42, Sampling::C420);
    let texture = |x: usize, y: usize| ((x * x * 7 + y * 13 + x * y) % 97 * 2) as u8 + 30;
    let luma = (0..70 * 42).map(|i| match (i % 70, i / 70) {
        (x, y) if y < 20 => texture(x / 3 + 100, y),
        // Each field shows its own time.
        (x, y) => {
            if ((x + y + 400 - 3 * (2 * number + 1 - y % 2)) / 9).is_multiple_of(2) {
                210
            } else {
                40
            }
        }
    });
    Frame::from_vec(format, luma.chain(std::iter::repeat(128)).take(format.samples()).collect())
}

/// The statistics are sums of the maps.
#[test]
fn sums_of_maps_equal_the_statistics() {
    for denoise in [true, false] {
        let mut stream = stream(denoise);
        let mut compensated = 0;
        for number in 0..6 {
            stream.push(&moving(number).planes()).unwrap();
            let sources: Vec<_> = std::iter::from_fn(|| stream.pull()).filter_map(|output| output.sources).collect();
            let (maps, statistics) = (stream.maps().unwrap().unwrap(), stream.statistics().unwrap().clone());
            assert_eq!((maps.step, maps.size, maps.pairs(), maps.blocks()), (number as u64, (70, 42), 35, 18));
            let sum = |plane: &[u8]| plane.iter().map(|&v| u64::from(v)).sum::<u64>();
            assert_eq!((sum(&maps.stmm), maps.stmm.len()), (statistics.stmm_sum, 35 * 42));
            assert_eq!((sum(&maps.history), maps.history.len()), (statistics.history_sum, if denoise { 18 * 11 } else { 0 }));
            // The statistics do not count blocks with few tears.
            let tears = |bit: u8| maps.tears.iter().filter(|&&flags| flags >> bit & 1 == 1).count() as u64;
            assert!((0..3).all(|bit| tears(bit) >= statistics.fmd_variances[8 + bit as usize]) && maps.tears.len() == 70 * 21);
            if number == 0 {
                assert!(maps.angle.is_empty() && maps.vectors.is_empty());
                continue;
            }
            assert!(
                maps.angle.len() == 35 * 42 && maps.angle.iter().all(|angle| [-5, -3, -2, -1, 0, 1, 2, 3, 5].contains(angle))
            );
            // A pair with a vector has one or two compensated pixels.
            let pairs = maps.vectors.iter().flatten().count() as u64;
            let pixels: u64 = sources.iter().map(|sources| sources.compensated).sum();
            assert!(pairs <= pixels && pixels <= 2 * pairs, "{pairs} {pixels}");
            compensated += pixels;
            if number > 2 {
                assert!(maps.stmm[35 * 24..].iter().any(|&v| v > 150), "the moving part");
                assert!(maps.angle.iter().any(|&angle| angle != 0), "edges");
                assert!(maps.vectors[..35 * 16].iter().all(Option::is_none), "the static part");
            }
        }
        assert!(compensated > 0);
    }
}

/// Calls of `maps` do not change the stream. After the flush the maps are those of the last step.
#[test]
fn maps_do_not_change_the_stream() {
    let [mut inspected, mut other] = [stream(true), stream(true)];
    assert_eq!(inspected.maps(), Ok(None));
    for number in 0..4 {
        for stream in [&mut inspected, &mut other] {
            stream.push(&moving(number).planes()).unwrap();
        }
        assert_eq!(inspected.maps(), inspected.maps());
        assert!(pull_all(&mut inspected) == pull_all(&mut other));
        assert_eq!(inspected.maps(), other.maps());
    }
    inspected.flush().unwrap();
    assert_eq!(inspected.maps(), other.maps());
    inspected.reset();
    assert_eq!(inspected.maps(), Ok(None));
}

#[test]
fn stages_that_are_off_have_no_maps() {
    let format = Format::new(70, 42, Sampling::C420);
    let maps = |builder: StreamBuilder| {
        let mut stream = builder.build().unwrap();
        stream.push(&moving(0).planes()).unwrap();
        stream.maps().unwrap()
    };
    let progressive = Stream::builder(format, Scan::Progressive);
    assert_eq!(maps(progressive.clone().denoise(false).statistics(false)), None);
    let history = maps(progressive).unwrap();
    assert!(history.stmm.is_empty() && history.angle.is_empty() && history.tears.is_empty() && history.history.len() == 18 * 11);
    let mut parameters = Parameters::default();
    parameters.compensation.mcdi_enable = false;
    let mut stream =
        Stream::builder(format, Scan::TopFirst).deinterlacer(Deinterlacer::Gen6).parameters(parameters).build().unwrap();
    for number in 0..2 {
        stream.push(&moving(number).planes()).unwrap();
        pull_all(&mut stream);
    }
    let maps = stream.maps().unwrap().unwrap();
    assert!(maps.vectors.is_empty() && !maps.angle.is_empty());
}

/// The vectors of `best` are those of its own block search, for both fields of the frame.
#[test]
fn vectors_of_best_follow_the_motion() {
    let format = Format::new(96, 64, Sampling::Mono);
    let texture = |x: f64, y: f64| {
        let waves = [(x / 5.3 + y / 7.1, 40.0), (x / 9.7 - y / 4.9, 40.0), (x / 3.1 + y / 13.0, 20.0)];
        (128.0 + waves.iter().map(|(phase, size)| size * phase.sin()).sum::<f64>()) as u8
    };
    for (scan, first) in [(Scan::TopFirst, 0), (Scan::BottomFirst, 1)] {
        let mut stream = Stream::builder(format, scan).deinterlacer(Deinterlacer::Best).denoise(false).build().unwrap();
        for number in 0..6 {
            // The texture moves by two samples to the right per field.
            let time = |y: usize| 2 * number + usize::from(y % 2 != first);
            let luma = (0..96 * 64).map(|i| texture((i % 96) as f64 - 2.0 * time(i / 96) as f64, (i / 96) as f64)).collect();
            stream.push(&Frame::from_vec(format, luma).planes()).unwrap();
            while stream.pull().is_some() {}
        }
        let vectors = stream.maps().unwrap().unwrap().vectors;
        for parity in 0..2 {
            let lines = vectors.chunks(48).skip(8 + parity).step_by(2).take(20);
            let (all, right) = lines.flat_map(|line| &line[12..36]).fold((0, 0), |(all, right), vector| {
                (all + usize::from(vector.is_some()), right + usize::from(*vector == Some((-2, 0))))
            });
            assert!(all > 300 && 10 * right > 9 * all, "{scan:?}, lines {parity}: {right} of {all}");
        }
    }
}
