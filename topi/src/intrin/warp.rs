//! Products of small matrices by a warp of a GPU: the instructions of [`WARP_UNITS`].
//!
//! A matrix is spread over the lanes of a warp. As a tensor, such a fragment has the shape [lanes, registers], and an index along an axis of the
//! matrix has digits, each of which moves the element's place by lanes or by registers.

use relay_dialects::{
    index,
    ir::{AffineExpr, Attr, Block, Builder, Op, Type, Value},
    ops::{amdgpu, arith, gpu, nvgpu, vector},
    te::{self, Reducer, build},
};
use relay_machine::{
    GpuKind, WarpUnit,
    warp_units::{Part, Place, WARP_UNITS},
};

/// How names end whose stage multiplies an element of the second matrix by one of the first.
const SWAPPED: &str = "_swapped";

/// The bytes of a register, which holds several of the narrow elements of an operand.
const REGISTER_BYTES: i64 = 4;

/// A product by an instruction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WarpProduct {
    /// The instruction.
    pub unit: &'static WarpUnit,
    /// Whether the stage multiplies an element of the second matrix by one of the first: its first operand has the columns.
    pub is_swapped: bool,
}

/// The matrices of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Matrix {
    /// Rows x depth.
    First,
    /// Columns x depth.
    Second,
    /// Rows x columns.
    Sums,
}

impl Matrix {
    /// Its axes, each with the number that it has among the matrices that have the axis.
    fn axes(self, unit: &WarpUnit) -> [(&'static [Part], usize); 2] {
        match self {
            Self::First => [(unit.rows, 0), (unit.depth, 0)],
            Self::Second => [(unit.columns, 0), (unit.depth, 1)],
            Self::Sums => [(unit.rows, 1), (unit.columns, 1)],
        }
    }

    /// The places of its parts: those of its first axis, then those of the second one.
    fn places(self, unit: &WarpUnit) -> Vec<Place> {
        let axes = self.axes(unit).into_iter();
        let places =
            axes.flat_map(|(parts, which)| parts.iter().map(move |part| part.places[which]));
        places.collect()
    }

    fn registers(self, unit: &WarpUnit) -> i64 {
        unit.registers()[self as usize]
    }

    /// The layout of a tensor that has such matrices along two of its `rank` dimensions: what remains of each dimension, then the lane
    /// and the register of an element.
    pub fn layout(self, unit: &WarpUnit, rank: usize, dims: [usize; 2]) -> Vec<AffineExpr> {
        let mut results: Vec<AffineExpr> = (0..rank).map(AffineExpr::Dim).collect();
        let mut place = [AffineExpr::Constant(0), AffineExpr::Constant(0)];
        for (dim, (parts, which)) in dims.into_iter().zip(self.axes(unit)) {
            let mut inside: i64 = parts.iter().map(|part| part.extent).product();
            results[dim] = AffineExpr::Dim(dim).floor_div(inside);
            for part in parts {
                let rest = AffineExpr::Dim(dim).modulo(inside);
                inside /= part.extent;
                let digit = rest.floor_div(inside);
                let (sum, by) = match part.places[which] {
                    Place::Lanes(by) => (&mut place[0], by),
                    Place::Registers(by) => (&mut place[1], by),
                };
                *sum = sum.clone().plus(digit.times(by));
            }
        }
        results.into_iter().chain(place).collect()
    }
}

/// The numbers of some parts in the order of their places: by lanes, then by registers, the longest steps first.
pub fn in_order(places: &[Place]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..places.len()).collect();
    order.sort_by_key(|part| match places[*part] {
        Place::Lanes(by) => (0, -by),
        Place::Registers(by) => (1, -by),
    });
    order
}

impl WarpProduct {
    /// The name of the [intrinsic](Self::intrinsic).
    pub fn name(self) -> String {
        let of = if self.is_swapped { SWAPPED } else { "" };
        format!("{}{of}", self.unit.name.replace('-', "_"))
    }

    /// The product whose intrinsic has a name.
    pub fn named(name: &str) -> Option<Self> {
        let swaps = [false, true].into_iter();
        let mut all = WARP_UNITS.iter().flat_map(|unit| {
            swaps
                .clone()
                .map(move |is_swapped| Self { unit, is_swapped })
        });
        all.find(|product| product.name() == name)
    }

