//! Transposed convolutions as convolutions of stride 1, without the zeros between the data.
//!
//! With stride s, the results at t = q s + r for one r < s, counted from where the window at the first
//! element begins, see only the taps k = r + m s of the kernel, of the data at q - m: a small convolution
//! of the data itself. All s of them, in each dimension, are one convolution with s times the channels,
//! and the pixels of its channels lie interleaved in the result (sub-pixel convolution: Shi et al., 2016).

use crate::graph::{
    operators::{known_number, make},
    shapes::{reshape, slice_axis},
};
use relay_dialects::{
    Element,
    dim::Dim,
    index::ceil_div,
    ir::{Attr, Builder, Op, Value},
    names,
    relay::{
        Attrs,
        build::scalar,
        ops::{
            qnn::{DATA_ZERO, WEIGHT_ZERO},
            window::Window,
        },
    },
    symbols::USUAL,
};
use relay_loops::kernel_limits::fits_memory;
use relay_topi::cost::layout::MOST_PHASES_PER_TAP;

/// The letters of the spatial dimensions, by their number.
const SPACE: [&str; 3] = ["W", "HW", "DHW"];

/// How one spatial dimension is taken apart.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Phases {
    stride: i64,
    dilation: i64,
    /// Zeros before the kernel. They move the results that come first among their phases.
    lead: i64,
    /// Taps of each phase.
    taps: i64,
    /// Results of each phase.
    count: Dim,
    /// Zeros around the data.
    before: i64,
    after: i64,
    /// Interleaved results before the first one that is wanted.
    skipped: i64,
}

impl Phases {
    /// Of a window's dimension over `extent` elements with `results`. None if its dilation mixes phases,
    /// or the padding takes away more than the kernel reaches, or most of the taps would be zeros.
    fn of(window: &Window, dim: usize, extent: Dim, results: Dim) -> Option<Self> {
        let (stride, dilation) = (window.strides[dim], window.dilation[dim]);
        if (stride > 1 && dilation > 1) || stride / MOST_PHASES_PER_TAP > window.size[dim] {
            return None;
        }
        let with_lead = |lead| {
            let first = window.before[dim] + lead;
            let last = results.plus(first - 1).ok()?.floor_div(stride).ok()?;
            let taps = ceil_div(window.size[dim] + lead, stride);
            Some(Self {
                stride,
                dilation,
                lead,
                taps,
                count: last.plus(1 - first / stride).ok()?,
                before: (taps - 1) * dilation - first / stride,
                after: last.minus(extent).ok()?.plus(1).ok()?.known()?,
                skipped: first % stride,
            })
        };
        let all = (0..stride).filter_map(with_lead);
        // Open extents are compared at their usual size.
        let usual = extent.known().unwrap_or(USUAL);
        let count = |phases: &Self| Some(phases.count.minus(extent).ok()?.known()? + usual);
        all.filter(|phases| phases.before >= 0 && phases.after >= 0)
            .filter_map(|phases| Some((phases.taps * count(&phases)?, phases)))
            .min_by_key(|(work, _)| *work)
            .map(|(_, phases)| phases)
    }
}

/// A transposed convolution that is taken apart.
struct Transposed {
    op: Op,
    builder: Builder,
    groups: i64,
    phases: Vec<Phases>,
    /// The number of the weight that stands for zero.
    zero: f64,
}

/// `nn.conv{1,2,3}d_transpose` of known channels as a convolution, its phases interleaved; and so `qnn.conv2d_transpose` with a weight of one
/// known zero point.
pub fn as_convolution(op: Op) -> Option<Vec<Value>> {
    let is_of = |letters: &&str| {
        let rank = letters.len();
        ["nn", "qnn"]
            .iter()
            .any(|family| op.name() == format!("relay.{family}.conv{rank}d_transpose"))
    };
    let letters = SPACE.into_iter().find(is_of)?;
    let transposed = Transposed::of(op, letters)?;
    let weight = transposed.weight();
    let phases = transposed.convolution(weight, letters)?;
    let counts = transposed.phases.iter().map(|phases| phases.count);
    if !counts.eq(phases.ty().dims()[2..].iter().copied()) {
        return None;
    }
    Some(vec![transposed.interleaved(phases)?])
}

