//! `aot-lower-main`: the graph around the kernels, for a library that runs it as a function.
//!
//! ```mlir
//! func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
//!   %0 = relay.call_lowered @double(%x) : (tensor<4xf32>) -> tensor<4xf32>
//!   %1 = relay.call_lowered @double(%0) : (tensor<4xf32>) -> tensor<4xf32>
//!   return %1 : tensor<4xf32>
//! }
//! ```
//! becomes
//! ```mlir
//! func.func @main(%x: memref<4xf32>, %y: memref<4xf32>) attributes {relay.num_inputs = 1 : i64} {
//!   %0 = tir.alloc_buffer : memref<4xf32>
//!   call @double(%x, %0) : (memref<4xf32>, memref<4xf32>) -> ()
//!   call @double(%0, %y) : (memref<4xf32>, memref<4xf32>) -> ()
//!   return
//! }
//! ```

mod definitions;
mod donations;
mod loops;
mod parameters;

use relay_dialects::{
    Element,
    attrs::SYMBOL_VALUES,
    dim::Dim,
    ir::{Attr, Block, Builder, Op, Type, Value},
    limits::TOO_LARGE,
    names,
    ops::{builtin, func, memref, scf},
    pass::{Options, PassFailed, PassResult, PassSpec, fail},
    symbols::{Symbol, set_symbols, symbols},
    tir::{self, AllocBuffer, KernelKind, Scope, reshape_view},
};
use relay_loops::{
    buffers::{argument_names, buffer_type, fits, parameter_attrs, texts},
    symbols::{Symbols, names},
};
use std::collections::{BTreeSet, HashMap};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "aot-lower-main",
    summary: "Lower functions that call kernels to functions over buffers, compiled ahead of time",
    description: include_str!("aot_lower_main.md"),
    anchor: builtin::Module::NAME,
    options: &[],
    run,
};

fn run(module: Op, _options: &Options) -> PassResult {
    let (reshapes, callers): (Vec<Op>, Vec<Op>) = module
        .functions()
        .into_iter()
        .filter(|func| takes_tensors(*func))
        .partition(|func| KernelKind::View.is_of(*func));
    for func in callers {
        check_kernel(func)?;
        lower(module, func)?;
    }
    for declaration in module.body().ops() {
        if declaration.is(func::Func::NAME) && KernelKind::External.is_of(declaration) {
            over_buffers(declaration);
        }
    }
    // Their calls have become views.
    reshapes.into_iter().for_each(Op::erase);
    match module.function("main").filter(|main| takes_buffers(*main)) {
        Some(main) => mark_inputs(main),
        None => Ok(()),
    }
}

/// Has an external kernel take buffers: those of its inputs, then those of its results. It says how many are inputs.
fn over_buffers(declaration: Op) {
    let Some(ty) = declaration.function_type() else {
        return;
    };
    let types = [ty.inputs(), ty.results()].concat().into_iter();
    let buffer = |ty: Type| if ty.is_tensor() { buffer_type(ty) } else { ty };
    let buffers: Vec<Type> = types.map(buffer).collect();
    let inputs = Attr::i64(declaration.ctx(), ty.inputs().len() as i64);
    declaration.set_attr(relay_dialects::attrs::NUM_INPUTS, inputs);
    let ty = Type::function(declaration.ctx(), &buffers, &[]);
    declaration.set_attr("function_type", Attr::ty(ty));
}

/// Says of an entry that was written over buffers how many of its parameters are inputs.
fn mark_inputs(main: Op) -> PassResult {
    match parameters::count_inputs(main) {
        Ok(count) => {
            let count = Attr::i64(main.ctx(), count as i64);
            main.set_attr(relay_dialects::attrs::NUM_INPUTS, count);
            Ok(())
        }
        Err(reason) => fail(main, reason),
    }
}