    /// The parts of the sums' axes, rows first, in the order of the intrinsic's loops.
    pub fn order_of_sums(self) -> Vec<usize> {
        in_order(&Matrix::Sums.places(self.unit))
    }

    /// The places of the parts of a matrix: those of its first axis, then those of the second one.
    pub fn places(self, matrix: Matrix) -> Vec<Place> {
        matrix.places(self.unit)
    }

    /// Writes a `te.tensor_intrin` of one instruction. Its loops are those of the parts of the sums, and then those of the depth.
    pub fn intrinsic(self, b: &Builder) -> Op {
        let unit = self.unit;
        let (element, sum) = (unit.element.ty(b.ctx), unit.sum.ty(b.ctx));
        let shape = |matrix: Matrix| [unit.lanes, matrix.registers(unit)];
        let mut matrices = [Matrix::First, Matrix::Second];
        if self.is_swapped {
            matrices.reverse();
        }
        let sums = self.shape_of_sums();
        let tensors = matrices.map(|matrix| Type::tensor(&shape(matrix), element));
        let description = Block::new(b.ctx, &tensors);
        let inside = Builder::at_end(description, b.loc, b.ctx);
        let depth: Vec<i64> = unit.depth.iter().map(|part| part.extent).collect();
        let products = build::reduce(
            &inside,
            "c",
            &sums,
            sum,
            (Reducer::Sum, &depth),
            |b, at, reduce| {
                let factors = [0, 1].map(|number| {
                    let place = self.place(b, matrices[number], at, reduce);
                    let value = build::read(b, description.arg(number), &place);
                    arith::ExtF::build_with(b, sum, value, Some(arith::FastMathFlags::CONTRACT))
                });
                arith::MulF::build(b, factors[0], factors[1])
            },
        );
        te::ops::Yield::build(&inside, &[products]);

        let mut memrefs = matrices
            .map(|matrix| Type::memref(&shape(matrix), element))
            .to_vec();
        memrefs.push(Type::memref(&sums, sum));
        let implementation = Block::new(b.ctx, &memrefs);
        self.implement(
            &Builder::at_end(implementation, b.loc, b.ctx),
            implementation,
        );
        te::ops::TensorIntrin::build(b, &self.name(), description, implementation)
    }

    /// The extents of the intrinsic's loops but for those of the depth.
    fn shape_of_sums(self) -> Vec<i64> {
        let parts: Vec<&Part> = self.unit.rows.iter().chain(self.unit.columns).collect();
        let order = self.order_of_sums().into_iter();
        order.map(|part| parts[part].extent).collect()
    }

    /// The lane and the register of an element of an operand, at the indices of the intrinsic's loops.
    fn place(self, b: &Builder, matrix: Matrix, at: &[Value], reduce: &[Value]) -> [Value; 2] {
        let order = self.order_of_sums();
        let of_sums = |part: usize| at[order.iter().position(|known| *known == part).unwrap_or(0)];
        let first = match matrix {
            Matrix::First | Matrix::Sums => 0,
            Matrix::Second => self.unit.rows.len(),
        };
        let own = matrix.axes(self.unit)[0].0.len();
        let indices = (first..first + own)
            .map(of_sums)
            .chain(reduce.iter().copied());
        let mut place = [b.index(0); 2];
        for (index, by) in indices.zip(matrix.places(self.unit)) {
            let (sum, by) = match by {
                Place::Lanes(by) => (0, by),
                Place::Registers(by) => (1, by),
            };
            place[sum] = index::add(b, place[sum], index::scale(b, index, by));
        }
        place
    }

    /// What a lane does: it gives its elements of both matrices, and adds to its sums.
    fn implement(self, b: &Builder, block: Block) {
        let lane = gpu::LaneId::build_with(b, Some(self.unit.lanes));
        let load = |number: usize, matrix: Matrix| {
            let ty = Type::vector(&[matrix.registers(self.unit)], self.unit.element.ty(b.ctx));
            vector::Load::build(b, ty, block.arg(number), &[lane, b.index(0)])
        };
        let (first, second) = match self.is_swapped {
            false => (load(0, Matrix::First), load(1, Matrix::Second)),
            true => (load(1, Matrix::First), load(0, Matrix::Second)),
        };
        let sums = Sums::of(self, b, block.arg(2), lane);
        let old = sums.load(b);
        let new = match self.unit.kind {
            GpuKind::Cuda => {
                let shape = Attr::array(
                    b.ctx,
                    &self.unit.shape().map(|extent| Attr::i64(b.ctx, extent)),
                );
                let [first, second] = [first, second].map(|value| self.in_registers(b, value));
                nvgpu::MmaSync::build(b, old.ty(), first, second, old, shape)
            }
            GpuKind::Rocm => {
                let [rows, columns, depth] = self.unit.shape();
                amdgpu::MFMA::build(b, rows, columns, depth, first, second, old)
            }
        };
        sums.store(b, new);
    }

