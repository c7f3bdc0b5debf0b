//! A network of two hidden layers with a linear skip, for each sample of a line (§14.4).
use crate::contract;
use crate::isa::{Isa, PackedPair, blocks};

/// Greatest number of inputs.
const MAX_INPUTS: usize = 56;
/// Greatest width of the first hidden layer.
const MAX_FIRST: usize = 16;
/// Greatest width of the second hidden layer.
const MAX_SECOND: usize = 8;
/// Neurons whose sums are computed together, so that they share loads of inputs.
const GROUP: usize = 4;
/// Greatest value of a hidden neuron, in 1/8 code value.
const HIDDEN_MAX: u16 = 4095;

/// Weights of a network. Unused weights are 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    inputs: usize,
    /// Widths of the hidden layers, rounded up to groups.
    hidden: [usize; 2],
    /// Weights of the first layer by neuron, each packed with the weight of the next input.
    first: [[PackedPair; MAX_INPUTS / 2]; MAX_FIRST],
    first_bias: [i32; MAX_FIRST],
    second: [[PackedPair; MAX_FIRST / 2]; MAX_SECOND],
    second_bias: [i32; MAX_SECOND],
    third: [PackedPair; MAX_SECOND / 2],
    bias: i32,
    skip: [PackedPair; MAX_INPUTS / 2],
}

impl Network {
    /// Reads a network from text: integers between white space, and comments from `#` to the end of
    /// the line. The integers are the number of inputs, the widths of both hidden layers, then for
    /// each of the three layers its weights, neuron by neuron, and its biases, then the weights of
    /// the skip. Weights are signed halfwords.
    ///
    /// # Panics
    /// If the text is not such a network, or the network is larger than the kernel computes.
    pub const fn parse(text: &[u8]) -> Network {
        let mut numbers = Numbers { text, at: 0 };
        let (inputs, first, second) = (numbers.next() as usize, numbers.next() as usize, numbers.next() as usize);
        assert!(inputs >= 1 && inputs <= MAX_INPUTS && first >= 1 && first <= MAX_FIRST && second >= 1 && second <= MAX_SECOND);
        let mut network = Network {
            inputs,
            hidden: [first.next_multiple_of(GROUP), second.next_multiple_of(GROUP)],
            first: [[0; MAX_INPUTS / 2]; MAX_FIRST],
            first_bias: [0; MAX_FIRST],
            second: [[0; MAX_FIRST / 2]; MAX_SECOND],
            second_bias: [0; MAX_SECOND],
            third: [0; MAX_SECOND / 2],
            bias: 0,
            skip: [0; MAX_INPUTS / 2],
        };
        let mut i = 0;
        while i < first {
            numbers.row(&mut network.first[i], inputs);
            i += 1;
        }
        i = 0;
        while i < first {
            network.first_bias[i] = numbers.next();
            i += 1;
        }
        i = 0;
        while i < second {
            numbers.row(&mut network.second[i], first);
            i += 1;
        }
        i = 0;
        while i < second {
            network.second_bias[i] = numbers.next();
            i += 1;
        }
        numbers.row(&mut network.third, second);
        network.bias = numbers.next();
        numbers.row(&mut network.skip, inputs);
        numbers.skip_space();
        assert!(numbers.at == text.len(), "numbers after the last weight");
        network
    }

    /// Number of inputs.
    pub const fn inputs(&self) -> usize {
        self.inputs
    }
}

/// The integers of a text.
struct Numbers<'a> {
    text: &'a [u8],
    at: usize,
}

impl Numbers<'_> {
    const fn skip_space(&mut self) {
        let mut comment = false;
        while self.at < self.text.len() {
            let byte = self.text[self.at];
            comment = (comment || byte == b'#') && byte != b'\n';
            if !comment && !byte.is_ascii_whitespace() {
                return;
            }
            self.at += 1;
        }
    }

    const fn next(&mut self) -> i32 {
        self.skip_space();
        let negative = self.at < self.text.len() && self.text[self.at] == b'-';
        self.at += negative as usize;
        let start = self.at;
        let mut value = 0;
        while self.at < self.text.len() && self.text[self.at].is_ascii_digit() {
            value = 10 * value + (self.text[self.at] - b'0') as i32;
            self.at += 1;
        }
        assert!(self.at > start, "a weight is missing");
        if negative { -value } else { value }
    }

    /// Reads `count` weights as packed pairs.
    const fn row(&mut self, pairs: &mut [PackedPair], count: usize) {
        let mut i = 0;
        while i < count {
            let weight = self.next();
            assert!(weight >= i16::MIN as i32 && weight <= i16::MAX as i32, "a weight has more than 16 bits");
            pairs[i / 2] |= (weight as u16 as u32) << (16 * (i % 2));
            i += 1;
        }
    }
}

