//! Known matrices of few bits, with a scale for each block.

use crate::graph::{
    attr::Param, builder::GraphBuilder, constant::Const, error::Result, value::Value,
};
use relay_dialects::{Element, element::Kind, index::ceil_div, relay::ops::blocks::in_bytes};

/// `DequantizeLinear` of a known matrix of at most 8 bits with scales for blocks along `axis`, as `nn.dequantize_blocks`; its rows are
/// blocks one after the other. `None` for other operands.
pub fn dequantize(
    b: &mut GraphBuilder,
    x: &Value,
    [scale, zero]: [Option<&Value>; 2],
    (axis, block): (usize, i64),
) -> Result<Option<Value>> {
    let constants = (x.constant(), scale.and_then(Value::constant));
    let (Some(numbers), Some(scales)) = constants else {
        return Ok(None);
    };
    let zeros = zero.map(Value::constant);
    let Some(matrix) = Matrix::of(numbers, (axis, block)) else {
        return Ok(None);
    };
    let fits = |value: &Const| value.shape == matrix.shape_of_scales();
    if !fits(scales) || zeros.is_some_and(|zeros| !zeros.is_some_and(fits)) {
        return Ok(None);
    }
    let zeros = match zeros.flatten() {
        None => b.scalar(Element::U8, matrix.offset),
        Some(zeros) => {
            let zeros = matrix.in_rows(&matrix.unsigned(zeros), 1, matrix.blocks());
            b.known(matrix.of_blocks(Element::U8, zeros))
        }
    };
    let bytes = scales.bytes();
    let scales_in_rows = matrix.in_rows(&bytes, scales.element.bytes(), matrix.blocks());
    let operands = [
        b.known(matrix.packed(numbers)),
        b.known(matrix.of_blocks(scales.element, scales_in_rows)),
        zeros,
    ];
    let attrs = [
        ("bits", Param::Int(matrix.bits)),
        ("columns", Param::Int(matrix.inputs)),
    ];
    let rows = b.op("nn.dequantize_blocks", &operands, &attrs)?;
    Ok(Some(match axis {
        0 => b.transpose(&rows, &[1, 0])?,
        _ => rows,
    }))
}

/// A matrix with blocks along one of its dimensions, which are those of a row.
struct Matrix {
    /// The dimension of the blocks.
    axis: usize,
    block: i64,
    bits: i64,
    units: i64,
    inputs: i64,
    /// What is added to the matrix's numbers, so that none is negative.
    offset: f64,
}

impl Matrix {
    /// None if kernels have no such blocks.
    fn of(numbers: &Const, (axis, block): (usize, i64)) -> Option<Self> {
        let element = numbers.element;
        let bits = i64::from(element.bits());
        let has_words = element.is_integer() && matches!(bits, 2 | 4 | 8);
        if !has_words || !(8..=1 << 20).contains(&block) || block * bits % 32 != 0 {
            return None;
        }
        let (units, inputs) = match (&numbers.shape[..], axis) {
            (&[inputs, units], 0) | (&[units, inputs], 1) => (units, inputs),
            _ => return None,
        };
        let offset = match element.kind() {
            Kind::Signed => f64::from(1 << (bits - 1)),
            _ => 0.0,
        };
        (units > 0 && inputs > 0).then_some(Self {
            axis,
            block,
            bits,
            units,
            inputs,
            offset,
        })
    }

    /// The blocks of a row.
    fn blocks(&self) -> i64 {
        ceil_div(self.inputs, self.block)
    }

    fn shape_of_scales(&self) -> Vec<i64> {
        match self.axis {
            0 => vec![self.blocks(), self.units],
            _ => vec![self.units, self.blocks()],
        }
    }

    /// Numbers without a sign, a byte each.
    fn unsigned(&self, numbers: &Const) -> Vec<u8> {
        let all = numbers.to_floats().into_iter();
        all.map(|number| (number + self.offset) as u8).collect()
    }

    /// Elements of so many bytes, `count` for each unit, with those of a unit one after the other.
    fn in_rows(&self, bytes: &[u8], size: usize, count: i64) -> Vec<u8> {
        if self.axis == 1 {
            return bytes.to_vec();
        }
        let (units, count) = (self.units as usize, count as usize);
        let places =
            (0..units).flat_map(|unit| (0..count).map(move |at| (at * units + unit) * size));
        places
            .flat_map(|at| bytes[at..at + size].iter().copied())
            .collect()
    }

    /// A number for each block.
    fn of_blocks(&self, element: Element, bytes: Vec<u8>) -> Const {
        Const::of_bytes(element, vec![self.units, self.blocks()], bytes)
    }

    /// The matrix in bytes of whole numbers, the first in the lowest bits. Zeros fill up the last block.
    fn packed(&self, numbers: &Const) -> Const {
        let rows = self.in_rows(&self.unsigned(numbers), 1, self.inputs);
        let of_row = (self.blocks() * self.block) as usize;
        let mut bytes = Vec::new();
        for row in rows.chunks_exact(self.inputs as usize) {
            let filled = row.iter().copied().chain(std::iter::repeat(0));
            let filled: Vec<u8> = filled.take(of_row).collect();
            bytes.extend(in_bytes(&filled, self.bits));
        }
        let size = self.block * self.bits / 8;
        Const::of_bytes(Element::U8, vec![self.units, self.blocks(), size], bytes)
    }
}
