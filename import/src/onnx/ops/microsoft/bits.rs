//! Products with weights of a few bits, and rows of such.

use super::super::row::{Row, row};
use crate::{
    compose::blocks::numbers_of_bytes,
    graph::{
        attr::Param,
        builder::GraphBuilder,
        constant::{Const, element_count},
        error::Result,
        value::Value,
    },
    onnx::node::Node,
};
use relay_dialects::{dim::Dim, element::Element, index::ceil_div};

/// The family's rows.
pub const ROWS: &[Row] = &[
    row("com.microsoft.GatherBlockQuantized", 1, gather),
    row("com.microsoft.MatMulNBits", 1, matmul),
];

/// The most numbers of a weight.
const MOST: i64 = 1 << 32;

/// The product with a weight that is known.
fn matmul(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(6)?;
    // How coarse the first operand may become; nothing is lost of it here.
    n.ignore_attr("accuracy_level");
    if n.attr_i64_or("weight_prepacked", 0)? != 0 {
        return Err("attribute 'weight_prepacked' is supported as 0 only".into());
    }
    if n.optional(4).is_some() {
        return Err("groups of columns (input 4) are not supported".into());
    }
    let x = n.input(0)?;
    let shape = [n.required_i64("N")?, n.required_i64("K")?];
    let packed = Packed::of(
        shape,
        n.attr_i64_or("bits", 4)?,
        n.required_i64("block_size")?,
    )?;
    let last = x.axis(-1)?;
    let rows = b.matrix(&x, last)?;
    let scales = b.known(packed.of_blocks(&n.constant(2, "the scale")?, "scales")?);
    let operands = [
        rows,
        b.known(packed.weight(&n.constant(1, "the weight")?)?),
        b.cast(&scales, x.element())?,
        packed.zeros(n, b)?,
    ];
    let bits = [("bits", Param::Int(packed.bits as i64))];
    let result = b.op("nn.dense_blocks", &operands, &bits)?;
    let mut shape = x.dims().to_vec();
    shape[last] = result.dims()[1];
    let result = b.reshape(&result, &shape)?;
    Ok(vec![match n.optional(5) {
        Some(bias) => b.binary("add", &result, &bias)?,
        None => result,
    }])
}

/// Rows of a weight that is known.
fn gather(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(4)?;
    let (weight, scales) = (n.constant(0, "the weight")?, n.constant(2, "the scale")?);
    let &[rows, bytes] = &weight.shape[..] else {
        return Err(format!(
            "the weight has shape {:?}, expected rank 2",
            weight.shape
        ));
    };
    let axes = [
        n.attr_i64_or("gather_axis", 0)?,
        n.attr_i64_or("quantize_axis", 1)?,
    ];
    if !matches!(axes, [0 | -2, 1 | -1]) {
        return Err(format!(
            "rows {axes:?} are asked for; only those of axis 0 in blocks of axis 1 are supported"
        ));
    }
    let bits = n.attr_i64_or("bits", 4)?;
    let columns = bytes.saturating_mul(8).checked_div(bits).unwrap_or(0);
    let packed = Packed::of([rows, columns], bits, n.attr_i64_or("block_size", 128)?)?;
    if packed.blocks * packed.block != packed.columns {
        return Err(format!(
            "rows of {columns} numbers are no whole blocks of {}",
            packed.block
        ));
    }
    let places = n.input(1)?;
    let element = scales.element;
    let weight = b.known(packed.weight(&weight)?);
    let weight = b.taken(&weight, &places, 0)?;
    let grain = (packed.bits as i64, packed.block as i64);
    let numbers = numbers_of_bytes(b, &weight, grain)?;
    let numbers = b.cast(&numbers, element)?;
    let zeros = packed.zeros(n, b)?;
    let scales = b.known(packed.of_blocks(&scales, "scales")?);
    let [scales, zeros] = [scales, zeros].map(|value| of_rows(b, &value, &places, element));
    let distances = b.binary("subtract", &numbers, &zeros?)?;
    let floats = b.binary("multiply", &distances, &scales?)?;
    let shape = [places.dims(), &[Dim::Known(columns)]].concat();
    Ok(vec![b.reshape(&floats, &shape)?])
}

