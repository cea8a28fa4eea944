//! Tensors in a file: bytes that several may share, and where the elements of one lie in them.

use super::{
    constant::{Const, element_count},
    error::Result,
};
use bytes::Bytes;
use relay_dialects::element::Element;

/// The most elements of a tensor that repeats elements of its bytes, unless all of them are one element.
const MOST_REPEATED: i64 = 1 << 24;

/// A tensor in a file.
#[derive(Clone, Debug)]
pub struct Stored {
    /// The type of its elements.
    pub element: Element,
    /// Its extents.
    pub sizes: Vec<i64>,
    /// For each axis, how many elements are from one subscript to the next.
    pub strides: Vec<i64>,
    /// The element that it begins with.
    pub offset: i64,
    /// The elements of it, and of others.
    pub bytes: Bytes,
    /// Whether its numbers are complex. Then its last axis is that of their real and imaginary parts.
    pub is_complex: bool,
}

impl Stored {
    /// A tensor that has its bytes for itself, with its elements in order.
    pub fn dense(element: Element, sizes: Vec<i64>, bytes: Bytes) -> Self {
        let mut strides = vec![1; sizes.len()];
        for axis in (1..sizes.len()).rev() {
            strides[axis - 1] = sizes[axis].saturating_mul(strides[axis]);
        }
        Self {
            element,
            sizes,
            strides,
            offset: 0,
            bytes,
            is_complex: false,
        }
    }

    /// The same numbers as complex ones, whose strides and offset count these. `element` is the type of the parts.
    ///
    /// # Errors
    /// If 64 bits do not hold a stride.
    pub fn as_complex(mut self, element: Element) -> Result<Self> {
        let twice = |number: i64| {
            let twice = number.checked_mul(2);
            twice.ok_or_else(|| format!("a tensor's stride or offset is {number}"))
        };
        self.strides = self
            .strides
            .iter()
            .map(|stride| twice(*stride))
            .collect::<Result<_>>()?;
        self.offset = twice(self.offset)?;
        self.strides.push(1);
        self.sizes.push(2);
        Ok(Self {
            element,
            is_complex: true,
            ..self
        })
    }

    /// Whether two tensors are the same elements of the same bytes: weights that layers share.
    pub fn is_same(&self, other: &Self) -> bool {
        let place = |stored: &Self| (stored.bytes.as_ptr(), stored.bytes.len(), stored.offset);
        place(self) == place(other)
            && (self.element, &self.sizes, &self.strides)
                == (other.element, &other.sizes, &other.strides)
            && self.is_complex == other.is_complex
    }

    /// The tensor with its elements in order.
    ///
    /// # Errors
    /// If they do not lie in the bytes.
    pub fn read(&self) -> Result<Const> {
        let count = element_count(&self.sizes)?;
        let shape = self.sizes.clone();
        let width = self.element.bytes();
        if count == 0 {
            return Ok(Const::of_bytes(self.element, shape, Bytes::new()));
        }
        self.check()?;
        let first = self.offset as usize * width;
        if self.is_contiguous() {
            let bytes = self.bytes.slice(first..first + count as usize * width);
            return Ok(Const::of_bytes(self.element, shape, bytes));
        }
        let held = (self.bytes.len() / width) as i64;
        if count > held && count > MOST_REPEATED {
            return Err(format!(
                "it repeats {held} elements as {shape:?}, which is too large"
            ));
        }
        let mut elements = Vec::with_capacity(count as usize * width);
        let mut place = vec![0; shape.len()];
        let mut at = self.offset;
        for _ in 0..count {
            let from = at as usize * width;
            elements.extend_from_slice(&self.bytes[from..from + width]);
            for axis in (0..shape.len()).rev() {
                place[axis] += 1;
                at += self.strides[axis];
                if place[axis] < shape[axis] {
                    break;
                }
                at -= place[axis] * self.strides[axis];
                place[axis] = 0;
            }
        }
        Ok(Const::of_bytes(self.element, shape, elements))
    }

    /// Whether the elements lie in order, one behind the other.
    fn is_contiguous(&self) -> bool {
        let mut next = 1;
        let axes = self.sizes.iter().zip(&self.strides).rev();
        axes.filter(|(size, _)| **size != 1).all(|(size, stride)| {
            let is_next = *stride == next;
            next *= size;
            is_next
        })
    }

    /// Checks that all elements lie in the bytes.
    fn check(&self) -> Result<()> {
        let wrong = || {
            format!(
                "a tensor of shape {:?} with strides {:?} from element {} on does not lie in its {} bytes",
                self.sizes,
                self.strides,
                self.offset,
                self.bytes.len()
            )
        };
        if self.strides.len() != self.sizes.len() || self.offset < 0 {
            return Err(wrong());
        }
        let axes = self.sizes.iter().zip(&self.strides);
        let last = axes
            .into_iter()
            .try_fold(self.offset, |last, (size, stride)| {
                let reach = (size - 1).checked_mul(*stride)?;
                last.checked_add(reach).filter(|_| *stride >= 0)
            });
        let end = last.and_then(|last| {
            last.checked_add(1)?
                .checked_mul(self.element.bytes() as i64)
        });
        match end.is_some_and(|end| end as u64 <= self.bytes.len() as u64) {
            true => Ok(()),
            false => Err(wrong()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Stored;
    use proptest::prelude::*;
    use relay_dialects::element::Element;

    fn stored(sizes: &[i64], strides: &[i64], offset: i64, bytes: usize) -> Stored {
        Stored {
            element: Element::U8,
            sizes: sizes.to_vec(),
            strides: strides.to_vec(),
            offset,
            bytes: (0..bytes).map(|byte| byte as u8).collect::<Vec<_>>().into(),
            is_complex: false,
        }
    }

    #[test]
    fn strides_say_the_order() {
        let read = stored(&[2, 3], &[1, 2], 1, 7).read();
        assert_eq!(
            read.map(|read| read.bytes().to_vec()),
            Ok(vec![1, 3, 5, 2, 4, 6])
        );
    }

    #[test]
    fn one_element_may_stand_for_several() {
        let read = stored(&[2, 2], &[0, 1], 0, 2).read();
        assert_eq!(read.map(|read| read.bytes().to_vec()), Ok(vec![0, 1, 0, 1]));
        let bomb = stored(&[1 << 20, 1 << 19], &[0, 0], 0, 1).read();
        assert!(bomb.is_err());
    }

    proptest! {
        #[test]
        fn nothing_outside_of_the_bytes_is_read(
            axes in prop::collection::vec((-2i64..9, -3i64..9), 0..4), offset in -2i64..40, bytes in 0usize..40
        ) {
            let (sizes, strides): (Vec<i64>, Vec<i64>) = axes.into_iter().unzip();
            if let Ok(read) = stored(&sizes, &strides, offset, bytes).read() {
                prop_assert_eq!(read.bytes().len(), read.count());
            }
        }
    }
}
