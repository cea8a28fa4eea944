//! The elements of constants.

use super::{
    element::{element, packed},
    schema::{Buffer, Model, SparseDim, Sparsity, Tensor},
};
use crate::graph::{
    constant::{Const, element_count},
    error::Result,
};
use bytes::Bytes;
use relay_dialects::element::Element;

/// How many times as large as its lists a sparse tensor may be.
const MOST_SPARSE: usize = 1024;

/// The least size that a sparse tensor may have whatever its lists are.
const LEAST_SPARSE: usize = 1 << 16;

/// A tensor's elements, if the file has them.
///
/// # Errors
/// If they are not in the file, or not as many as the shape says.
pub fn read(model: &Model, file: &Bytes, tensor: &Tensor) -> Result<Option<Const>> {
    if tensor.is_variable {
        return Ok(None);
    }
    if tensor.external != 0 {
        return Err("its elements lie in another file, which is not supported".into());
    }
    let Some(bytes) = contents(model, file, tensor.buffer)? else {
        return Ok(None);
    };
    let element = element(tensor.ty)?;
    let shape: Vec<i64> = tensor.shape.iter().map(|&dim| dim.into()).collect();
    let count = element_count(&shape)? as usize;
    let bytes = match &tensor.sparsity {
        Some(sparsity) => {
            let width = packed(tensor.ty).map_or(element.bytes(), |_| 1);
            let listed = unpacked(tensor.ty, bytes, usize::MAX);
            dense(sparsity, &tensor.shape, (&listed, width), count)?.into()
        }
        None => unpacked(tensor.ty, bytes, count),
    };
    let bytes = match element {
        Element::Bool => bytes.iter().map(|&byte| u8::from(byte != 0)).collect(),
        _ => bytes,
    };
    if count.checked_mul(element.bytes()) != Some(bytes.len()) {
        return Err(format!(
            "it has {} bytes; {count} elements of {element:?} were expected",
            bytes.len()
        ));
    }
    Ok(Some(Const::of_bytes(element, shape, bytes)))
}

/// The bytes of a buffer; none if it is empty.
fn contents(model: &Model, file: &Bytes, buffer: u32) -> Result<Option<Bytes>> {
    let found = model.buffers.get(buffer as usize);
    let Buffer { at, size } = match found {
        Some(buffer) => *buffer,
        // Some writers list no buffers where no tensor has any.
        None if buffer == 0 => return Ok(None),
        None => return Err(format!("it names buffer {buffer}, which is not there")),
    };
    if size == 0 {
        return Ok(None);
    }
    let end = at.checked_add(size).filter(|end| *end <= file.len() as u64);
    let end = end.ok_or_else(|| {
        format!(
            "buffer {buffer} has {size} bytes from byte {at} on; the file has {}",
            file.len()
        )
    })?;
    Ok(Some(file.slice(at as usize..end as usize)))
}

/// Elements of fewer than 8 bits in a byte each, but no more than `count`; others as they are.
fn unpacked(ty: i8, bytes: Bytes, count: usize) -> Bytes {
    let Some((bits, is_signed)) = packed(ty) else {
        return bytes;
    };
    let each = 8 / bits;
    let unused = 8 - bits;
    let element = |index: usize| {
        let byte = bytes.get(index / each).copied().unwrap_or_default();
        // The first element is in the lowest bits.
        let high = byte << (unused - index % each * bits);
        match is_signed {
            true => (high as i8 >> unused) as u8,
            false => high >> unused,
        }
    };
    let there = bytes.len() * each;
    // The last byte may have room for more elements than there are.
    let count = if there / each == count.div_ceil(each) {
        count
    } else {
        there
    };
    (0..count).map(element).collect()
}

/// The most dimensions that a sparse tensor has, with those of its blocks.
const MOST_LEVELS: usize = 64;

/// What a sparse tensor is expanded from, and to.
struct Expansion<'s> {
    sparsity: &'s Sparsity,
    /// How far apart elements are in the result that differ by 1 in the subscript of a level.
    strides: Vec<usize>,
    values: &'s [u8],
    width: usize,
    result: Vec<u8>,
}

/// All elements of a sparse tensor.
fn dense(
    sparsity: &Sparsity,
    shape: &[i32],
    (values, width): (&[u8], usize),
    count: usize,
) -> Result<Vec<u8>> {
    let lists: usize = sparsity
        .dims
        .iter()
        .map(|dim| match dim {
            SparseDim::Dense(_) => 1,
            SparseDim::Listed {
                segments,
                subscripts,
            } => segments.len() + subscripts.len(),
        })
        .sum();
    let size = count.checked_mul(width).ok_or("it is too large")?;
    let most = (values.len() + lists)
        .saturating_mul(MOST_SPARSE)
        .max(LEAST_SPARSE);
    if size > most {
        return Err(format!(
            "it is sparse, and has {size} bytes, which {} bytes of elements do not account for",
            values.len()
        ));
    }
    if size == 0 {
        return Ok(Vec::new());
    }
    let mut expansion = Expansion {
        sparsity,
        strides: strides(sparsity, shape)?,
        values,
        width,
        result: vec![0; size],
    };
    expansion.level(0, 0, 0)?;
    Ok(expansion.result)
}

