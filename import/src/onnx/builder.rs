//! Where conversions put what they make: the body of `@main`.

use super::{
    error::Result,
    fold,
    tensor::{Const, DType, Numbers, element_count},
};
use relay_dialects::ir::{Attr, Block, Builder, Ctx, Loc, Type, Value as IrValue};
use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

/// Constants of up to this many bytes are written out; larger ones are resources.
const INLINE_BYTES: usize = 64;

/// A tensor in the graph being imported: computed at run time, or known now.
///
/// What is known stays out of the IR until an op uses it, so that shape arithmetic leaves nothing
/// behind.
#[derive(Clone)]
pub struct Value(Rc<Tensor>);

struct Tensor {
    dtype: DType,
    shape: Vec<i64>,
    known: Option<Known>,
    ir: Cell<Option<IrValue>>,
}

struct Known {
    value: Const,
    name: String,
}

impl Value {
    /// A tensor known now. `name` is what its location and its resource are called.
    pub fn known(value: Const, name: &str) -> Self {
        Self(Rc::new(Tensor {
            dtype: value.dtype,
            shape: value.shape.clone(),
            known: Some(Known {
                value,
                name: name.into(),
            }),
            ir: Cell::new(None),
        }))
    }

    /// A value of the IR. Fails if its type is not a static tensor of a supported element type.
    pub fn computed(ir: IrValue) -> Result<Self> {
        let ty = ir.ty();
        if !ty.is_tensor() || !ty.is_static() {
            return Err(format!("{ty} is not a tensor of static shape"));
        }
        let shape = ty.shape();
        element_count(&shape)?;
        Ok(Self(Rc::new(Tensor {
            dtype: DType::of_type(ty.element())?,
            shape,
            known: None,
            ir: Cell::new(Some(ir)),
        })))
    }

    /// The dimensions.
    pub fn shape(&self) -> &[i64] {
        &self.0.shape
    }

    /// The number of dimensions.
    pub fn rank(&self) -> usize {
        self.0.shape.len()
    }

    /// The element type.
    pub fn dtype(&self) -> DType {
        self.0.dtype
    }

    /// The contents, if known.
    pub fn constant(&self) -> Option<&Const> {
        self.0.known.as_ref().map(|known| &known.value)
    }

    /// The one number in a known tensor of one element.
    pub fn scalar(&self) -> Option<f64> {
        let constant = self.constant()?;
        (constant.count() == 1).then(|| constant.to_floats()[0])
    }

    /// An axis counted from the end if negative.
    pub fn axis(&self, axis: i64) -> Result<usize> {
        normalize_axis(axis, self.rank())
    }
}

/// An axis counted from the end if negative, checked against the rank.
pub fn normalize_axis(axis: i64, rank: usize) -> Result<usize> {
    let end = rank as i64;
    if (-end..end).contains(&axis) {
        Ok(axis.rem_euclid(end) as usize)
    } else {
        Err(format!("axis {axis} is out of range for rank {rank}"))
    }
}

/// Several axes, sorted and without repetition.
pub fn normalize_axes(axes: &[i64], rank: usize) -> Result<Vec<usize>> {
    let mut result = axes
        .iter()
        .map(|&axis| normalize_axis(axis, rank))
        .collect::<Result<Vec<_>>>()?;
    result.sort_unstable();
    if result.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err(format!("axes {axes:?} repeat one"));
    }
    Ok(result)
}

