//! The builder of `@main`'s body, which conversions write their operators with.

use super::{
    attr::Param,
    constant::{Const, Numbers, check_dims, element_count},
    diagnostics::Diagnostics,
    error::Result,
    forms::Sources,
    request::Request,
    shape,
    stored::Stored,
    value::Value,
    weights::Replacements,
};
use relay_dialects::{
    dim::{self, Dim, Equation},
    element::Element,
    ir::{Attr, Block, Builder, Ctx, Loc, Op, Type, Value as IrValue},
    names,
    relay::{build::extent, language::computed_symbols},
    symbols::{Condition, Symbol, UNBOUNDED},
};

/// Constants of up to this many bytes are printed with their elements; larger ones are resources.
const INLINE_BYTES: usize = 64;

/// The most numbers in a computed list of sizes. No tensor has as many dimensions.
const MOST_SIZES: i64 = 64;

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
    /// The dimensions that the model compares when it has computed them.
    compared: Vec<Equation>,
    /// The conditions of the branches that are being written, and which of two branches it is.
    guards: Vec<(Value, bool)>,
    /// The numbers of steps of the loops that are being written, those around others first; `None` where data decide.
    steps: Vec<Option<Dim>>,
    /// The symbols that the model computes.
    computed: Vec<Symbol>,
    /// Those of them that the step computes that is being written: nothing outside of it can have them.
    of_steps: Vec<&'static str>,
    diagnostics: Diagnostics,
    weights: Replacements,
}

impl GraphBuilder {
    /// A builder at the end of `block`. MLIR's messages are collected in `diagnostics`, and `weights` take the place of parameters.
    pub(super) fn new(
        ctx: Ctx,
        block: Block,
        diagnostics: Diagnostics,
        weights: Replacements,
    ) -> Self {
        Self {
            ctx,
            root: block,
            block,
            loc: Loc::unknown(ctx),
            node: String::new(),
            nodes: 0,
            sources: Sources::default(),
            conditions: Vec::new(),
            compared: Vec::new(),
            guards: Vec::new(),
            steps: Vec::new(),
            computed: Vec::new(),
            of_steps: Vec::new(),
            diagnostics,
            weights,
        }
    }

    /// Notes an input that has open dimensions: from them their sizes are read when the model runs.
    pub fn note_symbols(&mut self, input: IrValue) {
        self.sources.add(input);
    }

    /// A tensor that the model's file holds, or the one that takes its place. Its names are those that it has in the model, the first one
    /// for messages; `ty` is its element type and shape, if they are known, and `own` reads it from the file.
    ///
    /// # Errors
    /// If what takes its place has another type, or it cannot be read.
    pub fn parameter(
        &self,
        names: &[&str],
        ty: Option<(Element, &[i64])>,
        own: impl FnOnce() -> Result<Const>,
    ) -> Result<Value> {
        self.weights.parameter(names, ty, own)
    }

