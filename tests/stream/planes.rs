//! Planes of the caller: input that is borrowed and output that is filled.
use super::*;

#[test]
fn recycled_frames_do_not_change_outputs() {
    for sampling in SAMPLINGS {
        for chroma in CHROMA {
            let builder = interlaced(sampling).chroma(chroma);
            let expected = run(&mut builder.clone().build().unwrap(), 4);
            let mut stream = builder.build().unwrap();
            let mut outputs = vec![];
            let dirty = |format: Format| Frame::from_vec(format, vec![0xa5; format.samples()]);
            for number in 0..=4 {
                if number < 4 {
                    push(&mut stream, number).unwrap()
                } else {
                    stream.flush().unwrap()
                }
                while let Some(output) = stream.pull() {
                    outputs.push((output.field_time, output.frame));
                    // Frames of other formats, then more frames than the stream keeps.
                    stream.recycle(dirty(Format::new(20, 14, stream.output_format().sampling)));
                    stream.recycle(Frame::default());
                    (0..3).for_each(|_| stream.recycle(dirty(stream.output_format())));
                }
            }
            assert!(outputs == expected, "{sampling:?} to {chroma:?}");
        }
    }
}

#[test]
fn planes_may_be_part_of_larger_ones() {
    for sampling in SAMPLINGS {
        let expected = run(&mut interlaced(sampling).build().unwrap(), 2);
        let mut stream = interlaced(sampling).build().unwrap();
        let format = stream.input_format();
        let mut outputs = vec![];
        for number in 0..2 {
            let frame = frame(format, number);
            // The last row has no padding.
            let wide = [0, 1, 2].map(|i| {
                let (width, height) = format.plane_size(i);
                let mut data = vec![0x77; (width + 3 + i) * height];
                let rows = data.chunks_mut(width + 3 + i).zip(frame.plane(i).chunks(width.max(1)));
                rows.for_each(|(to, from)| to[..width].copy_from_slice(from));
                data.truncate(data.len().saturating_sub(3 + i));
                data
            });
            let planes = [0, 1, 2].map(|i| PlaneRef::new(&wide[i][..], format.plane_size(i).0 + 3 + i));
            stream.push(&planes).unwrap();
            outputs.extend(pull_all(&mut stream));
        }
        stream.flush().unwrap();
        outputs.extend(pull_all(&mut stream));
        assert!(outputs == expected, "{sampling:?}");
    }
}

#[test]
fn planes_that_are_too_small_are_named() {
    let mut stream = interlaced(Sampling::C420).build().unwrap();
    let frame = frame(stream.input_format(), 0);
    for (index, size, len, stride) in [
        (0, (20, 12), 239, 20),
        (0, (20, 12), 240, 19),
        (0, (20, 12), 0, 20),
        (0, (20, 12), 240, 21),
        (1, (10, 6), 59, 10),
        (2, (10, 6), 60, 9),
        (2, (10, 6), 60, 0),
        (2, (10, 6), 60, usize::MAX),
    ] {
        let mut planes = frame.planes().to_vec();
        planes[index] = PlaneRef::new(&frame.plane(0)[..len], stride);
        let error = stream.push(&planes[..]).unwrap_err();
        assert_eq!(error, Error::Plane { index, samples: len, bytes: 1, stride, size, needed_bytes: 1 });
        let needed = format!("{}x{} samples", size.0, size.1);
        let message = match len {
            0 => format!("plane {index} is missing or empty; it must hold {needed}"),
            _ => format!("plane {index}: {len} samples of 1 bytes at stride {stride} do not hold {needed} of 1 bytes"),
        };
        assert_eq!(error.to_string(), message);
    }
    // A refused frame is no step.
    assert_eq!((stream.pull(), stream.statistics()), (None, None));
    assert!(run(&mut stream, 2) == run(&mut interlaced(Sampling::C420).build().unwrap(), 2));
}

