//! Randomly changed streams.
use super::broken::{end, small_stream};
use super::*;

/// xorshift64*.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % n
    }
}

const PIECES: [&[u8]; 37] = [
    b" ",
    b"\n",
    b"\0",
    b"\xff",
    b":",
    b"FRAME",
    b"FRAME\n",
    b"FRAME I",
    b" Itpp",
    b" I1",
    b"YUV4MPEG2",
    b"YUV4MPEG2 ",
    b" W",
    b" W1",
    b" W8192",
    b" H8192",
    b" H65536",
    b" W99999999999999999999",
    b" F",
    b" F0:0",
    b" F2147483648:1",
    b" F4294967295:2",
    b" Ip",
    b" It",
    b" Im",
    b" I?",
    b" C",
    b" C411",
    b" C422",
    b" C444",
    b" Cmono",
    b" C420p10",
    b" C422p11",
    b" C444p16",
    b" Cmono12",
    b" XYSCSS=411",
    b" XYSCSS=\xff",
];

/// `stream` with one to six changes.
fn mutated(stream: &[u8], random: &mut Random) -> Vec<u8> {
    let mut stream = stream.to_vec();
    for _ in 0..1 + random.below(6) {
        // Half of the changes are in the header.
        let end = if random.below(2) == 0 { stream.len() + 1 } else { (stream.len() + 1).min(70) };
        let at = random.below(end);
        match random.below(7) {
            0 => stream.truncate(at),
            1 => drop(stream.drain(at..(at + 1 + random.below(40)).min(stream.len()).max(at))),
            2 if at < stream.len() => stream[at] ^= 1 << random.below(8),
            3 if at < stream.len() => stream[at] = random.below(256) as u8,
            4 => {
                let copy = stream[at..(at + random.below(40)).min(stream.len())].to_vec();
                stream.splice(at..at, copy);
            }
            _ => drop(stream.splice(at..at, PIECES[random.below(PIECES.len())].iter().copied())),
        }
    }
    stream
}

#[test]
fn random_streams_are_read_or_refused() {
    let mut streams: Vec<_> = STREAMS.iter().map(|(name, ..)| sample(name)).collect();
    streams.push(small_stream());
    streams.push(b"YUV4MPEG2 W1 H1 Cmono\nFRAME\n1FRAME Ibpp\n2FRAME\n3".to_vec());
    streams.push(b"YUV4MPEG2 W2 H2 F2147483648:2 It XYSCSS=422\nFRAME\n12345678".to_vec());
    let words = sample("420p10");
    streams.push([&words[..], &words[words.len() - 48 - "FRAME\n".len()..]].concat());
    streams.push(sample("422p16"));
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut counts = std::collections::BTreeMap::<String, u32>::new();
    for round in 0..60_000 {
        let stream = mutated(&streams[round % streams.len()], &mut random);
        let step = 1 + random.below(100);
        let text = |error: &Option<Error>| error.as_ref().map(|error| error.to_string());
        let (count, error) = end(&stream[..], true);
        let kind = format!("{error:?}").split([' ', '{']).next().unwrap().to_string();
        *counts.entry(kind).or_default() += 1;
        assert!(text(&error).is_none_or(|text| !text.contains(|c: char| c.is_control()) && text.len() < 300), "round {round}");

        let Ok((header, frames, read_error)) = read(&stream[..]) else {
            assert!(count == 0 && Reader::new(Drip::new(&stream, step)).is_err(), "round {round}");
            continue;
        };
        assert_eq!((frames.len() as u64, text(&read_error)), (count, text(&error)), "round {round}");
        let (dripped, drip_error) = end(Drip::new(&stream, step), false);
        assert_eq!((dripped, drip_error.is_some()), (count, error.is_some()), "round {round}");

        // A written stream is read with the same result; a valid stream is written unchanged,
        // unless words are above the greatest value of their depth.
        let written = write(&header, &frames);
        let (header_again, frames_again, error_again) = read(&written[..]).unwrap();
        assert!(header_again == header && frames_again == frames && error_again.is_none(), "round {round}");
        let has_greater_words = ![8, 16].contains(&header.format().depth);
        if error.is_none()
            && !has_greater_words
            && line(&header).len() == stream.iter().position(|&byte| byte == b'\n').unwrap() + 1
        {
            assert!(written == stream, "round {round}");
        }

        for sampling in [Sampling::Mono, Sampling::C420, Sampling::C411, Sampling::C422, Sampling::C444] {
            match header.to_progressive(sampling, true) {
                Ok(to) => {
                    assert_eq!((to.interlacing(), to.sampling()), (Interlacing::Progressive, sampling), "round {round}");
                    let wide = |rate: Option<(u32, u32)>| rate.map_or((0, 1), |(num, den)| (u128::from(num), u128::from(den)));
                    let ((num, den), (to_num, to_den)) = (wide(header.rate()), wide(to.rate()));
                    assert_eq!(2 * num * to_den, to_num * den, "round {round}");
                }
                Err(Error::NotSupported { .. }) => {
                    assert!(header.format().depth > 8 && sampling == Sampling::C411, "round {round}")
                }
                Err(error) => assert!(matches!(error, Error::RateTooHigh { .. }), "round {round}: {error}"),
            }
        }
    }
    println!("{counts:?}");
    // Each kind of end occurs, so that the changes are neither too large nor too small.
    for kind in ["None", "Some(Truncated", "Some(Garbage", "Some(TruncatedHeader", "Some(NotY4m", "Some(MissingTag"] {
        assert!(counts.get(kind).is_some_and(|&n| n >= 100), "{kind}: {counts:?}");
    }
    for kind in ["Some(BadTag", "Some(Size", "Some(UnknownChroma", "Some(NotSupported"] {
        assert!(counts.get(kind).is_some_and(|&n| n >= 20), "{kind}: {counts:?}");
    }
}
