//! Values of `--canvas`, `--fill`, `--siting-in` and `--siting-out`. The bindings include this
//! file.

use dndi::{Canvas, Siting};

/// The colour of `--fill`: luma, Cb and Cr, in code values of 8 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fill(pub [u8; 3]);

/// Parses `Y,U,V`.
pub fn fill(text: &str) -> Result<Fill, &'static str> {
    let values: Result<Vec<u8>, _> = text.split(',').map(|value| value.trim().parse()).collect();
    let values = values.ok().and_then(|values| values.try_into().ok());
    values.map(Fill).ok_or("write Y,U,V, each 0…255")
}

/// Parses `H,V`.
pub fn siting(text: &str) -> Result<Siting, &'static str> {
    let value = |text: &str| text.trim().parse().ok().filter(|&value: &u8| value <= 8);
    let values = text.split_once(',').and_then(|(across, down)| value(across).zip(value(down)));
    values.map(|(across, down)| Siting { across, down }).ok_or("write H,V, each 0…8")
}

/// The greatest distance that is parsed.
const MAX_OFFSET: i32 = 1 << 20;

/// Parses `WxH+X+Y`.
pub fn canvas(text: &str) -> Result<Canvas, &'static str> {
    const SYNTAX: &str = "write WxH+X+Y, such as 1280x720+160+0; X and Y can be negative: 640x480-8-8";
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let size = |text: &str| text.parse::<usize>().ok().filter(|_| digits(text)).ok_or(SYNTAX);
    let offset = |text: &str| {
        let value = text.parse::<i32>().ok().filter(|value| value.abs() <= MAX_OFFSET);
        value.filter(|_| digits(&text[1..])).ok_or(SYNTAX)
    };
    let (width, rest) = text.split_once('x').ok_or(SYNTAX)?;
    let x = rest.find(['+', '-']).ok_or(SYNTAX)?;
    let (height, rest) = rest.split_at(x);
    let y = rest[1..].find(['+', '-']).ok_or(SYNTAX)? + 1;
    let (x, y) = rest.split_at(y);
    Ok(Canvas::new(size(width)?, size(height)?, offset(x)?, offset(y)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn canvases_and_sitings_are_parsed() {
        let parse = |text| canvas(text).ok().map(|canvas| (canvas.width, canvas.height, canvas.x, canvas.y));
        assert_eq!(parse("100x80+10+6"), Some((100, 80, 10, 6)));
        assert_eq!(parse("640x480-8-12"), Some((640, 480, -8, -12)));
        assert_eq!(parse("1x1+0-0"), Some((1, 1, 0, 0)));
        for wrong in ["", "x", "1x1", "1x1+1", "1x1+", "1x1++1", "1x1+-1+2", "-1x1+0+0", "1x1+0+0x", "1x1+0+2000000", "é+é-é"]
        {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
        assert_eq!(siting("2,6"), Ok(Siting { across: 2, down: 6 }));
        assert_eq!(fill("0,0,255"), Ok(Fill([0, 0, 255])));
        assert!(["9,0", "1", "1,2,3", "-1,0"].iter().all(|text| siting(text).is_err()));
        assert!(["1,2", "256,0,0", "1,2,3,4", ""].iter().all(|text| fill(text).is_err()));
    }
}
