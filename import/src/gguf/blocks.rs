//! Blocks of integers, as ggml stores them, and the same numbers as `nn.dense_blocks` reads them.
//!
//! Nothing is rounded: a scale of f16 stays one, and the products of scales of f16 and integers of 8 bits are exact in f32. Source: the
//! structures in `ggml-common.h` and the functions `dequantize_row_*` in `ggml-quants.c`.

use crate::graph::constant::Const;
use half::f16;
use relay_dialects::element::Element;

/// Reads the bytes of a block.
pub type Unpack = fn(&[u8], &mut Unpacked);

/// Integers that share scales: a number is `(q - zero) * scale - least`, where `scale` and `least` are those of its group.
#[derive(Clone, Copy, Debug)]
pub struct Blocks {
    /// The numbers of a group.
    pub group: i64,
    /// The bits of `nn.dense_blocks` that hold `q`.
    pub bits: i64,
    /// The zero point.
    pub zero: u8,
    /// The type that holds every scale.
    pub scale: Element,
    /// Whether groups have a `least`; otherwise it is 0.
    pub has_least: bool,
    /// Reads a block.
    pub unpack: Unpack,
}

/// The numbers of a block.
#[derive(Default)]
pub struct Unpacked {
    /// The integers in order.
    pub integers: Vec<u8>,
    /// The scale of each group.
    pub scales: Vec<f32>,
    /// What is subtracted from the numbers of each group, if anything is.
    pub leasts: Vec<f32>,
}

/// A matrix of blocks for `nn.dense_blocks`.
pub struct Packed {
    /// The integers: bytes, [rows, groups, bytes of a group].
    pub weight: Const,
    /// The scales, [rows, groups].
    pub scales: Const,
    /// What is subtracted from the numbers of each group, f32 of shape [rows, groups].
    pub leasts: Option<Const>,
}

impl Packed {
    /// The rows of blocks; the bytes are those of as many.
    pub fn of(
        kind: &Blocks,
        [rows, columns]: [i64; 2],
        blocks: std::slice::Chunks<'_, u8>,
    ) -> Self {
        let groups = columns / kind.group;
        let mut bytes = Vec::with_capacity((rows * columns * kind.bits / 8) as usize);
        let (mut scales, mut leasts) = (Vec::new(), Vec::new());
        let mut unpacked = Unpacked::default();
        for block in blocks {
            (kind.unpack)(block, &mut unpacked);
            match kind.bits {
                4 => bytes.extend(
                    unpacked
                        .integers
                        .chunks(2)
                        .map(|pair| pair[0] | pair[1] << 4),
                ),
                _ => bytes.extend_from_slice(&unpacked.integers),
            }
            for scale in &unpacked.scales {
                match kind.scale {
                    Element::F16 => scales.extend(f16::from_f32(*scale).to_le_bytes()),
                    _ => scales.extend(scale.to_le_bytes()),
                }
            }
            leasts.extend(unpacked.leasts.iter().flat_map(|least| least.to_le_bytes()));
            unpacked.integers.clear();
            unpacked.scales.clear();
            unpacked.leasts.clear();
        }
        let of_group = kind.group * kind.bits / 8;
        let shape = vec![rows, groups];
        Self {
            weight: Const::of_bytes(Element::U8, vec![rows, groups, of_group], bytes),
            scales: Const::of_bytes(kind.scale, shape.clone(), scales),
            leasts: kind
                .has_least
                .then(|| Const::of_bytes(Element::F32, shape, leasts)),
        }
    }

    /// The bytes of all three.
    pub fn bytes(&self) -> u64 {
        let tensors = [Some(&self.weight), Some(&self.scales), self.leasts.as_ref()];
        let bytes = |tensor: &Const| (tensor.count() * tensor.element.bytes()) as u64;
        tensors.into_iter().flatten().map(bytes).sum()
    }
}

/// The number of f16 in two bytes.
fn half(bytes: &[u8]) -> f32 {
    f16::from_le_bytes([bytes[0], bytes[1]]).to_f32()
}