/// An attribute of an op to be made.
#[derive(Clone, Debug)]
pub enum A {
    /// An integer.
    Int(i64),
    /// A list of integers.
    Ints(Vec<i64>),
    /// A float.
    Float(f64),
    /// A boolean.
    Bool(bool),
    /// A string.
    Str(&'static str),
    /// An element type.
    Type(DType),
}

impl A {
    fn to_attr(&self, ctx: Ctx) -> Attr {
        match self {
            Self::Int(value) => Attr::i64(ctx, *value),
            Self::Ints(values) => Attr::ints(ctx, values),
            Self::Float(value) => Attr::f64(ctx, *value),
            Self::Bool(value) => Attr::bool(ctx, *value),
            Self::Str(text) => Attr::str(ctx, text),
            Self::Type(dtype) => Attr::ty(dtype.to_type(ctx)),
        }
    }
}

/// Puts ops into the body of `@main`.
pub struct GraphBuilder {
    ctx: Ctx,
    block: Block,
    loc: Loc,
    node: String,
    diagnostics: Rc<RefCell<Vec<String>>>,
}

impl GraphBuilder {
    /// Puts ops at the end of `block`. `diagnostics` is where MLIR's messages are collected.
    pub fn new(ctx: Ctx, block: Block, diagnostics: Rc<RefCell<Vec<String>>>) -> Self {
        Self {
            ctx,
            block,
            loc: Loc::unknown(ctx),
            node: String::new(),
            diagnostics,
        }
    }

    /// The ops that follow come from this node.
    pub fn enter(&mut self, node: &str) {
        self.loc = Loc::name(self.ctx, node);
        self.node = node.into();
    }

    /// Makes a relay op of one result, `name` without the dialect. If all operands are known and
    /// small, the result is computed here instead.
    pub fn op(&mut self, name: &str, operands: &[Value], attrs: &[(&str, A)]) -> Result<Value> {
        if let Some(known) = fold::fold(name, operands, attrs) {
            return Ok(self.known(known));
        }
        let mut results = self.ops(name, operands, attrs)?;
        match (results.pop(), results.is_empty()) {
            (Some(result), true) => Ok(result),
            _ => Err(format!("relay.{name} does not have one result")),
        }
    }

    /// Makes a relay op of any number of results.
    pub fn ops(
        &mut self,
        name: &str,
        operands: &[Value],
        attrs: &[(&str, A)],
    ) -> Result<Vec<Value>> {
        let operands: Vec<IrValue> = operands
            .iter()
            .map(|value| self.materialize(value))
            .collect::<Result<_>>()?;
        let attrs: Vec<(&str, Attr)> = attrs
            .iter()
            .map(|(name, value)| (*name, value.to_attr(self.ctx)))
            .collect();
        self.diagnostics.borrow_mut().clear();
        let builder = Builder::at_end(self.block, self.loc, self.ctx);
        match builder.inferred(&format!("relay.{name}"), &operands, &attrs) {
            Some(op) => op.results().into_iter().map(Value::computed).collect(),
            None => {
                let types: Vec<String> = operands.iter().map(|v| v.ty().to_string()).collect();
                Err(format!(
                    "relay.{name} of ({}): {}",
                    types.join(", "),
                    self.diagnostics.borrow().join("; ")
                ))
            }
        }
    }

    /// A tensor known now, made by the current node.
    pub fn known(&self, value: Const) -> Value {
        Value::known(value, &self.node)
    }

    /// A 0-d tensor.
    pub fn scalar(&self, dtype: DType, number: f64) -> Value {
        self.known(Const::new(dtype, vec![], &Numbers::Floats(vec![number])))
    }

    /// A tensor of equal elements.
    pub fn filled(&self, dtype: DType, shape: &[i64], number: f64) -> Value {
        self.known(Const::splat(
            dtype,
            shape.to_vec(),
            &Numbers::Floats(vec![number]),
        ))
    }

