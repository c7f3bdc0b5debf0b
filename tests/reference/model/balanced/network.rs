//! §14.4: the network, and the files of its weights.

/// A network with two hidden layers and a linear skip.
pub struct Network {
    w1: Vec<Vec<i64>>,
    b1: Vec<i64>,
    w2: Vec<Vec<i64>>,
    b2: Vec<i64>,
    w3: Vec<i64>,
    b3: i64,
    skip: Vec<i64>,
}

pub fn luma() -> Network {
    Network::parse(include_str!("../../../../src/deinterlace/networks/balanced_luma.txt"))
}

pub fn chroma() -> Network {
    Network::parse(include_str!("../../../../src/deinterlace/networks/balanced_chroma.txt"))
}

impl Network {
    /// The network of a file.
    pub fn parse(text: &str) -> Network {
        let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default());
        let numbers: Vec<i64> = lines.flat_map(str::split_whitespace).map(|word| word.parse().expect("an integer")).collect();
        let mut rest = numbers.into_iter();
        let mut one = || rest.next().expect("another number");
        let (inputs, first, second) = (one(), one(), one());
        let mut row = |length: i64| (0..length).map(|_| one()).collect::<Vec<i64>>();
        let w1 = (0..first).map(|_| row(inputs)).collect();
        let b1 = row(first);
        let w2 = (0..second).map(|_| row(first)).collect();
        let (b2, w3, b3, skip) = (row(second), row(second), row(1)[0], row(inputs));
        assert_eq!(rest.next(), None, "a number after the network");
        Network { w1, b1, w2, b2, w3, b3, skip }
    }

    /// The correction of a sample of `n` bits.
    pub fn correction(&self, x: &[i32], n: u32) -> i32 {
        let x: Vec<i64> = x.iter().map(|&x| x.into()).collect();
        let e = (n - 8).min(4);
        let h1: Vec<i64> =
            self.w1.iter().zip(&self.b1).map(|(w1, b1)| (((b1 << e) + dot(w1, &x)) >> (9 + e)).clamp(0, 4095)).collect();
        let h2: Vec<i64> =
            self.w2.iter().zip(&self.b2).map(|(w2, b2)| ((b2 + dot(w2, &h1) + 2048) >> 12).clamp(0, 4095)).collect();
        let r = 13 - (n - 8 - e);
        let sum = ((self.b3 + dot(&self.w3, &h2)) << e) + dot(&self.skip, &x);
        ((sum + (1 << (r - 1))) >> r).clamp(-32767, 32767) as i32
    }
}

fn dot(a: &[i64], b: &[i64]) -> i64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
