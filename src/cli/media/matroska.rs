//! Uncompressed video as a Matroska stream, which ffmpeg reads from a pipe. In contrast to y4m it
//! has the time of each frame.

use dndi::Sampling;
use dndi::y4m::Header;

/// The beginning of the stream: headers and the description of the track. The times of the frames
/// are in nanoseconds. `duration` is that of a frame at the nominal rate, in nanoseconds.
pub fn begin(header: &Header, duration: u64) -> Vec<u8> {
    let doctype = [text(0x4282, "matroska"), number(0x4287, 4), number(0x4285, 2)].concat();
    let info = [number(0x2a_d7b1, 1), text(0x4d80, "dndi"), text(0x5741, "dndi")].concat();
    let (width, height) = (header.width() as u64, header.height() as u64);
    let (across, down) = header.aspect().unwrap_or((1, 1));
    let video = [
        number(0x9a, 2), // progressive
        number(0xb0, width),
        number(0xba, height),
        number(0x54b0, width * u64::from(across)),
        number(0x54ba, height * u64::from(down)),
        element(0x2e_b524, &fourcc(header)),
    ];
    let track = [
        number(0xd7, 1),
        number(0x73c5, 1),
        number(0x83, 1),
        number(0x9c, 0),
        text(0x22_b59c, "und"), // the language; without it, English
        number(0x23_e383, duration),
        text(0x86, "V_UNCOMPRESSED"),
        element(0xe0, &video.concat()),
    ];
    let segment = [0x18, 0x53, 0x80, 0x67, 0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff];
    let tracks = element(0x1654_ae6b, &element(0xae, &track.concat()));
    [element(0x1a45_dfa3, &doctype), segment.to_vec(), element(0x1549_a966, &info), tracks].concat()
}

/// The bytes before the samples of a frame, which are `size` bytes. `time` is in nanoseconds.
pub fn frame(time: u64, size: usize) -> Vec<u8> {
    let timestamp = number(0xe7, time);
    // The track, a time of 0 within the cluster, and the flag of a keyframe.
    let block = [0x81, 0, 0, 0x80];
    let block_header = [id(0xa3), length(block.len() + size)].concat();
    let cluster = timestamp.len() + block_header.len() + block.len() + size;
    [id(0x1f43_b675), length(cluster), timestamp, block_header, block.to_vec()].concat()
}

/// The code by which ffmpeg identifies the format of the samples.
fn fourcc(header: &Header) -> [u8; 4] {
    match (header.sampling(), header.format().depth) {
        (Sampling::Mono, 8) => *b"Y800",
        (Sampling::C420, 8) => *b"I420",
        (Sampling::C411, _) => *b"Y41B",
        (Sampling::C422, 8) => *b"Y42B",
        (Sampling::C444, 8) => *b"444P",
        (Sampling::Mono, depth) => [b'Y', b'1', 0, depth],
        (Sampling::C420, depth) => [b'Y', b'3', 11, depth],
        (Sampling::C422, depth) => [b'Y', b'3', 10, depth],
        (_, depth) => [b'Y', b'3', 0, depth],
    }
}

/// An element: its id, its length and its contents.
fn element(name: u32, contents: &[u8]) -> Vec<u8> {
    [id(name), length(contents.len()), contents.to_vec()].concat()
}

fn number(name: u32, value: u64) -> Vec<u8> {
    element(name, &value.to_be_bytes())
}

fn text(name: u32, value: &str) -> Vec<u8> {
    element(name, value.as_bytes())
}

/// An id, which includes the marker of its length.
fn id(name: u32) -> Vec<u8> {
    let bytes = name.to_be_bytes();
    bytes[(name.leading_zeros() / 8) as usize..].to_vec()
}

/// A length in its longest form, of 8 bytes.
fn length(bytes: usize) -> Vec<u8> {
    (bytes as u64 | 1 << 56).to_be_bytes().to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements() {
        assert_eq!(element(0xa3, &[7]), [0xa3, 1, 0, 0, 0, 0, 0, 0, 1, 7]);
        assert_eq!([id(0x2a_d7b1), id(0x1f43_b675)], [vec![0x2a, 0xd7, 0xb1], vec![0x1f, 0x43, 0xb6, 0x75]]);
        assert_eq!(frame(5, 100).len(), 12 + 17 + 9 + 4);
    }
}