    /// The value in the IR; what is known becomes a `relay.constant` on first use.
    pub fn materialize(&self, value: &Value) -> Result<IrValue> {
        if let Some(ir) = value.0.ir.get() {
            return Ok(ir);
        }
        let known = value
            .0
            .known
            .as_ref()
            .expect("a value that is not in the IR is known");
        let constant = &known.value;
        let element = constant.dtype.to_type(self.ctx);
        let ty = Type::tensor(&constant.shape, element);
        let attr = match constant.splat_bytes() {
            Some(bytes) if constant.count() > 0 => {
                Some(Attr::splat(ty, scalar_attr(element, bytes)))
            }
            _ => {
                let bytes = constant.shared_bytes();
                if bytes.len() > INLINE_BYTES {
                    Some(Attr::resource(ty, &known.name, bytes))
                } else {
                    Attr::dense(ty, &bytes)
                }
            }
        };
        let attr = attr.ok_or_else(|| format!("cannot make a constant of type {ty}"))?;
        let loc = Loc::name(self.ctx, &known.name);
        let builder = Builder::at_end(self.block, loc, self.ctx);
        let ir = builder.value("relay.constant", &[], ty, &[("value", attr)]);
        value.0.ir.set(Some(ir));
        Ok(ir)
    }
}

/// The scalar attribute of one element's bytes.
fn scalar_attr(element: Type, bytes: &[u8]) -> Attr {
    let mut wide = [0u8; 8];
    let width = bytes.len().min(8);
    wide[..width].copy_from_slice(&bytes[..width]);
    let bits = i64::from_le_bytes(wide);
    match (element.is_float(), width) {
        (true, 4) => Attr::float(element, f64::from(f32::from_bits(bits as u32))),
        (true, _) => Attr::float(element, f64::from_bits(bits as u64)),
        (false, _) => Attr::int(element, bits),
    }
}

/// Short forms of what many conversions make.
impl GraphBuilder {
    /// A reshape to a static shape; nothing if the shape is that already.
    pub fn reshape(&mut self, value: &Value, shape: &[i64]) -> Result<Value> {
        if value.shape() == shape {
            return Ok(value.clone());
        }
        if element_count(value.shape())? != element_count(shape)? {
            return Err(format!(
                "cannot reshape {:?} to {shape:?}: the numbers of elements differ",
                value.shape()
            ));
        }
        self.op(
            "reshape",
            std::slice::from_ref(value),
            &[("newshape", A::Ints(shape.to_vec()))],
        )
    }

    /// A transpose; nothing if the axes are in order already.
    pub fn transpose(&mut self, value: &Value, axes: &[usize]) -> Result<Value> {
        if axes.iter().copied().eq(0..value.rank()) {
            return Ok(value.clone());
        }
        let axes = axes.iter().map(|&axis| axis as i64).collect();
        self.op(
            "transpose",
            std::slice::from_ref(value),
            &[("axes", A::Ints(axes))],
        )
    }

    /// A conversion of element type; nothing if it is that already.
    pub fn cast(&mut self, value: &Value, dtype: DType) -> Result<Value> {
        if value.dtype() == dtype {
            return Ok(value.clone());
        }
        self.op(
            "cast",
            std::slice::from_ref(value),
            &[("dtype", A::Type(dtype))],
        )
    }

    /// A broadcast to a static shape; nothing if the shape is that already.
    pub fn broadcast(&mut self, value: &Value, shape: &[i64]) -> Result<Value> {
        if value.shape() == shape {
            return Ok(value.clone());
        }
        element_count(shape)?;
        self.op(
            "broadcast_to",
            std::slice::from_ref(value),
            &[("shape", A::Ints(shape.to_vec()))],
        )
    }

    /// An op of one operand without attributes.
    pub fn unary(&mut self, name: &str, value: &Value) -> Result<Value> {
        self.op(name, std::slice::from_ref(value), &[])
    }

    /// An op of two operands without attributes.
    pub fn binary(&mut self, name: &str, lhs: &Value, rhs: &Value) -> Result<Value> {
        self.op(name, &[lhs.clone(), rhs.clone()], &[])
    }

    /// An op of a tensor and a number.
    pub fn with_scalar(&mut self, name: &str, value: &Value, number: f64) -> Result<Value> {
        let number = self.scalar(value.dtype(), number);
        self.binary(name, value, &number)
    }
}

/// Numpy's broadcasting of two shapes.
pub fn broadcast_shapes(lhs: &[i64], rhs: &[i64]) -> Result<Vec<i64>> {
    relay_dialects::relay::relation::broadcast_shapes(lhs, rhs)
}