impl Transposed {
    fn of(op: Op, letters: &str) -> Option<Self> {
        let attrs = Attrs::of(op);
        let (data, weight, result) = (op.operand(0).ty(), op.operand(1).ty(), op.result(0).ty());
        let is_plain = attrs.str("data_layout").ok()? == format!("NC{letters}")
            && attrs.str("kernel_layout").ok()? == format!("IO{letters}");
        let (extents, results) = (data.dims(), result.dims());
        let is_known = weight.is_static()
            && extents[1].is_known()
            && !extents.contains(&Dim::Unknown)
            && !results.contains(&Dim::Unknown);
        if !is_plain || !is_known || !fits_memory(op) {
            return None;
        }
        let window = Window::of(&attrs, &weight.shape()[2..]).ok()?;
        let phases = (0..letters.len())
            .map(|dim| Phases::of(&window, dim, extents[dim + 2], results[dim + 2]))
            .collect::<Option<Vec<_>>>()?;
        let groups = attrs.int("groups").ok()?;
        let builder = Builder::before(op);
        let zero = match op.is(names::relay::QNN_CONV2D_TRANSPOSE) {
            true => known_number(op.operand(WEIGHT_ZERO))?,
            false => 0.0,
        };
        Some(Self {
            op,
            builder,
            groups,
            phases,
            zero,
        })
    }

    fn of_phases(&self, number: impl Fn(&Phases) -> i64) -> Vec<i64> {
        self.phases.iter().map(number).collect()
    }

    fn ints(&self, numbers: &[i64]) -> Attr {
        Attr::ints(self.builder.ctx, numbers)
    }

    fn transpose(&self, value: Value, axes: &[usize]) -> Value {
        let axes: Vec<i64> = axes.iter().map(|axis| *axis as i64).collect();
        let attrs = [("axes", self.ints(&axes))];
        make(&self.builder, names::relay::TRANSPOSE, &[value], &attrs)
    }

    /// [inputs, outputs, space..] as [groups phases outputs, inputs, taps..]. The taps of a phase lie in
    /// the order in which a convolution meets the data, which is the reverse.
    fn weight(&self) -> Value {
        let weight = self.whole_phases();
        let rank = self.phases.len();
        let shape = weight.ty().shape();
        let (inputs, outputs) = (shape[0] / self.groups, shape[1]);
        let mut split = vec![self.groups, inputs, outputs];
        for phases in &self.phases {
            split.extend([phases.taps, phases.stride]);
        }
        let mut weight = reshape(&self.builder, weight, &split);
        let taps = |dim: usize| 3 + 2 * dim;
        for (dim, phases) in self
            .phases
            .iter()
            .enumerate()
            .filter(|(_, phases)| phases.taps > 1)
        {
            let count = phases.taps;
            weight = slice_axis(
                &self.builder,
                weight,
                taps(dim),
                (count - 1, -count - 1, -1),
            );
        }
        let strides = (0..rank).map(|dim| taps(dim) + 1);
        let order: Vec<usize> = [0]
            .into_iter()
            .chain(strides)
            .chain([2, 1])
            .chain((0..rank).map(taps))
            .collect();
        let weight = self.transpose(weight, &order);
        let parts: i64 = self.phases.iter().map(|phases| phases.stride).product();
        let mut shape = vec![self.groups * parts * outputs, inputs];
        shape.extend(self.of_phases(|phases| phases.taps));
        reshape(&self.builder, weight, &shape)
    }

    /// The weight with zeros around each kernel, so that all phases have as many taps.
    fn whole_phases(&self) -> Value {
        let weight = self.op.operand(1);
        let mut widths = vec![0; 4];
        for (phases, size) in self.phases.iter().zip(&weight.ty().shape()[2..]) {
            let behind = phases.taps * phases.stride - phases.lead - size;
            widths.extend([phases.lead, behind]);
        }
        if widths.iter().all(|width| *width == 0) {
            return weight;
        }
        let zero = scalar(&self.builder, weight.ty().element(), self.zero);
        let attrs = [("pad_width", self.ints(&widths))];
        make(&self.builder, names::relay::NN_PAD, &[weight, zero], &attrs)
    }