/// The scales or zero points of the rows that are taken, in a shape that broadcasts to their numbers.
fn of_rows(b: &mut GraphBuilder, value: &Value, places: &Value, element: Element) -> Result<Value> {
    let value = b.cast(value, element)?;
    if value.rank() == 0 {
        return Ok(value);
    }
    let taken = b.taken(&value, places, 0)?;
    let shape = [taken.dims(), &[Dim::Known(1)]].concat();
    b.reshape(&taken, &shape)
}

/// A weight of so many rows and columns. Blocks of a row share a scale and a zero point, and are whole in memory.
struct Packed {
    rows: usize,
    columns: usize,
    blocks: usize,
    /// The columns of a block.
    block: usize,
    /// The bits of a number: a byte has whole ones, the first in its lowest bits.
    bits: usize,
}

impl Packed {
    fn of([rows, columns]: [i64; 2], bits: i64, block: i64) -> Result<Self> {
        let count = element_count(&[rows, columns])?;
        if count > MOST {
            return Err(format!(
                "{count} numbers are too many; up to 2^32 are supported"
            ));
        }
        let is_block = (8..=1 << 20).contains(&block) && block.saturating_mul(bits) % 32 == 0;
        if !matches!(bits, 2 | 4 | 8) || !is_block {
            return Err(format!(
                "blocks of {block} numbers of {bits} bits are not supported"
            ));
        }
        Ok(Self {
            rows: rows as usize,
            columns: columns as usize,
            blocks: ceil_div(columns, block) as usize,
            block: block as usize,
            bits: bits as usize,
        })
    }

    /// One number for each block of each row.
    fn of_blocks(&self, numbers: &Const, what: &str) -> Result<Const> {
        let count = self.rows * self.blocks;
        if numbers.count() != count {
            return Err(format!(
                "there are {} {what}, expected {count}: one for each block of {} numbers of a row",
                numbers.count(),
                self.block
            ));
        }
        let bytes = numbers.bytes().into_owned();
        Ok(Const::of_bytes(
            numbers.element,
            self.shape_of_blocks(),
            bytes,
        ))
    }

    fn shape_of_blocks(&self) -> Vec<i64> {
        vec![self.rows as i64, self.blocks as i64]
    }

    /// The zero point of each block, which are an input: floats, or packed like a row's numbers. Without it, it is the middle of what the bits
    /// can say.
    fn zeros(&self, n: &Node<'_>, b: &GraphBuilder) -> Result<Value> {
        if n.optional(3).is_none() {
            let middle = f64::from(1u32 << (self.bits - 1));
            return Ok(b.scalar(Element::U8, middle));
        }
        let zeros = &n.constant(3, "the zero point")?;
        if zeros.element.is_float() {
            return Ok(b.known(self.of_blocks(zeros, "zero points")?));
        }
        let row = (self.blocks * self.bits).div_ceil(8);
        let bytes = self.bytes(zeros, self.rows * row, "zero points")?;
        let places = (0..self.rows).flat_map(|at| (0..self.blocks).map(move |block| (at, block)));
        let number = |(at, block): (usize, usize)| self.number(&bytes[at * row..], block);
        let numbers: Vec<u8> = places.map(number).collect();
        let numbers = Const::of_bytes(Element::U8, self.shape_of_blocks(), numbers);
        Ok(b.known(numbers))
    }

    /// The weight's bytes, those of a block apart.
    fn weight(&self, weight: &Const) -> Result<Const> {
        let size = self.block * self.bits / 8;
        let bytes = self.bytes(weight, self.rows * self.blocks * size, "weights")?;
        let shape = [&self.shape_of_blocks()[..], &[size as i64]].concat();
        Ok(Const::of_bytes(Element::U8, shape, bytes))
    }

    /// The bytes of packed numbers.
    fn bytes(&self, packed: &Const, count: usize, what: &str) -> Result<Vec<u8>> {
        let bytes = packed.bytes();
        match packed.element == Element::U8 && bytes.len() == count {
            true => Ok(bytes.into_owned()),
            false => Err(format!(
                "packed {what} have type {:?} and shape {:?}, expected {count} bytes",
                packed.element, packed.shape
            )),
        }
    }

    /// One of the numbers that are packed in bytes.
    fn number(&self, bytes: &[u8], place: usize) -> u8 {
        let bit = place * self.bits;
        (bytes[bit / 8] >> (bit % 8)) & (u8::MAX >> (8 - self.bits))
    }
}
