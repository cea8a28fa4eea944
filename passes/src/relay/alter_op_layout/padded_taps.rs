//! Convolutions of windows that reach into the padding with whole taps: only products with data are left.
//!
//! A tap of a dilated window that is as far from the middle as the image is wide meets nothing but padding,
//! wherever the window is: it goes. One that is nearly as far off meets data from a part of the positions. The
//! schedules of convolutions on vectors leave it out at the other positions. Convolutions without such schedules are
//! taken apart where that saves enough: the result is cut where taps begin or end to meet data; each part is a convolution without padding, by the taps
//! that meet data from all of it, and the parts are concatenated.

use super::packing::block_size;
use crate::graph::{
    operators::{is_computed_in_f32, is_foldable, is_plain_conv2d, make, remake},
    shapes::slice_axis,
};
use relay_dialects::{
    ir::{Attr, Block, Builder, Op, Value},
    names,
    relay::{Attrs, ops::window::Window},
};
use relay_topi::{
    Machine,
    schedule::cost::{
        layout::MIN_BLOCK,
        padding::{Taken, TakenApart},
    },
};

/// Leaves out what only meets padding in the `nn.conv2d`s of a block.
pub fn leave_out(block: Block, machine: Machine) {
    for op in block.ops() {
        let Some(conv) = Convolution::of(op) else {
            continue;
        };
        let less = conv.apart(machine).or_else(|| conv.cropped());
        if let Some(result) = less {
            op.result(0).replace_all_uses_with(result);
            op.erase();
        }
    }
}

/// The positions of a window, in one dimension, from which a tap meets data.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Tap {
    /// What it reads at position 0; it may lie before the data.
    offset: i64,
    /// The first position from which it meets data, and that after the last one.
    positions: (i64, i64),
}

/// A part of a convolution in one dimension.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Piece {
    /// The results that it computes, from the first to before the last.
    results: (i64, i64),
    /// The taps that it sums over.
    taps: (i64, i64),
    /// The data that they meet.
    data: (i64, i64),
    /// The padding that is left around them.
    padding: (i64, i64),
}

impl Piece {
    fn count(self) -> i64 {
        self.results.1 - self.results.0
    }

    fn size(self) -> i64 {
        self.taps.1 - self.taps.0
    }
}

/// One dimension of a convolution.
#[derive(Clone, Copy, Debug)]
struct Dimension {
    extent: i64,
    results: i64,
    size: i64,
    stride: i64,
    dilation: i64,
    before: i64,
}

impl Dimension {
    fn tap(self, index: i64) -> Tap {
        let offset = index * self.dilation - self.before;
        // The first position at or behind the one where the tap is on the element, which may not exist.
        let reaching = |element: i64| -(offset - element).div_euclid(self.stride);
        let bounded = |position: i64| position.clamp(0, self.results);
        Tap {
            offset,
            positions: (bounded(reaching(0)), bounded(reaching(self.extent))),
        }
    }

    fn meets(self, index: i64) -> bool {
        let (first, end) = self.tap(index).positions;
        first < end
    }

    /// The whole, without the taps before and after all that meet data. None if no tap does.
    fn cropped(self) -> Option<Piece> {
        let first = (0..self.size).find(|tap| self.meets(*tap))?;
        let last = (0..self.size).rfind(|tap| self.meets(*tap))?;
        let begin = self.tap(first).offset;
        let end = self.tap(last).offset + (self.results - 1) * self.stride + 1;
        Some(Piece {
            results: (0, self.results),
            taps: (first, last + 1),
            data: (begin.max(0), end.min(self.extent)),
            padding: ((-begin).max(0), (end - self.extent).max(0)),
        })
    }

    /// By the taps `first` to before `end`, at positions from which all of them meet data.
    fn piece(self, taps: (i64, i64), results: (i64, i64)) -> Piece {
        let at = |tap: i64, position: i64| self.tap(tap).offset + position * self.stride;
        Piece {
            results,
            taps,
            data: (at(taps.0, results.0), at(taps.1 - 1, results.1 - 1) + 1),
            padding: (0, 0),
        }
    }

    /// Parts of the result, each with the taps that meet data from all of its positions. None if those
    /// of a part are not neighbours, or none.
    fn by_parts(self) -> Option<Vec<Piece>> {
        let taps: Vec<Tap> = (0..self.size).map(|tap| self.tap(tap)).collect();
        let ends = taps
            .iter()
            .flat_map(|tap| [tap.positions.0, tap.positions.1]);
        let mut cuts: Vec<i64> = ends.chain([0, self.results]).collect();
        cuts.sort_unstable();
        cuts.dedup();
        let parts = cuts.windows(2).map(|cut| (cut[0], cut[1]));
        parts
            .map(|(first, end)| {
                let meets = |tap: &Tap| tap.positions.0 <= first && end <= tap.positions.1;
                let begin = taps.iter().position(meets)?;
                let count = taps[begin..].iter().take_while(|tap| meets(tap)).count();
                let all = taps.iter().filter(|tap| meets(tap)).count() == count;
                let taps = (begin as i64, (begin + count) as i64);
                all.then(|| self.piece(taps, (first, end)))
            })
            .collect()
    }
}