    /// The elements of a lane as registers with several of them each.
    fn in_registers(self, b: &Builder, elements: Value) -> Value {
        let ty = elements.ty();
        let of_register = REGISTER_BYTES / ty.element().byte_width() as i64;
        let shape = [ty.count() / of_register, of_register];
        vector::ShapeCast::build(b, Type::vector(&shape, ty.element()), elements)
    }
}

/// The sums of a lane.
struct Sums {
    memory: Value,
    /// The lane's indices along the parts that count lanes.
    lane: Vec<Value>,
    /// The extents of the parts that count registers.
    registers: Vec<i64>,
    ty: Type,
}

impl Sums {
    fn of(product: WarpProduct, b: &Builder, memory: Value, lane: Value) -> Self {
        let shape = product.shape_of_sums();
        let places = Matrix::Sums.places(product.unit);
        let order = product.order_of_sums();
        let mut digits = Vec::new();
        let mut registers = Vec::new();
        for (extent, part) in shape.into_iter().zip(order) {
            match places[part] {
                Place::Lanes(by) => digits.push(index::rem(b, index::div(b, lane, by), extent)),
                Place::Registers(_) => registers.push(extent),
            }
        }
        let ty = Type::vector(&registers, product.unit.sum.ty(b.ctx));
        Self {
            memory,
            lane: digits,
            registers,
            ty,
        }
    }

    /// The places of the vectors along the last part, each with its place in the registers.
    fn rows(&self, b: &Builder) -> Vec<(Vec<i64>, Vec<Value>)> {
        let outer = &self.registers[..self.registers.len() - 1];
        let mut rows = vec![Vec::new()];
        for extent in outer {
            let longer = rows
                .iter()
                .flat_map(|row: &Vec<i64>| (0..*extent).map(|at| [&row[..], &[at]].concat()));
            rows = longer.collect();
        }
        let place = |row: Vec<i64>| {
            let at = row.iter().map(|at| b.index(*at));
            let place = self
                .lane
                .iter()
                .copied()
                .chain(at)
                .chain([b.index(0)])
                .collect();
            (row, place)
        };
        rows.into_iter().map(place).collect()
    }

    fn row_type(&self) -> Type {
        Type::vector(
            &self.registers[self.registers.len() - 1..],
            self.ty.element(),
        )
    }

    fn load(&self, b: &Builder) -> Value {
        if self.registers.len() == 1 {
            let place = [&self.lane[..], &[b.index(0)]].concat();
            return vector::Load::build(b, self.ty, self.memory, &place);
        }
        let start = b.constant(self.ty, 0.0);
        self.rows(b).into_iter().fold(start, |sums, (row, place)| {
            let loaded = vector::Load::build(b, self.row_type(), self.memory, &place);
            vector::Insert::build(b, loaded, sums, &[], &row)
        })
    }

    fn store(&self, b: &Builder, sums: Value) {
        for (row, place) in self.rows(b) {
            let stored = match row.is_empty() {
                true => sums,
                false => vector::Extract::build(b, sums, &[], &row),
            };
            vector::Store::build(b, stored, self.memory, &place);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::WarpProduct;
    use crate::intrin::x86_amx::tests::in_module;
    use relay_dialects::{context, ir::Ctx};
    use relay_machine::warp_units::WARP_UNITS;

    #[test]
    fn intrinsics_are_valid_and_have_names() {
        let context = context();
        for unit in WARP_UNITS {
            for is_swapped in [false, true] {
                let product = WarpProduct { unit, is_swapped };
                assert_eq!(WarpProduct::named(&product.name()), Some(product));
                let module = in_module(Ctx::of(&context), |b| product.intrinsic(b));
                assert!(module.verify(), "{}", unit.name);
            }
        }
    }
}