/// Whether a function with a body takes nothing but buffers, returns nothing, and nothing says which of them are inputs.
fn takes_buffers(func: Op) -> bool {
    let ty = func.function_type();
    let is_over_buffers = |ty: Type| {
        let inputs = ty.inputs();
        ty.results().is_empty() && !inputs.is_empty() && inputs.iter().all(|ty| ty.is_memref())
    };
    ty.is_some_and(is_over_buffers)
        && func.block_in(0).is_some()
        && !func.has_attr(relay_dialects::attrs::NUM_INPUTS)
}

/// Whether a function with a body has a tensor among its parameters and results.
fn takes_tensors(func: Op) -> bool {
    let ty = func.function_type();
    let has_tensor = |ty: Type| {
        let types = [ty.inputs(), ty.results()].concat();
        types.iter().any(|ty| ty.is_tensor())
    };
    ty.is_some_and(has_tensor) && func.regions()[0].first_block().is_some()
}

/// Refuses what should be a kernel by now.
fn check_kernel(func: Op) -> PassResult {
    let is_expression = |op: &Op| op.name().starts_with("te.");
    if func.has_attr(relay_dialects::attrs::PRIMITIVE)
        || func.body().ops().iter().any(is_expression)
    {
        return fail(
            func,
            "is no kernel yet: run relay-to-te and lower-te before aot-lower-main",
        );
    }
    Ok(())
}

/// Replaces a function on tensors, whose ops are calls, constants, tuples, ifs and loops, by one on
/// buffers: its inputs, then its outputs.
fn lower(module: Op, func: Op) -> PassResult {
    let ty = func.function_type();
    let ty = ty.ok_or(PassFailed)?;
    check_types(func, &[ty.inputs(), ty.results()].concat())?;
    if func.symbol().as_deref() == Some("main") {
        declare_symbols(module, &symbols_of(&ty.inputs()))?;
    }
    let lowered = declare(func, ty);

    let arguments = lowered.body().args();
    let (inputs, outputs) = arguments.split_at(ty.inputs().len());
    let outputs = &outputs[..ty.results().len()];
    let returned = func.body().terminator();
    let returned = returned.map(Op::operands).unwrap_or_default();
    let parameters = func.body().args().into_iter();
    let mut state = Graph {
        module,
        lowered,
        symbols: Symbols::of(lowered),
        buffers: parameters.zip(inputs.iter().copied()).collect(),
        fields: HashMap::new(),
        destinations: HashMap::new(),
        returned: returned.clone(),
        outputs: vec![None; returned.len()],
        is_nested: false,
        defined: 0,
    };
    for (place, (value, output)) in returned.iter().zip(outputs).enumerate() {
        if state.knows(value.ty()) {
            state.set_output(place, *output);
        }
    }
    let b = Builder::at_end(lowered.body(), func.loc(), func.ctx());
    state.donate(&b, func)?;
    state.block(&b, func.body())?;
    for (place, value) in returned.iter().enumerate() {
        let buffer = state.buffer(func, *value)?;
        let Some(output) = state.outputs[place] else {
            return fail(func, definitions::no_value(value.ty()));
        };
        if buffer != output {
            memref::Copy::build(&b, buffer, output);
        }
    }
    func::Return::build(&b, &[]);
    func.erase();
    Ok(())
}

/// Refuses parameters and results that no buffer holds.
fn check_types(func: Op, types: &[Type]) -> PassResult {
    for ty in types {
        if !ty.is_tensor() || ty.dims().contains(&Dim::Unknown) {
            let what = "has a parameter or result of type";
            return fail(
                func,
                format!("{what} {ty}; lowering needs tensors whose extents are numbers or named"),
            );
        }
        if let Err(reason) = Element::require(ty.element()) {
            let what = "has a parameter or result of type";
            return fail(func, format!("{what} {ty}: {reason}"));
        }
    }
    for ty in types {
        if !fits(&ty.shape(), ty.element()) {
            let what = "has a parameter or result of type";
            return fail(func, format!("{what} {ty}, which {TOO_LARGE}"));
        }
    }
    Ok(())
}