/// A convolution that may be taken apart.
struct Convolution {
    op: Op,
    builder: Builder,
    space: [Dimension; 2],
}

impl Convolution {
    /// A `nn.conv2d` on NCHW of static shapes that computes something.
    fn of(op: Op) -> Option<Self> {
        if !is_plain_conv2d(op) || op.result(0).ty().shape().contains(&0) {
            return None;
        }
        let types = [0, 1].map(|index| op.operand(index).ty());
        if !types
            .iter()
            .all(|ty| ty.is_static() && is_computed_in_f32(ty.element()))
        {
            return None;
        }
        let (data, results) = (types[0].shape(), op.result(0).ty().shape());
        let window = Window::of(&Attrs::of(op), &types[1].shape()[2..]).ok()?;
        let space = [0, 1].map(|dim| Dimension {
            extent: data[dim + 2],
            results: results[dim + 2],
            size: window.size[dim],
            stride: window.strides[dim],
            dilation: window.dilation[dim],
            before: window.before[dim],
        });
        Some(Self {
            op,
            builder: Builder::before(op),
            space,
        })
    }

    /// Without the taps that meet no data at all; None if there are none of them.
    fn cropped(&self) -> Option<Value> {
        let [rows, columns] = self.space.map(Dimension::cropped);
        let pieces = [rows?, columns?];
        let all = self.space.iter().zip(pieces);
        let drops = all.map(|(dim, piece)| piece.size() < dim.size);
        drops
            .into_iter()
            .any(|drops| drops)
            .then(|| self.piece(pieces))
    }

    /// Taken apart, where its own schedule would not leave the padding out, and an estimate of the cycles says that it
    /// is faster.
    fn apart(&self, machine: Machine) -> Option<Value> {
        if self.is_on_vectors(machine) || !is_foldable(self.op.operand(1)) {
            return None;
        }
        let whole = self.space.map(Dimension::cropped);
        let [rows, columns] = [whole[0]?, whole[1]?];
        let kernel = self.op.operand(1).ty().shape();
        let apart = TakenApart {
            outputs: self.op.result(0).ty().shape()[0] * kernel[0],
            inputs: kernel[1],
            whole: taken(&[vec![rows], vec![columns]]),
        };
        let parts = self.each(Dimension::by_parts)?;
        let is_faster = apart.by_parts(taken(&parts), machine) < apart.plain(machine);
        is_faster.then(|| self.joined(&parts))
    }

    /// Whether its channels make vectors of f32.
    fn is_on_vectors(&self, machine: Machine) -> bool {
        let groups = Attrs::of(self.op).int("groups").unwrap_or(1);
        let channels = self.op.operand(1).ty().shape()[0] / groups.max(1);
        let is_f32 = self.op.result(0).ty().element().is_f32();
        is_f32 && block_size(channels, machine.block()) >= MIN_BLOCK
    }

    /// The pieces of each dimension: where the taps lie apart, as `pieces` says, or else the whole.
    fn each(&self, pieces: impl Fn(Dimension) -> Option<Vec<Piece>>) -> Option<[Vec<Piece>; 2]> {
        let [rows, columns] = self.space.map(|dim| match dim.dilation {
            1 => Some(vec![dim.cropped()?]),
            _ => pieces(dim),
        });
        Some([rows?, columns?])
    }

    /// The convolutions of all pieces beside each other.
    fn joined(&self, pieces: &[Vec<Piece>; 2]) -> Value {
        let rows: Vec<Value> = pieces[0]
            .iter()
            .map(|row| {
                let columns: Vec<Value> = pieces[1]
                    .iter()
                    .map(|column| self.piece([*row, *column]))
                    .collect();
                self.concatenated(&columns, 3)
            })
            .collect();
        self.concatenated(&rows, 2)
    }

    fn concatenated(&self, values: &[Value], axis: i64) -> Value {
        match values {
            [only] => *only,
            _ => {
                let axis = [("axis", Attr::i64(self.builder.ctx, axis))];
                make(&self.builder, names::relay::CONCATENATE, values, &axis)
            }
        }
    }

