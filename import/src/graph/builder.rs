//! The builder of `@main`'s body, which conversions write their operators with.

use super::{
    attr::Param,
    constant::{Const, Numbers, check_dims},
    diagnostics::Diagnostics,
    error::Result,
    forms::Sources,
    shape,
    value::Value,
};
use relay_dialects::{
    dim::{self, Dim},
    element::Element,
    ir::{Attr, Block, Builder, Ctx, Loc, Type, Value as IrValue},
    names,
    symbols::Condition,
};

/// Constants of up to this many bytes are printed with their elements; larger ones are resources.
const INLINE_BYTES: usize = 64;

/// Puts ops into the body of `@main`.
pub struct GraphBuilder {
    ctx: Ctx,
    /// The function's block. What is known at import stands here, so that all blocks can read it.
    root: Block,
    /// Where ops go: the function's block, or that of a loop.
    block: Block,
    loc: Loc,
    node: String,
    nodes: usize,
    sources: Sources,
    conditions: Vec<Condition>,
    diagnostics: Diagnostics,
}

impl GraphBuilder {
    /// A builder at the end of `block`. MLIR's messages are collected in `diagnostics`.
    pub fn new(ctx: Ctx, block: Block, diagnostics: Diagnostics) -> Self {
        Self {
            ctx,
            root: block,
            block,
            loc: Loc::unknown(ctx),
            node: String::new(),
            nodes: 0,
            sources: Sources::default(),
            conditions: Vec::new(),
            diagnostics,
        }
    }

    /// Notes an input that has open dimensions: from them their sizes are read when the model runs.
    pub fn note_symbols(&mut self, input: IrValue) {
        self.sources.add(input);
    }

    /// The ops that follow come from this node.
    pub fn enter(&mut self, node: &str) {
        self.loc = Loc::name(self.ctx, node);
        self.node = node.into();
        self.nodes += 1;
    }

    /// The context.
    pub(super) fn ctx(&self) -> Ctx {
        self.ctx
    }

    /// The location of the ops that follow.
    pub(super) fn loc(&self) -> Loc {
        self.loc
    }

    /// Where ops go.
    pub(super) fn block(&self) -> Block {
        self.block
    }

    /// The ops that follow go into a block. Returns the block into which they went before.
    pub(super) fn enter_block(&mut self, block: Block) -> Block {
        std::mem::replace(&mut self.block, block)
    }

    /// The node that ops come from now.
    pub fn node(&self) -> &str {
        &self.node
    }

    /// How many nodes there were until now.
    pub fn nodes(&self) -> usize {
        self.nodes
    }