/// How far apart elements are that differ by 1 in the subscript of a level.
fn strides(sparsity: &Sparsity, shape: &[i32]) -> Result<Vec<usize>> {
    let wrong = || "its list of dimensions is not valid".to_string();
    let rank = shape.len();
    let levels = rank + sparsity.blocks.len();
    // Then no list is read twice, and each step of a loop reads one.
    let is_valid = |dim: &SparseDim| match dim {
        SparseDim::Dense(extent) => *extent > 0,
        SparseDim::Listed { segments, .. } => segments.is_sorted(),
    };
    let is_wrong = sparsity.order.len() != levels || sparsity.dims.len() != levels;
    if is_wrong || levels > MOST_LEVELS || !sparsity.dims.iter().all(is_valid) {
        return Err(wrong());
    }
    let mut apart = vec![1usize; rank];
    for axis in (1..rank).rev() {
        let extent = usize::try_from(shape[axis]).map_err(|_| wrong())?;
        apart[axis - 1] = apart[axis].checked_mul(extent).ok_or_else(wrong)?;
    }
    // The steps of dimensions outside of blocks are blocks.
    let mut of_level = vec![0usize; levels];
    let mut outer = apart.clone();
    for (level, number) in sparsity.order.iter().enumerate() {
        let number = usize::try_from(*number).map_err(|_| wrong())?;
        if let Some(block) = number.checked_sub(rank) {
            let axis = sparsity.blocks.get(block).ok_or_else(wrong)?;
            let axis = usize::try_from(*axis)
                .ok()
                .filter(|axis| *axis < rank)
                .ok_or_else(wrong)?;
            let SparseDim::Dense(extent) = sparsity.dims[level] else {
                return Err("its blocks are sparse themselves, which is not supported".into());
            };
            let extent = usize::try_from(extent).map_err(|_| wrong())?;
            of_level[level] = apart[axis];
            outer[axis] = apart[axis].checked_mul(extent).ok_or_else(wrong)?;
        }
    }
    for (level, number) in sparsity.order.iter().enumerate() {
        if let Some(apart) = usize::try_from(*number)
            .ok()
            .and_then(|number| outer.get(number))
        {
            of_level[level] = *apart;
        }
    }
    Ok(of_level)
}

impl Expansion<'_> {
    /// Writes what is below a place of the levels so far. `at` is where its first element is in the result.
    fn level(&mut self, level: usize, place: usize, at: usize) -> Result<()> {
        let sparsity = self.sparsity;
        let Some(dim) = sparsity.dims.get(level) else {
            return self.element(place, at);
        };
        let apart = self.strides.get(level).copied().unwrap_or_default();
        let next = |subscript: i64| {
            let subscript = usize::try_from(subscript).ok()?;
            at.checked_add(subscript.checked_mul(apart)?)
        };
        let outside = || "its lists lead out of it".to_string();
        match dim {
            SparseDim::Dense(extent) => {
                let extent = usize::try_from(*extent).map_err(|_| outside())?;
                let first = place.checked_mul(extent).ok_or_else(outside)?;
                for subscript in 0..extent {
                    let at = next(subscript as i64).ok_or_else(outside)?;
                    self.level(level + 1, first + subscript, at)?;
                }
            }
            SparseDim::Listed {
                segments,
                subscripts,
            } => {
                let segment = |place: usize| {
                    let bound = segments.get(place).copied().ok_or_else(outside)?;
                    usize::try_from(bound).map_err(|_| outside())
                };
                let (begin, end) = (segment(place)?, segment(place + 1)?);
                if end > subscripts.len() {
                    return Err(outside());
                }
                for (place, subscript) in subscripts.iter().enumerate().take(end).skip(begin) {
                    let at = next(*subscript).ok_or_else(outside)?;
                    self.level(level + 1, place, at)?;
                }
            }
        }
        Ok(())
    }

    fn element(&mut self, place: usize, at: usize) -> Result<()> {
        let width = self.width;
        let span = |place: usize| {
            let first = place.checked_mul(width)?;
            Some(first..first.checked_add(width)?)
        };
        let from = span(place).and_then(|span| self.values.get(span));
        let to = span(at).and_then(|span| self.result.get_mut(span));
        let (Some(from), Some(to)) = (from, to) else {
            return Err("its lists say more elements than there are".into());
        };
        to.copy_from_slice(from);
        Ok(())
    }
}