/// The low and then the high halves of bytes.
fn halves(bytes: &[u8]) -> impl Iterator<Item = u8> {
    let low = bytes.iter().map(|byte| byte & 15);
    low.chain(bytes.iter().map(|byte| byte >> 4))
}

/// Halves of bytes, each with a fifth bit.
fn with_fifth(bits: &[u8], bytes: &[u8]) -> impl Iterator<Item = u8> {
    let fifth = |at: usize| bits[at / 8] >> (at % 8) & 1;
    halves(bytes)
        .enumerate()
        .map(move |(at, low)| low | fifth(at) << 4)
}

/// A scale, and integers of 4 bits.
pub fn q4_0(block: &[u8], to: &mut Unpacked) {
    to.scales.push(half(block));
    to.integers.extend(halves(&block[2..]));
}

/// A scale, the least number, and integers of 4 bits.
pub fn q4_1(block: &[u8], to: &mut Unpacked) {
    to.scales.push(half(block));
    to.leasts.push(-half(&block[2..]));
    to.integers.extend(halves(&block[4..]));
}

/// A scale, the fifth bits of integers, and the others.
pub fn q5_0(block: &[u8], to: &mut Unpacked) {
    to.scales.push(half(block));
    to.integers.extend(with_fifth(&block[2..6], &block[6..]));
}

/// A scale, the least number, the fifth bits of integers, and the others.
pub fn q5_1(block: &[u8], to: &mut Unpacked) {
    to.scales.push(half(block));
    to.leasts.push(-half(&block[2..]));
    to.integers.extend(with_fifth(&block[4..8], &block[8..]));
}

/// A scale, and signed bytes.
pub fn q8_0(block: &[u8], to: &mut Unpacked) {
    to.scales.push(half(block));
    // From -128..128 to 0..256.
    to.integers
        .extend(block[2..].iter().map(|byte| byte ^ 0x80));
}

/// The scales and leasts of 8 groups: two factors of f16, and 6 bits for each group and each of the two.
fn six_bits(block: &[u8], to: &mut Unpacked) {
    let (scale, least) = (half(block), half(&block[2..]));
    let packed = &block[4..16];
    for group in 0..8 {
        let (of_scale, of_least) = match group {
            0..4 => (packed[group] & 63, packed[group + 4] & 63),
            _ => (
                packed[group + 4] & 15 | (packed[group - 4] >> 6) << 4,
                packed[group + 4] >> 4 | (packed[group] >> 6) << 4,
            ),
        };
        to.scales.push(scale * f32::from(of_scale));
        to.leasts.push(least * f32::from(of_least));
    }
}

/// Scales, and integers of 4 bits: 32 bytes hold two groups.
pub fn q4_k(block: &[u8], to: &mut Unpacked) {
    six_bits(block, to);
    for pair in block[16..].chunks(32) {
        to.integers.extend(halves(pair));
    }
}

/// As [`q4_k`], with the fifth bits before: those of a group have one place in 32 bytes.
pub fn q5_k(block: &[u8], to: &mut Unpacked) {
    six_bits(block, to);
    let fifth = &block[16..48];
    for (number, pair) in block[48..].chunks(32).enumerate() {
        let of_pair = halves(pair).enumerate().map(|(at, low)| {
            let group = 2 * number + at / 32;
            low | (fifth[at % 32] >> group & 1) << 4
        });
        to.integers.extend(of_pair);
    }
}

/// Integers of 6 bits: the lowest four, the other two, signed scales of groups of 16, and their factor. 128 numbers share 64 bytes of the
/// lowest and 32 of the other bits.
pub fn q6_k(block: &[u8], to: &mut Unpacked) {
    let (low, rest) = block.split_at(128);
    let (high, rest) = rest.split_at(64);
    let (scales, factor) = rest.split_at(16);
    for (low, high) in low.chunks(64).zip(high.chunks(32)) {
        let of_half = halves(low).enumerate().map(|(at, bits)| {
            let place = 2 * (at / 32);
            bits | (high[at % 32] >> place & 3) << 4
        });
        to.integers.extend(of_half);
    }
    let factor = half(factor);
    let scales = scales.iter().map(|scale| factor * f32::from(*scale as i8));
    to.scales.extend(scales);
}