#[test]
fn mono_needs_no_chroma_planes() {
    let mut stream = interlaced(Sampling::Mono).build().unwrap();
    let luma = frame(stream.input_format(), 0);
    let none = PlaneRef::new(&[0u8; 0][..], 0);
    stream.push(&[luma.planes()[0], none, none]).unwrap();
    let mut out = [9; 240];
    let [mut u, mut v] = [[9; 4]; 2];
    let mut planes = [&mut out[..], &mut u, &mut v].map(|data| PlaneMut::new(data, 20));
    assert_eq!(pull_into(&mut stream, &mut planes), Ok(Some(0)));
    assert_eq!([u, v], [[9; 4]; 2]);
    let expected = run(&mut interlaced(Sampling::Mono).build().unwrap(), 1);
    assert_eq!(out, *expected[0].1.data());
    // The luma plane alone is enough.
    let mut stream = interlaced(Sampling::Mono).build().unwrap();
    stream.push(&[luma.planes()[0]]).unwrap();
    assert_eq!(pull_into(&mut stream, &mut [PlaneMut::new(&mut out[..], 20)]), Ok(Some(0)));
    assert_eq!(out, *expected[0].1.data());
}

pub fn planes_mut([luma, u, v]: &mut [Vec<u8>; 3], strides: [usize; 3]) -> [PlaneMut<'_>; 3] {
    [PlaneMut::new(&mut luma[..], strides[0]), PlaneMut::new(&mut u[..], strides[1]), PlaneMut::new(&mut v[..], strides[2])]
}

/// Bytes beside and below the picture do not change.
#[test]
fn frames_are_pulled_into_larger_planes() {
    for sampling in SAMPLINGS {
        let outputs = run(&mut interlaced(sampling).build().unwrap(), 3);
        let mut stream = interlaced(sampling).build().unwrap();
        let format = stream.output_format();
        let sizes = [0, 1, 2].map(|i| format.plane_size(i));
        let strides = [0, 1, 2].map(|i| sizes[i].0 + i);
        let mut expected = outputs.iter();
        for number in 0..=3 {
            if number < 3 {
                push(&mut stream, number).unwrap()
            } else {
                stream.flush().unwrap()
            }
            loop {
                let mut memory = [0, 1, 2].map(|i| vec![0xcd; strides[i] * (sizes[i].1 + 1)]);
                let Some(time) = pull_into(&mut stream, &mut planes_mut(&mut memory, strides)).unwrap() else { break };
                let (expected_time, frame) = expected.next().unwrap();
                assert_eq!(time, *expected_time);
                for (i, (width, height)) in sizes.into_iter().enumerate() {
                    for (y, row) in memory[i].chunks(strides[i].max(1)).enumerate() {
                        let (inside, beside) = row.split_at(if y < height { width } else { 0 });
                        assert!(y >= height || *inside == frame.plane(i)[y * width..][..width], "{sampling:?} plane {i} row {y}");
                        assert!(beside.iter().all(|&byte| byte == 0xcd), "{sampling:?} beside plane {i} row {y}");
                    }
                }
            }
        }
        assert_eq!(expected.next(), None);
    }
}

#[test]
fn an_output_can_be_pulled_again_after_an_error() {
    let mut stream = interlaced(Sampling::C422).build().unwrap();
    let pull = |stream: &mut Stream, lens: [usize; 3], strides: [usize; 3]| {
        let mut memory = lens.map(|len| vec![0xcd; len]);
        let pulled = pull_into(stream, &mut planes_mut(&mut memory, strides));
        assert!(
            matches!(pulled, Ok(Some(_))) || memory.iter().flatten().all(|&byte| byte == 0xcd),
            "an error, but samples were written"
        );
        pulled
    };
    assert_eq!(pull(&mut stream, [0; 3], [0; 3]), Ok(None));
    push(&mut stream, 0).unwrap();
    for (index, len, stride) in
        [(0, 0, 20), (0, 239, 20), (0, 240, 19), (0, 240, 0), (0, 240, usize::MAX), (1, 119, 10), (2, 120, 9), (2, 120, 0)]
    {
        let (mut lens, mut strides) = ([240, 120, 120], [20, 10, 10]);
        (lens[index], strides[index]) = (len, stride);
        let size = if index == 0 { (20, 12) } else { (10, 12) };
        assert_eq!(
            pull(&mut stream, lens, strides),
            Err(Error::Plane { index, samples: len, bytes: 1, stride, size, needed_bytes: 1 })
        );
    }
    assert_eq!(push(&mut stream, 1), Err(Error::OutputWaiting));
    assert_eq!(pull(&mut stream, [240, 120, 120], [20, 10, 10]), Ok(Some(0)));
    assert_eq!(pull(&mut stream, [240, 120, 120], [20, 10, 10]), Ok(None));
}
