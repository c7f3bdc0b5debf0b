//! Samples of more than 8 bits in a stream: words of 16 bits, little endian on every processor
//! (§9.1).
use crate::frame::Samples;
use crate::memory::{OutOfMemory, with_capacity};
use std::io::{self, ErrorKind, Read};

/// The bytes of samples in the order in which a stream has them: those of 8 bits, or words of 16
/// bits, low byte first. ffmpeg computes its checksums from the same bytes.
///
/// They are those of the samples themselves on a little-endian processor and for 8 bits. Else
/// `swapped`, whose contents are replaced, holds them.
///
/// # Errors
/// If there is no memory for `swapped`.
pub fn little_endian<'a>(samples: Samples<'a>, swapped: &'a mut Vec<u8>) -> Result<&'a [u8], OutOfMemory> {
    match samples {
        Samples::U8(samples) => Ok(samples),
        Samples::U16(samples) if cfg!(target_endian = "little") => Ok(bytemuck::cast_slice(samples)),
        Samples::U16(samples) => {
            *swapped = with_capacity(2 * samples.len())?;
            swapped.extend(samples.iter().flat_map(|sample| sample.to_le_bytes()));
            Ok(swapped)
        }
    }
}

/// Bytes that are read at a time: as many as are limited while they are in a first- or second-level
/// cache, and enough for the read to bypass the buffer.
const PART: usize = 1 << 16;

/// Reads words until `samples` is full or the input ends. Words above `greatest` become that.
/// Returns the number of bytes read. If that number is odd, the last word is unspecified.
pub(super) fn fill(input: &mut impl Read, samples: &mut [u16], greatest: u16) -> io::Result<usize> {
    let (mut read, mut limited, end) = (0, 0, size_of_val(samples));
    while read < end {
        // A part may end anywhere. If it were filled up, its rest would be too short to bypass the
        // buffer, and all further bytes would pass through the buffer.
        let part = read..end.min(read + PART);
        match input.read(&mut bytemuck::cast_slice_mut(samples)[part]) {
            Ok(0) => break,
            Ok(got) => read += got,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
        limit(&mut samples[limited..read / 2], greatest);
        limited = read / 2;
    }
    Ok(read)
}

/// Gives words of a stream the byte order of the processor, and limits them.
fn limit(samples: &mut [u16], greatest: u16) {
    if cfg!(target_endian = "big") {
        samples.iter_mut().for_each(|sample| *sample = u16::from_le(*sample));
    }
    // No word of most streams is above its depth. Then nothing is written.
    let all = samples.iter().fold(0, |all, &sample| all | sample);
    if all > greatest {
        samples.iter_mut().for_each(|sample| *sample = (*sample).min(greatest));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufRead, BufReader};

    #[test]
    fn words_are_read_from_parts_of_any_size() {
        let bytes: Vec<u8> = (1..=11).flat_map(|word: u16| (word * 0x0101).to_le_bytes()).collect();
        for part in 1..=bytes.len() {
            for cut in 0..=20 {
                let mut input = BufReader::with_capacity(part, &bytes[..cut]);
                let mut samples = [0; 10];
                assert_eq!(fill(&mut input, &mut samples, 0x0808).unwrap(), cut, "parts of {part} bytes");
                let want: Vec<u16> = (1..=10).map(|word| if word <= cut / 2 { word.min(8) as u16 * 0x0101 } else { 0 }).collect();
                // Half of a word is not limited.
                assert_eq!(samples[..cut / 2], want[..cut / 2], "parts of {part} bytes, {cut} bytes");
            }
            // The bytes after the samples remain.
            let mut input = BufReader::with_capacity(part, &bytes[..]);
            assert_eq!(fill(&mut input, &mut [0; 10], u16::MAX).unwrap(), 20);
            assert_eq!(input.fill_buf().unwrap()[0], 11);
        }
    }

    #[test]
    fn the_low_byte_is_first() {
        let mut swapped = vec![9; 9];
        assert_eq!(little_endian(Samples::U16(&[0x0102, 0xfffe]), &mut swapped).unwrap(), [2, 1, 0xfe, 0xff]);
        assert_eq!(little_endian(Samples::U8(&[1, 2]), &mut swapped).unwrap(), [1, 2]);
    }
}