    /// The names by which weights may have a tensor of the model's file: its own, and those of all tensors that are the same elements, as
    /// layers share them.
    pub fn names_of<'n>(
        &self,
        name: &'n str,
        stored: &Stored,
        all: impl Iterator<Item = (&'n str, &'n Stored)>,
    ) -> Vec<&'n str> {
        let mut names = vec![name];
        if !self.weights.is_empty() {
            let same = all.filter(|(_, other)| other.is_same(stored));
            names.extend(same.map(|(name, _)| name));
        }
        names
    }

    /// What is taken of weights.
    pub(super) fn weights(&self) -> &Replacements {
        &self.weights
    }

    /// Makes a number, an i64 of rank 0, the size of a new symbol, whose name begins with `base`. The model checks when it runs that
    /// the number is from 0 to `most`.
    ///
    /// # Errors
    /// If the number is nothing that a model computes.
    pub fn define(&mut self, number: &Value, base: &str, most: Option<Dim>) -> Result<Dim> {
        self.define_within(number, base, (None, most), None)
    }

    /// As [`GraphBuilder::define`], where the number is not below `least` either.
    ///
    /// # Errors
    /// If the number is nothing that a model computes.
    pub fn define_between(
        &mut self,
        number: &Value,
        base: &str,
        least: Dim,
        most: Dim,
    ) -> Result<Dim> {
        self.define_within(number, base, (Some(least), Some(most)), None)
    }

    /// As [`GraphBuilder::define`], with two bounds. `of` is the form that the number is, if that is said.
    pub(super) fn define_within(
        &mut self,
        number: &Value,
        base: &str,
        (least, most): (Option<Dim>, Option<Dim>),
        of: Option<Dim>,
    ) -> Result<Dim> {
        if let Some(form) = number.form()
            && is_within(form, least, most)
        {
            return Ok(form);
        }
        if !self.is_root() && !self.is_in_step() {
            return Err(
                "a branch computes a size; only sizes that the graph around it computes are supported".into(),
            );
        }
        if number.element() != Element::I64 || number.rank() != 0 {
            return Err(format!(
                "a size is of shape {:?}, expected one int64",
                number.dims()
            ));
        }
        let number = self.where_taken(number, least.unwrap_or(Dim::Known(0)))?;
        let operand = self.materialize(&number)?;
        let name = self.sources.new_name(base);
        let dim = Dim::symbol(&name);
        let bound = most.and_then(Dim::known).unwrap_or(UNBOUNDED);
        self.computed.push(Symbol::bounded(&name, 0, bound, 1)?);
        let mut attrs = vec![("symbol", Attr::str(self.ctx, &name))];
        for (name, bound) in [("least", least), ("most", most), ("of", of)] {
            attrs.extend(bound.map(|bound| (name, extent(self.ctx, bound))));
        }
        let builder = Builder::at_end(self.block, self.loc, self.ctx);
        builder.op(names::relay::DIM_OF, &[operand], &[], &attrs);
        for symbol in dim.symbols() {
            self.sources.define(symbol, operand);
            if !self.is_root() {
                self.of_steps.push(symbol);
            }
        }
        Ok(dim)
    }

    /// The first elements of an axis, as many as `extent` says, which is known not to be above the elements that are there.
    pub fn prefix(&mut self, value: &Value, axis: usize, extent: Dim) -> Result<Value> {
        if value.dims()[axis] == extent {
            return Ok(value.clone());
        }
        let attrs = [
            ("axis", Param::Int(axis as i64)),
            ("extent", Param::Dims(vec![extent])),
        ];
        self.op("prefix", std::slice::from_ref(value), &attrs)
    }

    /// A dimension that is not above another one: itself if that is known, or a symbol that the model checks when it runs.
    pub fn at_most(&mut self, dim: Dim, most: Dim, base: &str) -> Result<Dim> {
        let is_less = dim.min(most).is_ok_and(|least| least == dim);
        if is_less || dim == most {
            return Ok(dim);
        }
        let number = self.size(Element::I64, dim)?;
        self.define(&number, base, Some(most))
    }

    /// The elements of a short list, which is computed at run time, as sizes. The model checks when it runs that they are not negative.
    ///
    /// # Errors
    /// If it is no list of a known length.
    pub fn sizes_of(&mut self, list: &Value) -> Result<Vec<Dim>> {
        if let Some(sizes) = list.sizes() {
            return Ok(sizes.to_vec());
        }
        let count = count_of_sizes(list)?;
        let numbers = self.cast(list, Element::I64)?;
        let numbers = self.reshape(&numbers, &[count])?;
        let mut sizes = Vec::new();
        for place in 0..count {
            let number = self.element(&numbers, place)?;
            sizes.push(self.define(&number, "size", None)?);
        }
        if self.is_root() {
            list.set_sizes(&sizes);
        }
        Ok(sizes)
    }

    /// The subscripts of the elements of an axis in order. Equal elements keep theirs.
    pub fn argsort(&mut self, value: &Value, axis: usize, is_ascending: bool) -> Result<Value> {
        let attrs = [
            ("axis", Param::Int(axis as i64)),
            ("is_ascend", Param::Bool(is_ascending)),
            ("dtype", Param::Type(Element::I64)),
        ];
        self.op("argsort", std::slice::from_ref(value), &attrs)
    }

    /// An element of a list, as a tensor of rank 0.
    pub fn element(&mut self, list: &Value, place: i64) -> Result<Value> {
        let index = self.scalar(Element::I64, place as f64);
        self.taken(list, &index, 0)
    }

    /// The symbols that a function computes.
    pub fn computed_symbols(&self, function: Op) -> Vec<Symbol> {
        // Those of a loop that was given up are not there any more.
        let defined = computed_symbols(function);
        let computed = self.computed.iter();
        let computed = computed.filter(|symbol| defined.contains(&symbol.name));
        computed.cloned().collect()
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
        let parts = match shape::evaluate(name, operands, attrs, &self.node) {
            Some(shape::Result::Known(known)) => return Ok(known),
            Some(shape::Result::Partial(parts)) => Some(parts),
            None => None,
        };
        let mut results = self.ops(name, operands, attrs)?;
        let (Some(result), true) = (results.pop(), results.is_empty()) else {
            return Err(format!("relay.{name} does not have one result"));
        };
        if let Some(parts) = parts {
            result.set_parts(parts);
        }
        Ok(result)
    }

    /// Makes a relay op of any number of results.
    pub fn ops(
        &mut self,
        name: &str,
        operands: &[Value],
        attrs: &[(&str, Param)],
    ) -> Result<Vec<Value>> {
        let in_step = |value: &Value| value.elements().is_some_and(|dims| self.is_of_step(dims));
        let is_of_shapes = is_of_shapes(name, operands) && !operands.iter().any(in_step);
        let operands: Vec<IrValue> = operands
            .iter()
            .map(|value| self.materialize(value))
            .collect::<Result<_>>()?;
        let attrs = attrs.iter();
        let request = Request {
            name: name.into(),
            operands,
            attrs: attrs
                .map(|(name, value)| ((*name).into(), value.to_attr(self.ctx)))
                .collect(),
        };
        if !is_of_shapes {
            let op = self.made(request)?;
            return op.results().into_iter().map(Value::computed).collect();
        }
        let op = self.in_root(|b| b.made(request))?;
        let results = op.results().into_iter().map(Value::computed);
        let results: Vec<Value> = results.collect::<Result<_>>()?;
        results.iter().for_each(Value::set_of_shapes);
        Ok(results)
    }

    /// Whether ops go into a step of a loop.
    pub fn is_in_step(&self) -> bool {
        !self.is_root() && !self.steps.is_empty()
    }

    /// Whether a step of a loop computes a symbol of some dimensions: then numbers of them are there in the step only.
    fn is_of_step(&self, dims: &[Dim]) -> bool {
        let mut symbols = dims.iter().flat_map(|dim| dim.symbols());
        symbols.any(|name| self.of_steps.contains(&name))
    }

    /// Writes a region, and fails if it returns something of a size that it computes itself.
    pub(super) fn with_own_sizes(
        &mut self,
        write: impl FnOnce(&mut Self) -> Result<Vec<Value>>,
    ) -> Result<Vec<Value>> {
        let around = self.of_steps.len();
        let written = write(self);
        let own = self.of_steps.split_off(around);
        let values = written?;
        let mut dims = values.iter().flat_map(|value| value.dims());
        match dims.find(|dim| dim.symbols().iter().any(|name| own.contains(name))) {
            None => Ok(values),
            Some(dim) => Err(format!(
                "a step of a loop returns what has the size {dim}, which the step computes; only sizes that the graph around it \
                 computes are supported there"
            )),
        }
    }

    /// Whether ops go into the function's block.
    pub(super) fn is_root(&self) -> bool {
        self.block == self.root
    }

    /// Whether ops go into a branch or a step of a loop.
    pub fn is_in_region(&self) -> bool {
        !self.is_root()
    }

    /// Writes ops into the function's block, behind which everything can read them.
    pub(super) fn in_root<T>(&mut self, write: impl FnOnce(&mut Self) -> T) -> T {
        let around = self.enter_block(self.root);
        let written = write(self);
        self.enter_block(around);
        written
    }

    /// Whether a value stands in the function's block.
    pub(super) fn is_in_root(&self, value: IrValue) -> bool {
        let block = value.owner_block().or_else(|| value.def()?.block());
        block == Some(self.root)
    }

    /// Whether the model computes a symbol of two dimensions.
    pub(super) fn is_computed(&self, (lhs, rhs): Equation) -> bool {
        let of_model = |name: &str| self.computed.iter().any(|symbol| symbol.name == name);
        let mut names = [lhs, rhs].into_iter().flat_map(Dim::symbols);
        names.any(of_model)
    }

    /// Notes a condition.
    pub(super) fn note_condition(&mut self, condition: Condition) {
        self.conditions.push(condition);
    }

    /// Notes that the model compares two dimensions.
    pub(super) fn note_compared(&mut self, equation: Equation) {
        self.compared.push(equation);
    }

    /// Whether the model compares two dimensions already.
    pub(super) fn has_compared(&self, (lhs, rhs): Equation) -> bool {
        self.compared.contains(&(lhs, rhs)) || self.compared.contains(&(rhs, lhs))
    }

    /// The conditions of the branches that are being written, and which of two branches it is.
    pub(super) fn guards(&mut self) -> &mut Vec<(Value, bool)> {
        &mut self.guards
    }

    /// Writes what runs in a loop of so many steps; `None` where data decide.
    pub fn in_loop<T>(&mut self, steps: Option<Dim>, write: impl FnOnce(&mut Self) -> T) -> T {
        self.steps.push(steps);
        let written = write(self);
        self.steps.pop();
        written
    }

    /// How often what is written now runs: 1, or the product of the steps of the loops around it; `None` where data decide.
    ///
    /// # Errors
    /// If 64 bits do not hold it.
    pub fn repetitions(&self) -> Result<Option<Dim>> {
        let steps: Option<Vec<Dim>> = self.steps.iter().copied().collect();
        steps.map(|steps| dim::product(&steps)).transpose()
    }

    /// Forgets MLIR's messages.
    pub(super) fn clear_diagnostics(&self) {
        self.diagnostics.borrow_mut().clear();
    }

    /// MLIR's messages.
    pub(super) fn said(&self) -> String {
        self.diagnostics.borrow().join("; ")
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
    ///
    /// # Errors
    /// If a dimension is negative, or the elements are too many.
    pub fn filled(&self, element: Element, shape: &[i64], number: f64) -> Result<Value> {
        element_count(shape)?;
        let numbers = Numbers::Floats(vec![number]);
        Ok(self.known(Const::splat(element, shape.to_vec(), &numbers)))
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
            return self.filled(element, &shape, number);
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
        if let Some(forms) = value.elements()
            && self.is_of_step(forms)
        {
            // Another region of the step may not read what this one computes.
            let builder = Builder::at_end(self.block, self.loc, self.ctx);
            return self.sources.compute(&builder, value, forms);
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
        let (attr, ty) = constant_attr(self.ctx, name, constant)?;
        let loc = Loc::name(self.ctx, name);
        let builder = Builder::at_end(self.root, loc, self.ctx);
        let ir = builder.value(names::relay::CONSTANT, &[], ty, &[("value", attr)]);
        value.set_ir(ir);
        Ok(ir)
    }
}

/// Whether an operator computes numbers of extents and constants only, and computes them for all numbers: then it may run even
/// where the branch that has it is not taken.
fn is_of_shapes(name: &str, operands: &[Value]) -> bool {
    let divides = matches!(name, "divide" | "floor_divide" | "mod" | "floor_mod");
    let is_known = |value: &Value| value.is_known() || value.is_of_shapes();
    !divides && operands.iter().all(is_known) && operands.iter().any(Value::is_of_shapes)
}

/// Whether a form is certain to be within bounds.
fn is_within(form: Dim, least: Option<Dim>, most: Option<Dim>) -> bool {
    let least = least.unwrap_or(Dim::Known(0));
    let is_above = form.max(least).is_ok_and(|greater| greater == form);
    is_above && most.is_none_or(|most| form.min(most).is_ok_and(|less| less == form))
}

/// The attribute of a constant, and its type. Its bytes are shared, unless there are few.
pub(crate) fn constant_attr(ctx: Ctx, name: &str, constant: &Const) -> Result<(Attr, Type)> {
    let element = constant.element.ty(ctx);
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
    Ok((attr, ty))
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

    /// The one element of a tensor, of rank 0; none if it is known to have another number of elements. Where the model computes that number,
    /// it checks it.
    pub fn only_element(&mut self, value: &Value) -> Result<Option<Value>> {
        let count = dim::product(value.dims())?;
        if count == 1 {
            return self.reshape_to_scalar(value).map(Some);
        }
        if count.is_known() {
            return Ok(None);
        }
        let number = self.size(Element::I64, count)?;
        self.check_equal(&number, Dim::Known(1), "elements")?;
        let shape = [("newshape", Param::Dims(Vec::new()))];
        let only = self.op("view_as", std::slice::from_ref(value), &shape);
        only.map(Some)
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
    ///
    /// # Errors
    /// If the tensor has fewer axes.
    pub fn matrix(&mut self, value: &Value, axis: usize) -> Result<Value> {
        let (rows, columns) = value
            .dims()
            .split_at_checked(axis)
            .ok_or_else(|| format!("a tensor of rank {} has no axis {axis}", value.rank()))?;
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

    /// What lies at some subscripts of an axis. Those outside of it wrap.
    pub fn taken(&mut self, value: &Value, indices: &Value, axis: usize) -> Result<Value> {
        let attrs = [
            ("axis", Param::Int(axis as i64)),
            ("mode", Param::Str("wrap")),
        ];
        self.op("take", &[value.clone(), indices.clone()], &attrs)
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

/// The number of numbers in a list of sizes.
///
/// # Errors
/// If nobody knows it, or no tensor has as many dimensions.
pub fn count_of_sizes(list: &Value) -> Result<i64> {
    match list.dims() {
        [] => Ok(1),
        [Dim::Known(count)] if *count <= MOST_SIZES => Ok(*count),
        dims => Err(format!(
            "sizes are of shape {dims:?}, expected a list of at most {MOST_SIZES} numbers"
        )),
    }
}