/// Weight `i` of a row of packed pairs.
fn weight(pairs: &[PackedPair], i: usize) -> i32 {
    i32::from((pairs[i / 2] >> (16 * (i % 2))) as i16)
}

/// Bits of the inputs beyond 8, and the shift of the output, for samples of `depth` bits.
fn shifts(depth: u8) -> (u8, u8) {
    let extra = (depth - 8).min(4);
    (extra, 13 - (depth - 8 - extra))
}

/// `dst[x]` is the signed output for the signed inputs `inputs[i * stride + x]`. Inputs have
/// min(depth, 12) - 8 bits below the code value of 8 bits, the output is in code values of `depth`
/// bits, limited to 16 bits.
pub fn scalar(dst: &mut [u16], inputs: &[u16], stride: usize, network: &Network, depth: u8) {
    let (extra, shift) = shifts(depth);
    for (x, out) in dst.iter_mut().enumerate() {
        let input = |i: usize| i32::from(inputs[i * stride + x] as i16);
        let dot = |weights: &[PackedPair], count: usize, value: &dyn Fn(usize) -> i32| {
            (0..count).fold(0i32, |sum, i| sum.wrapping_add(weight(weights, i) * value(i)))
        };
        let [first, second] = network.hidden;
        let h1: [i32; MAX_FIRST] = std::array::from_fn(|i| {
            let bias = network.first_bias[i] << extra;
            let sum = bias.wrapping_add(dot(&network.first[i], network.inputs, &input));
            (sum >> (9 + extra)).clamp(0, HIDDEN_MAX.into())
        });
        let h2: [i32; MAX_SECOND] = std::array::from_fn(|i| {
            let sum = network.second_bias[i].wrapping_add(dot(&network.second[i], first, &|j| h1[j]));
            (sum.wrapping_add(1 << 11) >> 12).clamp(0, HIDDEN_MAX.into())
        });
        let sum = network.bias.wrapping_add(dot(&network.third, second, &|j| h2[j])) << extra;
        let sum = sum.wrapping_add(dot(&network.skip, network.inputs, &input)).wrapping_add(1 << (shift - 1));
        *out = (sum >> shift).clamp(i16::MIN.into(), i16::MAX.into()) as u16;
    }
}