    /// Makes a relay op of one result; `name` is without the dialect. If all operands are known and short lists,
    /// the result is computed now instead ([`shape`](super::shape)).
    pub fn op(&mut self, name: &str, operands: &[Value], attrs: &[(&str, Param)]) -> Result<Value> {
        if let Some(known) = shape::evaluate(name, operands, attrs, &self.node) {
            return Ok(known);
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
        attrs: &[(&str, Param)],
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

    /// Notes that two dimensions must be equal when the model runs, if nothing else says it: no operator that the current node becomes.
    ///
    /// # Errors
    /// If they are not.
    pub fn equate(&mut self, lhs: Dim, rhs: Dim) -> Result<()> {
        let (unified, equations) = dim::noted(|| dim::unify(lhs, rhs));
        unified.ok_or_else(|| format!("{lhs} and {rhs} are not equal"))?;
        for (lhs, rhs) in equations {
            let node = self.node.clone();
            self.conditions.push(Condition { lhs, rhs, node });
        }
        Ok(())
    }

    /// What was noted by [`Self::equate`].
    pub fn conditions(&self) -> &[Condition] {
        &self.conditions
    }

    /// A tensor known now, made by the current node.
    pub fn known(&self, value: Const) -> Value {
        Value::known(value, &self.node)
    }

    /// A 0-d tensor.
    pub fn scalar(&self, element: Element, number: f64) -> Value {
        self.known(Const::new(element, vec![], &Numbers::Floats(vec![number])))
    }

    /// A tensor of equal elements.
    pub fn filled(&self, element: Element, shape: &[i64], number: f64) -> Value {
        self.known(Const::splat(
            element,
            shape.to_vec(),
            &Numbers::Floats(vec![number]),
        ))
    }

    /// A vector of dimensions, as integers of 64 bits.
    pub fn sizes(&self, dims: &[Dim]) -> Value {
        let shape = [dims.len() as i64];
        match dims
            .iter()
            .map(|dim| dim.known())
            .collect::<Option<Vec<_>>>()
        {
            Some(known) => self.known(Const::ints(&known)),
            None => Value::forms(Element::I64, &shape, dims.to_vec(), &self.node),
        }
    }

    /// A dimension as a number of a type, of rank 0. That of an open one is known when the model runs.
    pub fn size(&mut self, element: Element, dim: Dim) -> Result<Value> {
        let size = self.sizes(&[dim]);
        let size = self.cast(&size, element)?;
        self.reshape_to_scalar(&size)
    }

    /// An op of a tensor and a dimension as a number.
    pub fn with_size(&mut self, name: &str, value: &Value, dim: Dim) -> Result<Value> {
        let size = self.size(value.element(), dim)?;
        self.binary(name, value, &size)
    }

    /// The subscripts of an axis, in a tensor of these dimensions.
    pub fn iota(&mut self, element: Element, dims: &[Dim], axis: usize) -> Result<Value> {
        let attrs = [
            ("shape", Param::Dims(dims.to_vec())),
            ("axis", Param::Int(axis as i64)),
            ("dtype", Param::Type(element)),
        ];
        self.op("iota", &[], &attrs)
    }

    /// A tensor of equal elements whose dimensions may be open.
    pub fn full(&mut self, element: Element, dims: &[Dim], number: f64) -> Result<Value> {
        if let Some(shape) = dims
            .iter()
            .map(|dim| dim.known())
            .collect::<Option<Vec<_>>>()
        {
            return Ok(self.filled(element, &shape, number));
        }
        let fill = self.scalar(element, number);
        let attrs = [("shape", Param::Dims(dims.to_vec()))];
        self.op("full", &[fill], &attrs)
    }

    /// The value in the IR. A known tensor becomes a `relay.constant` on first use. Forms are computed when the model runs.
    pub fn materialize(&self, value: &Value) -> Result<IrValue> {
        if let Some(ir) = value.ir() {
            return Ok(ir);
        }
        if let Some(forms) = value.elements() {
            let builder = Builder::at_end(self.root, self.loc, self.ctx);
            let ir = self.sources.compute(&builder, value, forms)?;
            value.set_ir(ir);
            return Ok(ir);
        }
        let (Some(constant), Some(name)) = (value.constant(), value.name()) else {
            unreachable!("a value that is not in the IR is known");
        };
        let element = constant.element.ty(self.ctx);
        let ty = Type::tensor(&constant.shape, element);
        let attr = match constant.splat_bytes() {
            Some(bytes) if constant.count() > 0 => {
                scalar_attr(element, bytes).map(|scalar| Attr::splat(ty, scalar))
            }
            _ => {
                let bytes = constant.shared_bytes();
                if bytes.len() > INLINE_BYTES {
                    Some(Attr::resource(ty, name, bytes))
                } else {
                    Attr::dense(ty, &bytes)
                }
            }
        };
        let attr = attr.ok_or_else(|| format!("cannot make a constant of type {ty}"))?;
        let loc = Loc::name(self.ctx, name);
        let builder = Builder::at_end(self.root, loc, self.ctx);
        let ir = builder.value(names::relay::CONSTANT, &[], ty, &[("value", attr)]);
        value.set_ir(ir);
        Ok(ir)
    }
}

/// The scalar attribute of one element's bytes: a list of one is a splat.
fn scalar_attr(element: Type, bytes: &[u8]) -> Option<Attr> {
    Attr::dense(Type::tensor(&[], element), bytes)?.splat_value()
}

/// Short forms of what many conversions make.
impl GraphBuilder {
    /// A reshape; `value` itself if it has that shape.
    pub fn reshape<D: Into<Dim> + Copy>(&mut self, value: &Value, shape: &[D]) -> Result<Value> {
        let shape = dim::dims(shape);
        if value.dims() == shape {
            return Ok(value.clone());
        }
        check_dims(&shape)?;
        let (from, to) = (dim::product(value.dims())?, dim::product(&shape)?);
        if dim::unify(from, to).is_none() {
            return Err(format!(
                "cannot reshape {:?} to {shape:?}: the numbers of elements differ",
                value.dims()
            ));
        }
        self.op(
            "reshape",
            std::slice::from_ref(value),
            &[("newshape", Param::Dims(shape))],
        )
    }

    /// A tensor of one element as one of rank 0.
    pub fn reshape_to_scalar(&mut self, value: &Value) -> Result<Value> {
        self.reshape::<Dim>(value, &[])
    }

    /// A transpose; `value` itself if the axes are in order.
    pub fn transpose(&mut self, value: &Value, axes: &[usize]) -> Result<Value> {
        if axes.iter().copied().eq(0..value.rank()) {
            return Ok(value.clone());
        }
        let axes = axes.iter().map(|&axis| axis as i64).collect();
        self.op(
            "transpose",
            std::slice::from_ref(value),
            &[("axes", Param::Ints(axes))],
        )
    }

    /// A conversion of element type; `value` itself if it has that type.
    pub fn cast(&mut self, value: &Value, element: Element) -> Result<Value> {
        if value.element() == element {
            return Ok(value.clone());
        }
        self.op(
            "cast",
            std::slice::from_ref(value),
            &[("dtype", Param::Type(element))],
        )
    }

    /// A broadcast; `value` itself if it has that shape.
    pub fn broadcast<D: Into<Dim> + Copy>(&mut self, value: &Value, shape: &[D]) -> Result<Value> {
        let shape = dim::dims(shape);
        if value.dims() == shape {
            return Ok(value.clone());
        }
        check_dims(&shape)?;
        self.op(
            "broadcast_to",
            std::slice::from_ref(value),
            &[("shape", Param::Dims(shape))],
        )
    }

    /// A tensor as a matrix whose columns start at an axis.
    pub fn matrix(&mut self, value: &Value, axis: usize) -> Result<Value> {
        let (rows, columns) = value.dims().split_at(axis);
        self.reshape(value, &[dim::product(rows)?, dim::product(columns)?])
    }

    /// Tensors one after the other along an axis; a single one is returned itself.
    pub fn concatenate(&mut self, parts: &[Value], axis: usize) -> Result<Value> {
        match parts {
            [one] => Ok(one.clone()),
            _ => self.op("concatenate", parts, &[("axis", Param::Int(axis as i64))]),
        }
    }

    /// A tensor with more elements around it: for each axis how many come before it and how many behind; `value` itself if there are none.
    pub fn pad(
        &mut self,
        value: &Value,
        fill: &Value,
        widths: &[impl Into<Dim> + Copy],
        mode: &'static str,
    ) -> Result<Value> {
        let widths = dim::dims(widths);
        if widths.iter().all(|width| *width == 0) {
            return Ok(value.clone());
        }
        let attrs = [
            ("pad_width", Param::Dims(widths)),
            ("pad_mode", Param::Str(mode)),
        ];
        self.op("nn.pad", &[value.clone(), fill.clone()], &attrs)
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
        let number = self.scalar(value.element(), number);
        self.binary(name, value, &number)
    }
}