    /// All phases: [samples, groups phases outputs, space..].
    fn convolution(&self, weight: Value, letters: &str) -> Option<Value> {
        let builder = &self.builder;
        let mut padding = self.of_phases(|phases| phases.before);
        padding.extend(self.of_phases(|phases| phases.after));
        let attrs = [
            ("strides", self.ints(&vec![1; letters.len()])),
            ("padding", self.ints(&padding)),
            (
                "dilation",
                self.ints(&self.of_phases(|phases| phases.dilation)),
            ),
            ("groups", Attr::i64(builder.ctx, self.groups)),
            (
                "data_layout",
                Attr::str(builder.ctx, &format!("NC{letters}")),
            ),
            (
                "kernel_layout",
                Attr::str(builder.ctx, &format!("OI{letters}")),
            ),
        ];
        let mut operands = vec![self.op.operand(0), weight];
        let made = if self.op.is(names::relay::QNN_CONV2D_TRANSPOSE) {
            let [word, float] = [Element::I32, Element::F32].map(|element| element.ty(builder.ctx));
            let one = scalar(builder, float, 1.0);
            let zero = scalar(builder, word, self.zero);
            operands.extend([self.op.operand(DATA_ZERO), zero, one, one]);
            builder.inferred(names::relay::QNN_CONV2D, &operands, &attrs)?
        } else {
            let name = format!("relay.nn.conv{}d", letters.len());
            builder.inferred(&name, &operands, &attrs)?
        };
        Some(made.result(0))
    }

    /// The pixels of all phases where they belong.
    fn interleaved(&self, made: Value) -> Option<Value> {
        if self.phases.iter().all(|phases| phases.stride == 1) {
            return Some(made);
        }
        let rank = self.phases.len();
        let result = self.op.result(0).ty().dims();
        let outputs = self.op.operand(1).ty().shape()[1];
        let mut split = vec![result[0], Dim::Known(self.groups)];
        split.extend(self.phases.iter().map(|phases| Dim::Known(phases.stride)));
        split.push(Dim::Known(outputs));
        split.extend(self.phases.iter().map(|phases| phases.count));
        let split = reshape(&self.builder, made, &split);
        let (phase, pixel) = (|dim| 2 + dim, |dim| 3 + rank + dim);
        let space = (0..rank).flat_map(|dim| [pixel(dim), phase(dim)]);
        let order: Vec<usize> = [0, 1, 2 + rank].into_iter().chain(space).collect();
        let joined = self.transpose(split, &order);
        let mut shape = result[..2].to_vec();
        for phases in &self.phases {
            shape.push(phases.count.times(phases.stride).ok()?);
        }
        let mut value = reshape(&self.builder, joined, &shape);
        for (dim, phases) in self.phases.iter().enumerate() {
            let (begin, count) = (phases.skipped, result[dim + 2]);
            if shape[dim + 2] != count {
                let end = count.plus(begin).ok()?;
                value = slice_axis(&self.builder, value, dim + 2, (begin, end, 1));
            }
        }
        Some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::Phases;
    use relay_dialects::{dim::Dim, relay::ops::window::Window};

    /// The taps and results of each phase, and what is skipped.
    fn phases(size: i64, stride: i64, padding: [i64; 2], extra: i64) -> Option<[i64; 3]> {
        let window = Window {
            size: vec![size],
            strides: vec![stride],
            before: vec![padding[0]],
            after: vec![padding[1]],
            dilation: vec![1],
        };
        let results = 9 * stride + size - padding[0] - padding[1] + extra;
        let phases = Phases::of(&window, 0, Dim::Known(10), Dim::Known(results))?;
        Some([phases.taps, phases.count.known()?, phases.skipped])
    }

    #[test]
    fn the_alignment_with_the_least_work_is_taken() {
        assert_eq!(phases(2, 2, [0, 0], 0), Some([1, 10, 0]));
        assert_eq!(phases(4, 2, [1, 1], 0), Some([2, 11, 1]));
        // With a zero before the kernel, no result is skipped.
        assert_eq!(phases(3, 2, [1, 1], 1), Some([2, 10, 0]));
        assert_eq!(phases(5, 3, [0, 0], 0), Some([2, 11, 0]));
    }

    #[test]
    fn padding_beyond_the_kernel_is_left_alone() {
        assert_eq!(phases(2, 2, [3, 0], 0), None);
        assert_eq!(phases(2, 2, [0, 3], 0), None);
    }
}