/// A function without ops, whose parameters are the buffers of a function on tensors.
fn declare(func: Op, ty: Type) -> Op {
    let tensors = [ty.inputs(), ty.results()].concat();
    let symbols = symbols_of(&ty.inputs());
    let buffers = tensors.iter().map(|ty| buffer_type(*ty));
    let values = vec![Type::index(func.ctx()); symbols.len()];
    let types: Vec<Type> = buffers.chain(values).collect();
    let count = Attr::i64(func.ctx(), ty.inputs().len() as i64);
    let mut attrs = vec![(relay_dialects::attrs::NUM_INPUTS, count)];
    let names = parameter_attrs(argument_names(func), &tensors, symbols.len());
    let visibility = func.attr("sym_visibility");
    attrs.extend((!symbols.is_empty()).then(|| (SYMBOL_VALUES, texts(func.ctx(), &symbols))));
    attrs.extend(names.map(|names| ("arg_attrs", names)));
    attrs.extend(visibility.map(|visibility| ("sym_visibility", visibility)));
    let name = func.symbol().unwrap_or_default();
    Builder::before(func).func(&name, &types, &[], &attrs)
}

/// Adds symbols to those that a module says, as of any size where it does not say them.
fn declare_symbols(module: Op, names: &[String]) -> PassResult {
    let mut known = match symbols(module) {
        Ok(known) => known,
        Err(reason) => return fail(module, reason),
    };
    let missing = names
        .iter()
        .filter(|name| known.iter().all(|symbol| symbol.name != **name));
    let missing: Vec<Symbol> = missing.map(|name| Symbol::any(name)).collect();
    if !missing.is_empty() {
        known.extend(missing);
        set_symbols(module, &known);
    }
    Ok(())
}

/// The symbols that some types name, each once.
fn symbols_of(types: &[Type]) -> Vec<String> {
    let dims = types.iter().flat_map(|ty| ty.dims());
    let names: BTreeSet<&str> = dims.flat_map(Dim::symbols).collect();
    names.into_iter().map(String::from).collect()
}

/// Why a graph cannot call a function, which may be this one, one that calls it, or one without code.
fn no_kernel(target: Op) -> Option<&'static str> {
    if KernelKind::of_function(target).is_some() {
        return None;
    }
    if target.block_in(0).is_none() {
        return Some("which has no body: its code is nowhere in the module");
    }
    let is_graph = target.has_attr(relay_dialects::attrs::NUM_INPUTS) || takes_tensors(target);
    is_graph.then_some(
        "a function of operators: a graph calls kernels only, so give it relay.inline and run relay-inline before (but \
         a function that calls itself has no end)",
    )
}

/// What the values of a function's graph have become.
struct Graph {
    module: Op,
    /// The function that is being written.
    lowered: Op,
    /// The values of symbols.
    symbols: Symbols,
    buffers: HashMap<Value, Value>,
    /// The fields of tuples.
    fields: HashMap<Value, Vec<Value>>,
    /// Buffers that results must be computed into.
    destinations: HashMap<Value, Value>,
    /// What the function returns.
    returned: Vec<Value>,
    /// The buffers for that. Those of a shape that is computed are there once the values of its symbols are.
    outputs: Vec<Option<Value>>,
    /// Whether the ops are in a branch or a loop.
    is_nested: bool,
    /// How many symbols have been computed until now.
    defined: usize,
}

impl Graph {
    fn buffer(&self, user: Op, value: Value) -> Result<Value, PassFailed> {
        match self.buffers.get(&value) {
            Some(buffer) => Ok(*buffer),
            None => fail(user, "uses a value that has no buffer"),
        }
    }

    /// The ops of a branch or a loop. The symbols that they compute are theirs.
    fn nested_block(&mut self, b: &Builder, block: Block) -> PassResult {
        let around = std::mem::replace(&mut self.is_nested, true);
        let symbols = self.symbols.clone();
        let lowered = self.block(b, block);
        self.symbols = symbols;
        self.is_nested = around;
        lowered
    }

