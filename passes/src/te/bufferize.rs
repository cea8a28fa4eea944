//! Functions that call kernels, from tensors to buffers: a part of `lower-te`.

use relay_dialects::{
    index,
    ir::{Attr, Block, Builder, Op, Type, Value},
    pass::{PassResult, fail},
};
use std::collections::HashMap;

/// The most bytes of a buffer: what 64-bit processors let a process address.
const MOST_BYTES: i64 = 1 << 47;

/// What is wrong with one that has more.
pub const TOO_LARGE: &str = "takes more than 2^47 bytes, which is all that a process can address";

/// Whether a buffer of a static shape can be had.
pub fn fits(shape: &[i64], element: Type) -> bool {
    index::product(shape).saturating_mul(element.byte_width() as i64) <= MOST_BYTES
}

/// Replaces a function on tensors, whose ops are calls, constants, tuples and ifs, by one on
/// buffers: its inputs, then its outputs.
pub fn run(module: Op, func: Op) -> PassResult {
    let ty = func
        .attr("function_type")
        .and_then(Attr::as_type)
        .ok_or(relay_dialects::pass::PassFailed)?;
    let (inputs, results) = (ty.inputs(), ty.results());
    if !inputs.iter().chain(&results).any(|ty| ty.is_tensor())
        || func.regions()[0].first_block().is_none()
    {
        return Ok(());
    }
    if let Some(bad) = inputs
        .iter()
        .chain(&results)
        .find(|ty| !ty.is_tensor() || !ty.is_static())
    {
        return fail(
            func,
            format!("has a parameter or result of type {bad}; lowering needs static tensors"),
        );
    }
    if let Some(large) = inputs
        .iter()
        .chain(&results)
        .find(|ty| !fits(&ty.shape(), ty.element()))
    {
        return fail(
            func,
            format!("has a parameter or result of type {large}, which {TOO_LARGE}"),
        );
    }
    let types: Vec<Type> = inputs
        .iter()
        .chain(&results)
        .map(|ty| buffer_type(*ty))
        .collect();
    let count = Attr::i64(func.ctx(), inputs.len() as i64);
    let mut attrs = vec![("relay.num_inputs", count)];
    let (names, visibility) = (argument_names(func), func.attr("sym_visibility"));
    attrs.extend(names.map(|names| ("arg_attrs", names)));
    attrs.extend(visibility.map(|visibility| ("sym_visibility", visibility)));
    let name = func.symbol().unwrap_or_default();
    let lowered = Builder::before(func).func(&name, &types, &[], &attrs);

    let arguments = lowered.body().args();
    let mut state = Bufferize {
        module,
        buffers: HashMap::new(),
        fields: HashMap::new(),
        destinations: HashMap::new(),
    };
    state.buffers.extend(
        func.body()
            .args()
            .into_iter()
            .zip(arguments.iter().copied()),
    );
    let outputs = &arguments[inputs.len()..];
    let returned = func
        .body()
        .terminator()
        .map(Op::operands)
        .unwrap_or_default();
    for (value, output) in returned.iter().zip(outputs) {
        // A result that nothing else stands for is computed in its place.
        if returned.iter().filter(|other| *other == value).count() == 1 {
            state.destinations.insert(*value, *output);
        }
    }
    let b = Builder::at_end(lowered.body(), func.loc(), func.ctx());
    state.block(&b, func.body())?;
    for (value, output) in returned.iter().zip(outputs) {
        let buffer = state.buffer(func, *value)?;
        if buffer != *output {
            b.op("memref.copy", &[buffer, *output], &[], &[]);
        }
    }
    b.op("func.return", &[], &[], &[]);
    func.erase();
    Ok(())
}

/// The attributes of parameters and results in one list, for a function that takes its results as
/// parameters. Where a buffer has not the shape of its tensor, `relay.shape` says it.
pub fn argument_names(func: Op) -> Option<Attr> {
    let ty = func.attr("function_type").and_then(Attr::as_type)?;
    let types = [ty.inputs(), ty.results()].concat();
    let is_flattened = |ty: &Type| ty.is_tensor() && ty.count() == 0;
    let has_attrs = func.has_attr("arg_attrs") || func.has_attr("res_attrs");
    if !has_attrs && !types.iter().any(is_flattened) {
        return None;
    }
    let list = |name: &str, count: usize| {
        func.attr(name)
            .and_then(Attr::as_array)
            .unwrap_or_else(|| vec![Attr::dict(func.ctx(), &[]); count])
    };
    let mut all = list("arg_attrs", ty.inputs().len());
    all.extend(list("res_attrs", ty.results().len()));
    for (attrs, ty) in all.iter_mut().zip(&types) {
        if is_flattened(ty) {
            let mut entries = vec![("relay.shape", Attr::ints(func.ctx(), &ty.shape()))];
            entries.extend(attrs.get("relay.name").map(|name| ("relay.name", name)));
            *attrs = Attr::dict(func.ctx(), &entries);
        }
    }
    Some(Attr::array(func.ctx(), &all))
}

/// The type of a tensor's buffer. Upstream lowers no memref of a higher rank that has no elements.
pub fn buffer_type(ty: Type) -> Type {
    if ty.count() == 0 {
        return Type::memref(&[0], ty.element());
    }
    Type::memref(&ty.shape(), ty.element())
}