    /// The convolution of a piece of each dimension.
    fn piece(&self, pieces: [Piece; 2]) -> Value {
        let (mut data, mut weight) = (self.op.operand(0), self.op.operand(1));
        for (dim, piece) in pieces.iter().enumerate() {
            data = self.slice(data, dim + 2, piece.data);
            weight = self.slice(weight, dim + 2, piece.taps);
        }
        let [rows, columns] = pieces.map(|piece| piece.padding);
        let padding = [rows.0, columns.0, rows.1, columns.1];
        let changes = [("padding", Attr::ints(self.builder.ctx, &padding))];
        remake(&self.builder, self.op, &[data, weight], &changes)
    }

    fn slice(&self, value: Value, axis: usize, (begin, end): (i64, i64)) -> Value {
        if (begin, end) == (0, value.ty().shape()[axis]) {
            return value;
        }
        slice_axis(&self.builder, value, axis, (begin, end, 1))
    }
}

/// What pieces come to, all of rows with all of columns.
fn taken([rows, columns]: &[Vec<Piece>; 2]) -> Taken {
    let all = || {
        let pieces = rows.iter();
        pieces.flat_map(|row| columns.iter().map(move |column| [*row, *column]))
    };
    let product = |number: fn(Piece) -> i64| -> i64 {
        all()
            .map(|[row, column]| number(row) * number(column))
            .sum()
    };
    Taken {
        pieces: all().count() as i64,
        positions: product(Piece::count),
        taps: product(Piece::size),
        products: product(|piece| piece.count() * piece.size()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Stride and dilation as given, padding that keeps the extent.
    fn dimension(extent: i64, size: i64, dilation: i64) -> Dimension {
        Dimension {
            extent,
            results: extent,
            size,
            stride: 1,
            dilation,
            before: dilation * (size / 2),
        }
    }

    /// Every product of a position, a tap and an element, as the definition has them.
    fn products(dim: Dimension) -> Vec<(i64, i64)> {
        let all = (0..dim.results).flat_map(|at| (0..dim.size).map(move |tap| (at, tap)));
        let element = |(at, tap)| at * dim.stride + tap * dim.dilation - dim.before;
        all.filter(|place| (0..dim.extent).contains(&element(*place)))
            .collect()
    }

    /// What the pieces multiply, sorted; all of it must be data.
    fn products_of(dim: Dimension, pieces: &[Piece]) -> Vec<(i64, i64)> {
        let mut found: Vec<(i64, i64)> = pieces
            .iter()
            .flat_map(|piece| {
                assert_eq!(piece.padding, (0, 0));
                let span = (piece.count() - 1) * dim.stride + (piece.size() - 1) * dim.dilation + 1;
                assert_eq!(piece.data.1 - piece.data.0, span);
                assert!(0 <= piece.data.0 && piece.data.1 <= dim.extent);
                (piece.results.0..piece.results.1)
                    .flat_map(|at| (piece.taps.0..piece.taps.1).map(move |tap| (at, tap)))
            })
            .collect();
        found.sort_unstable();
        found
    }

    #[test]
    fn pieces_multiply_what_meets_data() {
        for (extent, size, dilation, stride, before) in [
            (16, 3, 12, 1, 12),
            (33, 3, 12, 1, 12),
            (20, 5, 6, 1, 12),
            (16, 3, 24, 1, 24),
            (17, 4, 5, 2, 8),
            (9, 3, 7, 3, 7),
            (1, 3, 2, 1, 2),
            (5, 2, 3, 1, 0),
        ] {
            let room = extent + 2 * before - (size - 1) * dilation - 1;
            let dim = Dimension {
                extent,
                results: room / stride + 1,
                size,
                stride,
                dilation,
                before,
            };
            let expected = products(dim);
            if let Some(parts) = dim.by_parts() {
                assert_eq!(products_of(dim, &parts), expected, "{dim:?}");
                let results: i64 = parts.iter().map(|part| part.count()).sum();
                assert_eq!(results, dim.results);
            }
        }
    }

    #[test]
    fn parts_need_data_everywhere() {
        // Between the taps there are positions from which none meets the one element.
        assert_eq!(
            dimension(1, 3, 1).by_parts().map(|parts| parts.len()),
            Some(1)
        );
        let apart = Dimension {
            results: 5,
            ..dimension(1, 3, 2)
        };
        assert_eq!(apart.by_parts(), None);
    }

    #[test]
    fn only_taps_at_the_ends_are_cropped() {
        let cropped = dimension(16, 3, 24)
            .cropped()
            .expect("the middle meets data");
        assert_eq!(
            (cropped.taps, cropped.padding, cropped.data),
            ((1, 2), (0, 0), (0, 16))
        );
        let whole = dimension(16, 3, 12).cropped().expect("all meet data");
        assert_eq!((whole.taps, whole.padding), ((0, 3), (12, 12)));
    }
}
