//! Matrices as the blocks of them that are not zero: BSR, block compressed sparse rows.

use relay_dialects::Element;

/// A dense matrix, in the bytes of a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Matrix {
    /// Its rows.
    pub rows: usize,
    /// Its columns.
    pub columns: usize,
    /// Whether what lies together is a column.
    pub is_transposed: bool,
}

impl Matrix {
    /// The number of the element of a row and a column.
    fn place(self, row: usize, column: usize) -> usize {
        match self.is_transposed {
            true => column * self.rows + row,
            false => row * self.columns + column,
        }
    }
}

/// The blocks of a matrix, from left to right and top to bottom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blocks {
    /// Their elements' bytes, row by row of each block.
    pub data: Vec<u8>,
    /// Their columns, counted in blocks.
    pub indices: Vec<i32>,
    /// For each row of blocks, the number of its first block; then how many there are.
    pub starts: Vec<i32>,
}

impl Blocks {
    /// The blocks of `height` rows and `width` columns that hold anything but zeros. `None` if such blocks do not divide the
    /// matrix, if `bytes` are not those of its elements, or if 32 bits do not hold the number of blocks.
    pub fn of(
        (bytes, element): (&[u8], Element),
        matrix: Matrix,
        [height, width]: [usize; 2],
    ) -> Option<Self> {
        let (rows, columns) = (matrix.rows, matrix.columns);
        let is_whole = rows.is_multiple_of(height) && columns.is_multiple_of(width);
        let size = rows.checked_mul(columns)?.checked_mul(element.bytes())?;
        if height == 0 || width == 0 || !is_whole || bytes.len() != size {
            return None;
        }
        let mut blocks = Self {
            data: Vec::new(),
            indices: Vec::new(),
            starts: vec![0],
        };
        for top in (0..rows).step_by(height) {
            for left in (0..columns).step_by(width) {
                let places = (top..top + height)
                    .flat_map(|row| (left..left + width).map(move |column| (row, column)));
                let places = places.map(|(row, column)| matrix.place(row, column));
                let elements = places.map(|place| {
                    let first = place * element.bytes();
                    &bytes[first..first + element.bytes()]
                });
                if elements.clone().any(|bytes| !is_zero(bytes, element)) {
                    elements.for_each(|bytes| blocks.data.extend_from_slice(bytes));
                    blocks.indices.push(i32::try_from(left / width).ok()?);
                }
            }
            let end = i32::try_from(blocks.indices.len()).ok()?;
            blocks.starts.push(end);
        }
        Some(blocks)
    }

    /// The share of a matrix's elements that is in none of the blocks; 0 of a matrix without elements.
    pub fn sparsity(&self, matrix: Matrix, element: Element) -> f64 {
        let all = matrix.rows * matrix.columns * element.bytes();
        match all {
            0 => 0.0,
            all => 1.0 - self.data.len() as f64 / all as f64,
        }
    }
}

/// Whether an element is zero; of floats, also if it is negative.
fn is_zero(bytes: &[u8], element: Element) -> bool {
    let Some((last, others)) = bytes.split_last() else {
        return true;
    };
    let sign = if element.is_float() { 0x80 } else { 0 };
    last & !sign == 0 && others.iter().all(|byte| *byte == 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// What the blocks say of a matrix, row by row.
    fn dense(blocks: &Blocks, matrix: Matrix, [height, width]: [usize; 2]) -> Vec<u8> {
        let mut bytes = vec![0; matrix.rows * matrix.columns];
        for (row, ends) in blocks.starts.windows(2).enumerate() {
            for block in ends[0] as usize..ends[1] as usize {
                let left = blocks.indices[block] as usize * width;
                for place in 0..height * width {
                    let (y, x) = (row * height + place / width, left + place % width);
                    bytes[y * matrix.columns + x] = blocks.data[block * height * width + place];
                }
            }
        }
        bytes
    }

    /// A matrix of bytes of which most are zero, and blocks that divide it.
    fn matrices() -> impl Strategy<Value = (Vec<u8>, Matrix, [usize; 2])> {
        let shape = (
            0_usize..5,
            0_usize..5,
            1_usize..4,
            1_usize..4,
            any::<bool>(),
        );
        shape.prop_flat_map(|(down, right, height, width, is_transposed)| {
            let (rows, columns) = (down * height, right * width);
            let matrix = Matrix {
                rows,
                columns,
                is_transposed,
            };
            let element = prop_oneof![5 => Just(0_u8), 1 => any::<u8>()];
            let bytes = proptest::collection::vec(element, rows * columns);
            bytes.prop_map(move |bytes| (bytes, matrix, [height, width]))
        })
    }

    proptest! {
        /// Every element is found again, no block is all zeros, and blocks of a row are in order.
        #[test]
        fn blocks_are_the_matrix((bytes, matrix, block) in matrices()) {
            let blocks = Blocks::of((&bytes, Element::I8), matrix, block).expect("blocks divide it");
            let size = block[0] * block[1];
            let rows: Vec<u8> = (0..matrix.rows)
                .flat_map(|row| (0..matrix.columns).map(move |column| (row, column)))
                .map(|(row, column)| bytes[matrix.place(row, column)])
                .collect();
            prop_assert_eq!(dense(&blocks, matrix, block), rows);
            prop_assert_eq!(blocks.data.len(), blocks.indices.len() * size);
            prop_assert!(blocks.data.chunks(size).all(|block| block.iter().any(|byte| *byte != 0)));
            prop_assert_eq!(blocks.starts.len(), matrix.rows / block[0] + 1);
            prop_assert_eq!(blocks.starts.last().copied(), i32::try_from(blocks.indices.len()).ok());
            for ends in blocks.starts.windows(2) {
                let row = &blocks.indices[ends[0] as usize..ends[1] as usize];
                prop_assert!(row.windows(2).all(|pair| pair[0] < pair[1]));
            }
        }

        #[test]
        fn other_blocks_divide_no_matrix((bytes, matrix, [height, width]) in matrices()) {
            let higher = Blocks::of((&bytes, Element::I8), matrix, [height * 7, width]);
            prop_assert_eq!(higher.is_some(), matrix.rows == 0);
            let short = Blocks::of((&bytes, Element::I16), matrix, [height, width]);
            prop_assert_eq!(short.is_some(), bytes.is_empty());
        }
    }

    #[test]
    fn negative_zeros_are_zeros_of_floats_only() {
        let matrix = Matrix {
            rows: 1,
            columns: 2,
            is_transposed: false,
        };
        let bytes = [-0.0_f32, 1.0].map(f32::to_le_bytes).concat();
        let floats = Blocks::of((&bytes, Element::F32), matrix, [1, 1]).expect("they divide it");
        assert_eq!(floats.indices, [1]);
        assert!((floats.sparsity(matrix, Element::F32) - 0.5).abs() < f64::EPSILON);
        let integers = Blocks::of((&bytes, Element::I32), matrix, [1, 1]).expect("they divide it");
        assert_eq!(integers.indices, [0, 1]);
    }
}
