//! Matrix instructions of GPUs: a warp multiplies two small matrices, whose elements are in the registers of its lanes.

use crate::{
    gpu_kind::GpuKind,
    number::{self, Number},
};
use relay_dialects::{
    Element,
    ir::{Attr, Ctx, named},
};
use std::collections::BTreeMap;

/// An instruction by which a warp multiplies a matrix of rows x depth by one of depth x columns, and adds the products to a matrix of
/// sums.
#[derive(Debug, PartialEq)]
pub struct WarpUnit {
    /// Its name in the files of cards and in attributes.
    pub name: &'static str,
    /// The GPUs that may have it.
    pub kind: GpuKind,
    /// The elements that it multiplies.
    pub element: Element,
    /// The elements of the sums.
    pub sum: Element,
    /// The lanes of a warp.
    pub lanes: i64,
    /// How the rows are spread: in the first matrix, and in the sums.
    pub rows: &'static [Part],
    /// How the columns are spread: in the second matrix, and in the sums.
    pub columns: &'static [Part],
    /// How what is summed up is spread: in the first matrix, and in the second one.
    pub depth: &'static [Part],
}

/// A part of an axis of a matrix. The index along the axis has one digit for each part, the first one for the longest steps.
#[derive(Debug, PartialEq)]
pub struct Part {
    /// Its extent.
    pub extent: i64,
    /// Where its elements are, in each of the two matrices that have the axis.
    pub places: [Place; 2],
}

/// How far apart neighbours are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// So many lanes.
    Lanes(i64),
    /// So many registers of a lane, each of which holds one element.
    Registers(i64),
}

use Place::{Lanes, Registers};

const fn part(extent: i64, first: Place, second: Place) -> Part {
    Part {
        extent,
        places: [first, second],
    }
}

/// `mma.sync.m16n8k16` of 16-bit floats. PTX ISA, "Matrix Fragments for mma.m16n8k16 with floating point type".
const MMA_F16: WarpUnit = WarpUnit {
    name: "mma-f16",
    kind: GpuKind::Cuda,
    element: Element::F16,
    sum: Element::F32,
    lanes: 32,
    rows: &[
        part(2, Registers(2), Registers(2)),
        part(8, Lanes(4), Lanes(4)),
    ],
    columns: &[part(4, Lanes(8), Lanes(1)), part(2, Lanes(4), Registers(1))],
    depth: &[
        part(2, Registers(4), Registers(2)),
        part(4, Lanes(1), Lanes(1)),
        part(2, Registers(1), Registers(1)),
    ],
};

/// `v_mfma_f32_16x16x16` of 16-bit floats. AMD's instruction set of CDNA3, "Dense Matrix Multiplication"; the layouts are those
/// that AMD's matrix instruction calculator prints.
const MFMA_F16: WarpUnit = WarpUnit {
    name: "mfma-f16",
    kind: GpuKind::Rocm,
    element: Element::F16,
    sum: Element::F32,
    lanes: 64,
    rows: &[
        part(4, Lanes(4), Lanes(16)),
        part(4, Lanes(1), Registers(1)),
    ],
    columns: &[part(16, Lanes(1), Lanes(1))],
    depth: &[
        part(4, Lanes(16), Lanes(16)),
        part(4, Registers(1), Registers(1)),
    ],
};

/// All of them.
pub const WARP_UNITS: &[WarpUnit] = &[
    MMA_F16,
    WarpUnit {
        name: "mma-bf16",
        element: Element::Bf16,
        ..MMA_F16
    },
    MFMA_F16,
    WarpUnit {
        name: "mfma-bf16",
        element: Element::Bf16,
        ..MFMA_F16
    },
];

impl WarpUnit {
    /// The rows, columns and depth.
    pub fn shape(&self) -> [i64; 3] {
        let extent = |parts: &[Part]| parts.iter().map(|part| part.extent).product();
        [self.rows, self.columns, self.depth].map(extent)
    }

    /// The registers of a lane, each for one element: of the first matrix, of the second one, and of the sums.
    pub fn registers(&self) -> [i64; 3] {
        let [rows, columns, depth] = self.shape();
        [rows * depth, columns * depth, rows * columns].map(|elements| elements / self.lanes)
    }
}