struct Bufferize {
    module: Op,
    buffers: HashMap<Value, Value>,
    /// The fields of tuples.
    fields: HashMap<Value, Vec<Value>>,
    /// Buffers that results must be computed into.
    destinations: HashMap<Value, Value>,
}

impl Bufferize {
    fn buffer(&self, user: Op, value: Value) -> Result<Value, relay_dialects::pass::PassFailed> {
        match self.buffers.get(&value) {
            Some(buffer) => Ok(*buffer),
            None => fail(user, "uses a value that has no buffer"),
        }
    }

    fn block(&mut self, b: &Builder, block: Block) -> PassResult {
        for op in block.ops() {
            let b = b.with_loc(op.loc());
            match op.name().as_str() {
                "func.call" => self.call(&b, op)?,
                "relay.constant" => {
                    let Some(value) = op.attr("value") else {
                        continue;
                    };
                    let ty = buffer_type(op.result(0).ty());
                    let buffer = b.value("tir.allocate_const", &[], ty, &[("value", value)]);
                    self.buffers.insert(op.result(0), buffer);
                }
                "relay.tuple" => {
                    self.fields.insert(op.result(0), op.operands());
                }
                "relay.tuple_get" => self.tuple_get(op)?,
                "relay.if" => self.if_op(&b, op)?,
                "func.return" | "relay.yield" => {}
                _ => {
                    return fail(
                        op,
                        "is not lowered here: run fuse-ops first, so that it is part of a primitive function",
                    );
                }
            }
        }
        Ok(())
    }

    fn call(&mut self, b: &Builder, op: Op) -> PassResult {
        let callee = op
            .attr("callee")
            .and_then(Attr::as_symbol)
            .unwrap_or_default();
        let Some(target) = self.module.lookup(&callee) else {
            return fail(op, format!("calls '{callee}', which is not in the module"));
        };
        let mut operands = Vec::new();
        for operand in op.operands() {
            operands.push(self.buffer(op, operand)?);
        }
        if target.has_attr("relay.reshape_only") {
            return self.view(b, op, operands[0]);
        }
        for result in op.results() {
            let buffer = self.allocate(b, result);
            operands.push(buffer);
        }
        b.call(&callee, &operands, &[]);
        Ok(())
    }

    /// The same elements under another shape.
    fn view(&mut self, b: &Builder, op: Op, source: Value) -> PassResult {
        let result = op.result(0);
        let ty = buffer_type(result.ty());
        let view = reshape_view(b, source, ty);
        self.buffers.insert(result, view);
        Ok(())
    }

    fn allocate(&mut self, b: &Builder, value: Value) -> Value {
        let buffer = self.destinations.get(&value).copied().unwrap_or_else(|| {
            let scope = Attr::str(b.ctx, "global");
            b.value(
                "tir.alloc_buffer",
                &[],
                buffer_type(value.ty()),
                &[("scope", scope)],
            )
        });
        self.buffers.insert(value, buffer);
        buffer
    }

    fn tuple_get(&mut self, op: Op) -> PassResult {
        let index = op.attr("index").and_then(Attr::as_i64).unwrap_or(0) as usize;
        let Some(field) = self
            .fields
            .get(&op.operand(0))
            .and_then(|fields| fields.get(index))
            .copied()
        else {
            return fail(
                op,
                "takes a field of a tuple that is not made in this function",
            );
        };
        if let Some(fields) = self.fields.get(&field).cloned() {
            self.fields.insert(op.result(0), fields);
        } else {
            let buffer = self.buffer(op, field)?;
            self.buffers.insert(op.result(0), buffer);
        }
        Ok(())
    }

    /// Both branches fill the same buffers.
    fn if_op(&mut self, b: &Builder, op: Op) -> PassResult {
        let condition = self.buffer(op, op.operand(0))?;
        let results: Vec<Value> = op
            .results()
            .into_iter()
            .map(|result| self.allocate(b, result))
            .collect();
        let flag = b.value("memref.load", &[condition], Type::int(b.ctx, 1), &[]);
        let mut blocks = Vec::new();
        for index in 0..2 {
            let Some(source) = op.block_in(index) else {
                return fail(op, "has an empty branch");
            };
            let block = Block::new(b.ctx, &[]);
            let inside = Builder::at_end(block, b.loc, b.ctx);
            self.block(&inside, source)?;
            let yielded = source.terminator().map(Op::operands).unwrap_or_default();
            for (value, result) in yielded.iter().zip(&results) {
                let buffer = self.buffer(op, *value)?;
                inside.op("memref.copy", &[buffer, *result], &[], &[]);
            }
            inside.op("scf.yield", &[], &[], &[]);
            blocks.push(Some(block));
        }
        b.region_op("scf.if", &[flag], &[], &[], &blocks);
        Ok(())
    }
}

/// A buffer of type `ty` over the elements of `source`.
pub fn reshape_view(b: &Builder, source: Value, ty: Type) -> Value {
    if source.ty() == ty {
        return source;
    }
    let sizes = ty.shape();
    let segments =
        Attr::parse(b.ctx, "array<i32: 1, 0, 0, 0>").expect("a builtin attribute parses");
    b.value(
        "memref.reinterpret_cast",
        &[source],
        ty,
        &[
            ("static_offsets", Attr::ints(b.ctx, &[0])),
            ("static_sizes", Attr::ints(b.ctx, &sizes)),
            ("static_strides", Attr::ints(b.ctx, &index::strides(&sizes))),
            ("operandSegmentSizes", segments),
        ],
    )
}
