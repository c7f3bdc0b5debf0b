//! The names of samplings and depths in `C` and `XYSCSS` (§9.1).
use super::{Error, excerpt};
use crate::format::Sampling;

/// Bits per sample of more than 8 that tags can have.
const DEEP: [u8; 5] = [9, 10, 12, 14, 16];

/// The name of a sampling at 8 bits, without a chroma location.
fn name_of(sampling: Sampling) -> &'static str {
    match sampling {
        Sampling::Mono => "mono",
        Sampling::C420 => "420",
        Sampling::C411 => "411",
        Sampling::C422 => "422",
        Sampling::C444 => "444",
    }
}

/// The name of a sampling and a depth, without a chroma location: `420`, `420p10`, `mono10`.
///
/// # Errors
/// [`Error::NotSupported`] if no tag has this depth, or has it with this sampling.
pub(super) fn chroma_name(sampling: Sampling, depth: u8) -> Result<String, Error> {
    let name = name_of(sampling);
    if depth == 8 {
        return Ok(name.to_owned());
    }
    let name = if sampling == Sampling::Mono { format!("mono{depth}") } else { format!("{name}p{depth}") };
    check(&format!("C{name}"), sampling, depth.into()).map(|_| name)
}

/// The sampling and the depth called `name` in `token`.
pub(super) fn sampling(token: &[u8], name: &[u8]) -> Result<(Sampling, u8), Error> {
    match name {
        b"420" | b"420jpeg" | b"420mpeg2" | b"420paldv" => Ok((Sampling::C420, 8)),
        b"411" => Ok((Sampling::C411, 8)),
        b"422" => Ok((Sampling::C422, 8)),
        b"444" => Ok((Sampling::C444, 8)),
        b"mono" => Ok((Sampling::Mono, 8)),
        _ if name.ends_with(b"alpha") => Err(Error::NotSupported { token: excerpt(token), feature: "an alpha plane" }),
        _ => match deep(name) {
            Some((sampling, depth)) => Ok((sampling, check(&excerpt(token), sampling, depth)?)),
            None => Err(Error::UnknownChroma { token: excerpt(token) }),
        },
    }
}

/// The sampling and the number of bits of a name such as `mono10`, `420p10` or `422p16`; none for
/// other names and for fewer than 9 bits.
fn deep(name: &[u8]) -> Option<(Sampling, u32)> {
    let samplings = [Sampling::Mono, Sampling::C420, Sampling::C411, Sampling::C422, Sampling::C444];
    let (sampling, rest) = samplings.into_iter().find_map(|sampling| {
        let rest = name.strip_prefix(name_of(sampling).as_bytes())?;
        Some((sampling, if sampling == Sampling::Mono { rest } else { rest.strip_prefix(b"p")? }))
    })?;
    let plain = rest.first().is_some_and(|&digit| (b'1'..=b'9').contains(&digit)) && rest.iter().all(u8::is_ascii_digit);
    let bits = str::from_utf8(rest).ok().filter(|_| plain)?.parse().ok()?;
    (bits > 8).then_some((sampling, bits))
}

/// Checks that a tag can have this depth of more than 8 bits.
fn check(token: &str, sampling: Sampling, bits: u32) -> Result<u8, Error> {
    let wrong = |feature| Err(Error::NotSupported { token: token.to_owned(), feature });
    match DEEP.into_iter().find(|&depth| u32::from(depth) == bits) {
        _ if sampling == Sampling::C411 => wrong("4:1:1 of more than 8 bits a sample"),
        Some(depth) => Ok(depth),
        None => wrong("bits a sample other than 8, 9, 10, 12, 14 and 16"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_depths() {
        for depth in DEEP {
            for sampling in [Sampling::Mono, Sampling::C420, Sampling::C422, Sampling::C444] {
                let name = chroma_name(sampling, depth).unwrap();
                assert_eq!(super::sampling(b"C", name.as_bytes()).unwrap(), (sampling, depth), "{name}");
            }
            assert!(matches!(chroma_name(Sampling::C411, depth), Err(Error::NotSupported { .. })));
        }
        assert_eq!(chroma_name(Sampling::C420, 10).unwrap(), "420p10");
        assert_eq!(chroma_name(Sampling::Mono, 9).unwrap(), "mono9");
        assert_eq!(chroma_name(Sampling::C411, 8).unwrap(), "411");
        for depth in [0, 7, 11, 13, 15, 17, 255] {
            assert!(matches!(chroma_name(Sampling::C444, depth), Err(Error::NotSupported { .. })), "{depth}");
        }
    }

    #[test]
    fn other_depths_are_not_supported() {
        for name in ["420p11", "422p13", "444p15", "mono11", "420p17", "420p32", "mono4294967295"] {
            let error = sampling(b"Ctoken", name.as_bytes()).unwrap_err().to_string();
            assert_eq!(error, "not supported yet: Ctoken (bits a sample other than 8, 9, 10, 12, 14 and 16)", "{name}");
        }
        let error = sampling(b"C411p10", b"411p10").unwrap_err().to_string();
        assert_eq!(error, "not supported yet: C411p10 (4:1:1 of more than 8 bits a sample)");
        for name in [
            "420p",
            "420p8",
            "420p010",
            "420p+10",
            "420p10x",
            "440p10",
            "mono8",
            "monop10",
            "mono",
            "p10",
            "42210",
            "420p4294967296",
        ] {
            let found = sampling(b"Ctoken", name.as_bytes());
            assert!(name == "mono" || matches!(found, Err(Error::UnknownChroma { .. })), "{name}: {found:?}");
        }
    }
}