/// Panics if the rows of inputs are too short or samples cannot have this depth.
#[inline(always)]
pub(crate) fn check(dst: &[u16], inputs: &[u16], stride: usize, network: &Network, depth: u8) {
    contract::lines(inputs, network.inputs, stride, dst.len());
    contract::within(depth, 8..=16);
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(s: I, dst: &mut [u16], inputs: &[u16], stride: usize, network: &Network, depth: u8) -> bool {
    let (extra, shift) = shifts(depth);
    let pairs = network.inputs.div_ceil(2);
    let zero = s.splat16(0);
    let rounding = 1 << (shift - 1);
    // Outside the loop, since setting unused entries takes as long as a layer.
    let mut input = [[zero; 2]; MAX_INPUTS / 2];
    let mut h1 = [[zero; 2]; MAX_FIRST / 2];
    let mut h2 = [[zero; 2]; MAX_SECOND / 2];
    let biases = network.first_bias.map(|bias| bias << extra);
    let second_biases = network.second_bias.map(|bias| bias.wrapping_add(1 << 11));
    blocks!(dst.len(), I::N / 2, x => {
        for (pair, input) in input.iter_mut().enumerate().take(pairs) {
            let even = s.load16(&inputs[2 * pair * stride + x..]);
            let odd = if 2 * pair + 1 < network.inputs { s.load16(&inputs[(2 * pair + 1) * stride + x..]) } else { zero };
            *input = [s.interleave_low16(even, odd), s.interleave_high16(even, odd)];
        }
        let [first, second] = network.hidden;
        let skip = hidden(s, &mut h1, (&network.first, &biases), &input[..pairs], first, 9 + extra, Some((&network.skip, rounding)));
        hidden(s, &mut h2, (&network.second, &second_biases), &h1[..first / 2], second, 12, None);
        let [mut sums] = dots(s, [&network.third], [network.bias], &h2[..second / 2]);
        for _ in 0..extra {
            sums = [s.add32(sums[0], sums[0]), s.add32(sums[1], sums[1])];
        }
        let [low, high] = [s.sra32_by(s.add32(sums[0], skip[0]), shift), s.sra32_by(s.add32(sums[1], skip[1]), shift)];
        s.store16(&mut dst[x..], s.pack32(low, high));
    })
}

/// Computes a hidden layer of `width` neurons: `out` gets them as interleaved pairs, as the next
/// layer reads them. Returns the sums of one more neuron, which reads the same inputs, or 0.
#[inline(always)]
fn hidden<I: Isa, const IN: usize>(
    s: I,
    out: &mut [[I::H; 2]],
    (weights, biases): (&[[PackedPair; IN]], &[i32]),
    inputs: &[[I::H; 2]],
    width: usize,
    shift: u8,
    beside: Option<(&[PackedPair; IN], i32)>,
) -> [I::W; 2] {
    let mut first = 0;
    // A sum waits for the one before it, so that more neurons together are faster, if there are
    // registers for them.
    if I::N == 64 {
        while first + 2 * GROUP < width {
            let sums = dots::<I, IN, { 2 * GROUP }>(s, rows(weights, first), bias(biases, first), inputs);
            store(s, &mut out[first / 2..], &sums, shift);
            first += 2 * GROUP;
        }
        if let (Some(beside), true) = (beside, first + 2 * GROUP == width) {
            let [a, b, c, d, e, f, g, h] = rows(weights, first);
            let [i, j, k, l, m, n, o, p] = bias(biases, first);
            let sums = dots(s, [a, b, c, d, e, f, g, h, beside.0], [i, j, k, l, m, n, o, p, beside.1], inputs);
            store(s, &mut out[first / 2..], &sums[..2 * GROUP], shift);
            return sums[2 * GROUP];
        }
    }
    while first + GROUP < width {
        let sums = dots::<I, IN, GROUP>(s, rows(weights, first), bias(biases, first), inputs);
        store(s, &mut out[first / 2..], &sums, shift);
        first += GROUP;
    }
    let ([a, b, c, d], [e, f, g, h]) = (rows(weights, first), bias(biases, first));
    match beside {
        Some(beside) => {
            let sums = dots(s, [a, b, c, d, beside.0], [e, f, g, h, beside.1], inputs);
            store(s, &mut out[first / 2..], &sums[..GROUP], shift);
            sums[GROUP]
        }
        None => {
            let sums = dots(s, [a, b, c, d], [e, f, g, h], inputs);
            store(s, &mut out[first / 2..], &sums, shift);
            [s.splat32(0); 2]
        }
    }
}

#[inline(always)]
fn rows<const IN: usize, const COUNT: usize>(weights: &[[PackedPair; IN]], first: usize) -> [&[PackedPair; IN]; COUNT] {
    let rows: &[[PackedPair; IN]; COUNT] = weights[first..].first_chunk().expect("the neurons of a group");
    rows.each_ref()
}

#[inline(always)]
fn bias<const COUNT: usize>(biases: &[i32], first: usize) -> [i32; COUNT] {
    *biases[first..].first_chunk().expect("the neurons of a group")
}

/// The weighted sums of pairs of inputs for neurons that are computed together.
#[inline(always)]
fn dots<I: Isa, const IN: usize, const COUNT: usize>(
    s: I,
    weights: [&[PackedPair; IN]; COUNT],
    biases: [i32; COUNT],
    inputs: &[[I::H; 2]],
) -> [[I::W; 2]; COUNT] {
    let mut sums = [[s.splat32(0); 2]; COUNT];
    for (sums, bias) in sums.iter_mut().zip(biases) {
        *sums = [s.splat32(bias); 2];
    }
    for (pair, input) in inputs.iter().enumerate().take(IN) {
        for (sums, weights) in sums.iter_mut().zip(weights) {
            let weights = s.splat_pair(weights[pair]);
            sums[0] = s.dot16(sums[0], input[0], weights);
            sums[1] = s.dot16(sums[1], input[1], weights);
        }
    }
    sums
}

/// Stores limited sums as interleaved pairs of neurons.
#[inline(always)]
fn store<I: Isa>(s: I, out: &mut [[I::H; 2]], sums: &[[I::W; 2]], shift: u8) {
    let (zero, max) = (s.splat16(0), s.splat16(HIDDEN_MAX));
    for (out, sums) in out.iter_mut().zip(sums.chunks_exact(2)) {
        let mut neurons = [zero; 2];
        for (neuron, sums) in neurons.iter_mut().zip(sums) {
            let sum = s.pack32(s.sra32_by(sums[0], shift), s.sra32_by(sums[1], shift));
            *neuron = s.min15(s.max15(sum, zero), max);
        }
        *out = [s.interleave_low16(neurons[0], neurons[1]), s.interleave_high16(neurons[0], neurons[1])];
    }
}
