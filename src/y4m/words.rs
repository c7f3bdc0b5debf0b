//! Samples of more than 8 bits in a stream: words of 16 bits, little endian on every processor
//! (§9.1).
use crate::frame::Samples;
use crate::memory::{OutOfMemory, with_capacity};
use std::io::{self, BufRead, ErrorKind};

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

/// Reads words until `samples` is full or the input ends. Words above `greatest` become that.
/// Returns the number of bytes read.
///
/// The words are taken from the buffer of the input, and limited on the way.
pub(super) fn fill(input: &mut impl BufRead, samples: &mut [u16], greatest: u16) -> io::Result<usize> {
    let mut full = 0;
    // The first byte of a word whose second one follows in the next part.
    let mut first = None;
    while full < samples.len() {
        let bytes = match input.fill_buf() {
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            bytes => bytes?,
        };
        let Some((&next, rest)) = bytes.split_first() else {
            return Ok(2 * full + usize::from(first.is_some()));
        };
        let mut used = 0;
        let mut whole = bytes;
        if let Some(first) = first.take() {
            samples[full] = u16::from_le_bytes([first, next]).min(greatest);
            (full, used, whole) = (full + 1, 1, rest);
        }
        let (words, odd) = whole.as_chunks::<2>();
        let to = &mut samples[full..];
        let count = words.len().min(to.len());
        for (to, &word) in to.iter_mut().zip(words) {
            *to = u16::from_le_bytes(word).min(greatest);
        }
        (full, used) = (full + count, used + 2 * count);
        if full < samples.len()
            && let Some(&odd) = odd.first()
        {
            (first, used) = (Some(odd), used + 1);
        }
        input.consume(used);
    }
    Ok(2 * full)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    #[test]
    fn words_are_read_from_parts_of_any_size() {
        let bytes: Vec<u8> = (1..=11).flat_map(|word: u16| (word * 0x0101).to_le_bytes()).collect();
        for part in 1..=bytes.len() {
            for cut in 0..=20 {
                let mut input = BufReader::with_capacity(part, &bytes[..cut]);
                let mut samples = [0; 10];
                assert_eq!(fill(&mut input, &mut samples, 0x0808).unwrap(), cut, "parts of {part} bytes");
                let want: Vec<u16> = (1..=10).map(|word| if word <= cut / 2 { word.min(8) as u16 * 0x0101 } else { 0 }).collect();
                assert_eq!(samples, *want, "parts of {part} bytes, {cut} bytes");
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