    fn block(&mut self, b: &Builder, block: Block) -> PassResult {
        for op in block.ops() {
            let b = b.with_loc(op.loc());
            let defined = self.defined;
            match op.name().as_str() {
                names::relay::CALL_LOWERED | func::Call::NAME => self.call(&b, op)?,
                names::relay::CONSTANT => {
                    let Some(value) = op.attr("value") else {
                        continue;
                    };
                    let ty = buffer_type(op.result(0).ty());
                    let buffer = tir::ops::AllocateConst::build(&b, ty, value);
                    self.buffers.insert(op.result(0), buffer);
                }
                names::relay::TUPLE => {
                    self.fields.insert(op.result(0), op.operands());
                }
                names::relay::TUPLE_GET => self.tuple_get(op)?,
                names::relay::IF => self.if_op(&b, op)?,
                names::relay::SCAN => self.scan(&b, op)?,
                names::relay::WHILE => self.while_op(&b, op)?,
                names::relay::DIM_OF => self.define(&b, op)?,
                func::Return::NAME | names::relay::YIELD => {}
                names::relay::ON_DEVICE | names::relay::DEVICE_COPY => {
                    return fail(op, "is not lowered here: run erase-devices first");
                }
                _ => {
                    return fail(
                        op,
                        "is not lowered here: run fuse-ops first, so that it is part of a primitive function",
                    );
                }
            }
            if self.defined > defined && !op.is(names::relay::DIM_OF) {
                self.check(&b);
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
        if let Some(reason) = no_kernel(target) {
            return fail(op, format!("calls '{callee}', {reason}"));
        }
        let mut operands = Vec::new();
        for operand in op.operands() {
            operands.push(self.buffer(op, operand)?);
        }
        match KernelKind::of_function(target) {
            Some(KernelKind::View) => return self.view(b, op, operands[0]),
            Some(KernelKind::Generated | KernelKind::External) | None => {}
        }
        for result in op.results() {
            let buffer = self.allocate(b, result);
            operands.push(buffer);
        }
        for symbol in names(target) {
            let Some(value) = self.symbols.get(&symbol) else {
                return fail(
                    op,
                    format!(
                        "needs the value of '{symbol}', which no input of the graph has as an extent, and nothing before computes"
                    ),
                );
            };
            operands.push(value);
        }
        b.call(&callee, &operands, &[]);
        Ok(())
    }

    /// The same elements under another shape.
    fn view(&mut self, b: &Builder, op: Op, source: Value) -> PassResult {
        let result = op.result(0);
        let ty = buffer_type(result.ty());
        let view = match ty.is_static() {
            true => Some(reshape_view(b, source, ty)),
            false => self.symbols.view(b, source, ty, &result.ty().dims()),
        };
        let Some(view) = view else {
            return fail(
                op,
                format!(
                    "makes {}, of which a symbol is no extent of an input",
                    result.ty()
                ),
            );
        };
        self.buffers.insert(result, view);
        Ok(())
    }

    fn allocate(&mut self, b: &Builder, value: Value) -> Value {
        let buffer = self.destinations.get(&value).copied().unwrap_or_else(|| {
            AllocBuffer::of_tensor(
                b,
                buffer_type(value.ty()),
                &value.ty().dims(),
                Scope::Global,
                "",
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
        let flag = memref::Load::build(b, condition, &[]);
        let mut branch = |index: usize| {
            let Some(source) = op.block_in(index) else {
                return fail(op, "has an empty branch");
            };
            let block = Block::new(b.ctx, &[]);
            let inside = Builder::at_end(block, b.loc, b.ctx);
            self.nested_block(&inside, source)?;
            let yielded = source.terminator().map(Op::operands).unwrap_or_default();
            for (value, result) in yielded.iter().zip(&results) {
                let buffer = self.buffer(op, *value)?;
                memref::Copy::build(&inside, buffer, *result);
            }
            scf::Yield::build(&inside, &[]);
            Ok(block)
        };
        let (then, otherwise) = (branch(0)?, branch(1)?);
        scf::If::build(b, &[], flag, then, Some(otherwise));
        Ok(())
    }
}