/// The units of a card, each with the multiply-adds that a multiprocessor begins in a cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WarpUnits([f64; WARP_UNITS.len()]);

impl WarpUnits {
    /// The unit that multiplies these elements, and how many of them in a cycle.
    pub fn find(&self, element: Element) -> Option<(&'static WarpUnit, f64)> {
        let mut all = WARP_UNITS.iter().zip(self.0);
        all.find(|(unit, rate)| unit.element == element && *rate > 0.0)
    }

    /// What a file says of them.
    ///
    /// # Errors
    /// If a unit is unknown, or belongs to other GPUs.
    pub(crate) fn of_file(kind: GpuKind, units: &BTreeMap<String, Number>) -> Result<Self, String> {
        Self::of_numbers(
            kind,
            units.iter().map(|(name, rate)| (name.clone(), rate.value)),
        )
    }

    fn of_numbers(
        kind: GpuKind,
        numbers: impl Iterator<Item = (String, f64)>,
    ) -> Result<Self, String> {
        let mut units = Self::default();
        for (name, rate) in numbers {
            let is_it = |unit: &WarpUnit| unit.name == name && unit.kind == kind;
            let place = WARP_UNITS.iter().position(is_it);
            let place = place.ok_or_else(|| format!("{} has no unit '{name}'", kind.name()))?;
            units.0[place] = rate;
        }
        Ok(units)
    }

    /// As an attribute.
    pub(crate) fn describe(&self, ctx: Ctx) -> Attr {
        let present = WARP_UNITS.iter().zip(self.0);
        let present = present.filter(|(_, rate)| *rate > 0.0);
        let entries: Vec<(String, Attr)> = present
            .map(|(unit, rate)| (unit.name.to_owned(), number::attr(ctx, rate)))
            .collect();
        Attr::dict(ctx, &named(&entries))
    }

    /// The units of an attribute.
    pub(crate) fn read(attr: Option<Attr>) -> Self {
        let rate = |unit: &WarpUnit| attr.and_then(|attr| number::of(attr, unit.name));
        let mut units = Self::default();
        for (place, unit) in units.0.iter_mut().zip(WARP_UNITS) {
            *place = rate(unit).unwrap_or(0.0);
        }
        units
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    /// The places of all elements of a matrix along two axes, each with the number of the matrix among those that have the axis.
    fn places(axes: [(&[Part], usize); 2]) -> Vec<(i64, i64)> {
        let mut places = vec![(0, 0)];
        for (part, which) in axes
            .iter()
            .flat_map(|(parts, which)| parts.iter().map(|part| (part, *which)))
        {
            let step = |(lane, register): (i64, i64), index: i64| match part.places[which] {
                Lanes(by) => (lane + by * index, register),
                Registers(by) => (lane, register + by * index),
            };
            let longer = places
                .iter()
                .flat_map(|place| (0..part.extent).map(|index| step(*place, index)));
            places = longer.collect();
        }
        places
    }

    #[test]
    fn each_register_of_each_lane_has_one_element() {
        for unit in WARP_UNITS {
            let matrices = [
                [(unit.rows, 0), (unit.depth, 0)],
                [(unit.columns, 0), (unit.depth, 1)],
                [(unit.rows, 1), (unit.columns, 1)],
            ];
            for (axes, registers) in matrices.into_iter().zip(unit.registers()) {
                let places = places(axes);
                let distinct: HashSet<_> = places.iter().copied().collect();
                assert_eq!(places.len(), distinct.len(), "{}", unit.name);
                let is_there =
                    |(lane, register): &(i64, i64)| *lane < unit.lanes && *register < registers;
                assert!(places.iter().all(is_there), "{}", unit.name);
            }
        }
    }

    #[test]
    fn units_belong_to_kinds() {
        let of =
            |kind, name: &str| WarpUnits::of_numbers(kind, [(name.to_owned(), 1024.0)].into_iter());
        let units = of(GpuKind::Cuda, "mma-bf16").expect("there is such a unit");
        assert_eq!(
            units.find(Element::Bf16).map(|(unit, _)| unit.shape()),
            Some([16, 8, 16])
        );
        assert!(units.find(Element::F16).is_none());
        assert!(of(GpuKind::Rocm, "mma-bf16").is_err());
    }
}
