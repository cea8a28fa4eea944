//! Making ops.

use super::{Block, Ctx, Loc, NamedAttr, Op, Type, Value, string_ref};
use mlir_sys::*;

/// Where a [`Builder`] puts the next op.
#[derive(Clone, Copy, Debug)]
pub enum Point {
    /// Before this op.
    Before(Op),
    /// At the end of this block.
    End(Block),
}

/// Makes ops one after the other at one place.
#[derive(Clone, Copy)]
pub struct Builder {
    /// The context.
    pub ctx: Ctx,
    /// The location of the ops made.
    pub loc: Loc,
    /// Where they go.
    pub point: Point,
}

impl Builder {
    /// Makes ops before `op`, with its location.
    pub fn before(op: Op) -> Self {
        Self {
            ctx: op.ctx(),
            loc: op.loc(),
            point: Point::Before(op),
        }
    }

    /// Makes ops after `op`, with its location.
    pub fn after(op: Op) -> Self {
        let point = match (op.next(), op.block()) {
            (Some(next), _) => Point::Before(next),
            (None, Some(block)) => Point::End(block),
            (None, None) => panic!("{} is in no block", op.name()),
        };
        Self {
            ctx: op.ctx(),
            loc: op.loc(),
            point,
        }
    }

    /// Makes ops at the end of `block`.
    pub fn at_end(block: Block, loc: Loc, ctx: Ctx) -> Self {
        Self {
            ctx,
            loc,
            point: Point::End(block),
        }
    }

    /// Makes ops at the start of `block`.
    pub fn at_start(block: Block, loc: Loc, ctx: Ctx) -> Self {
        let point = block.first().map_or(Point::End(block), Point::Before);
        Self { ctx, loc, point }
    }

    /// The same with another location.
    pub fn with_loc(self, loc: Loc) -> Self {
        Self { loc, ..self }
    }

    /// The same at another place.
    pub fn with_point(self, point: Point) -> Self {
        Self { point, ..self }
    }

    /// Makes an op with the given result types.
    pub fn op(
        &self,
        name: &str,
        operands: &[Value],
        types: &[Type],
        attrs: &[NamedAttr<'_>],
    ) -> Op {
        self.region_op(name, operands, types, attrs, &[])
    }

    /// Makes an op with one result; returns that result.
    pub fn value(
        &self,
        name: &str,
        operands: &[Value],
        ty: Type,
        attrs: &[NamedAttr<'_>],
    ) -> Value {
        self.op(name, operands, &[ty], attrs).result(0)
    }

    /// Makes an op whose result types its type relation finds. `None` if the relation does not hold; the reason
    /// has been emitted as a diagnostic.
    pub fn inferred(&self, name: &str, operands: &[Value], attrs: &[NamedAttr<'_>]) -> Option<Op> {
        self.create(name, operands, &[], attrs, &[], true)
    }

    /// Makes an op with one region for each of `blocks`: that block, or an empty region.
    pub fn region_op(
        &self,
        name: &str,
        operands: &[Value],
        types: &[Type],
        attrs: &[NamedAttr<'_>],
        blocks: &[Option<Block>],
    ) -> Op {
        self.create(name, operands, types, attrs, blocks, false)
            .expect("an op is made if its types are given")
    }

    /// Puts a detached op here.
    pub fn insert(&self, op: Op) -> Op {
        unsafe {
            match self.point {
                Point::End(block) => mlirBlockAppendOwnedOperation(block.0, op.0),
                Point::Before(next) => {
                    let block = mlirOperationGetBlock(next.0);
                    mlirBlockInsertOwnedOperationBefore(block, next.0, op.0);
                }
            }
        }
        op
    }

    /// Makes an op of all its parts; MLIR finds the types of results, if `infer`. `None` if it cannot.
    pub(crate) fn create(
        &self,
        name: &str,
        operands: &[Value],
        types: &[Type],
        attrs: &[NamedAttr<'_>],
        blocks: &[Option<Block>],
        infer: bool,
    ) -> Option<Op> {
        let operands: Vec<MlirValue> = operands.iter().map(|value| value.0).collect();
        let types: Vec<MlirType> = types.iter().map(|ty| ty.0).collect();
        let attrs: Vec<MlirNamedAttribute> = attrs
            .iter()
            .map(|(name, value)| MlirNamedAttribute {
                name: self.ctx.ident(name),
                attribute: value.0,
            })
            .collect();
        let raw = unsafe {
            let regions: Vec<MlirRegion> = blocks.iter().map(|block| new_region(*block)).collect();
            let mut state = mlirOperationStateGet(string_ref(name), self.loc.0);
            mlirOperationStateAddOperands(&mut state, operands.len() as isize, operands.as_ptr());
            mlirOperationStateAddResults(&mut state, types.len() as isize, types.as_ptr());
            mlirOperationStateAddAttributes(&mut state, attrs.len() as isize, attrs.as_ptr());
            mlirOperationStateAddOwnedRegions(&mut state, regions.len() as isize, regions.as_ptr());
            if infer {
                mlirOperationStateEnableResultTypeInference(&mut state);
            }
            mlirOperationCreate(&mut state)
        };
        (!raw.ptr.is_null()).then(|| self.insert(Op(raw)))
    }
}

unsafe fn new_region(block: Option<Block>) -> MlirRegion {
    unsafe {
        let region = mlirRegionCreate();
        if let Some(block) = block {
            mlirRegionAppendOwnedBlock(region, block.0);
        }
        region
    }
}
