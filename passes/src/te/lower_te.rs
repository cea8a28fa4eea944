//! `lower-te`: from tensor expressions to loops.
//!
//! Every function of `te.compute` ops becomes a kernel over buffers: its inputs, then its outputs.
//! The loops are those of its `te.schedule`; without one, stages that do not reduce are inlined
//! and the rest computed one after the other. Calls of it become `relay.call_lowered`.
//!
//! ```mlir
//! func.func @double(%a: tensor<4xf32>) -> tensor<4xf32> {
//!   %b = te.compute "b" (%i: 4) {
//!     %x = tensor.extract %a[%i] : tensor<4xf32>
//!     %y = arith.addf %x, %x : f32
//!     te.yield %y : f32
//!   } : tensor<4xf32>
//!   return %b : tensor<4xf32>
//! }
//! ```
//! becomes
//! ```mlir
//! func.func @double(%a: memref<4xf32>, %b: memref<4xf32>) attributes {tir.flops = 4 : i64, tir.kernel = #tir.kernel<generated>} {
//!   tir.for %i = 0 to 4 {
//!     %x = memref.load %a[%i] : memref<4xf32>
//!     %y = arith.addf %x, %x : f32
//!     memref.store %y, %b[%i] : memref<4xf32>
//!   }
//!   return
//! }
//! ```

mod bounds;
mod layout;
mod loops;
mod schedule;

use crate::analysis::flops::flops;
use loops::{Lowering, Slow};
use relay_dialects::{
    attrs::SYMBOL_VALUES,
    dim::Dim,
    index::{self, Predicate},
    ir::{Attr, Block, Builder, Op, Type, Value},
    names,
    ops::{arith, builtin, func, scf, tensor},
    pass::{Default, OptionSpec, Options, PassResult, PassSpec, fail, with_diagnostics_of},
    te::Compute,
    tir::KernelKind,
};
use relay_loops::{
    analysis::linear::linear,
    buffers::{argument_names, buffer_type, parameter_attrs, texts},
    kernel_limits::{check_stage, check_tensors},
    symbols::Symbols,
};
use schedule::{Illegal, STAGES, Schedule, StageId, Version};
use std::collections::{BTreeSet, HashMap, HashSet};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "lower-te",
    summary: "Lower tensor expressions with their schedules to loops over buffers",
    description: include_str!("lower_te.md"),
    anchor: builtin::Module::NAME,
    options: &[BLOCKS],
    run,
};

const BLOCKS: OptionSpec = OptionSpec {
    name: "blocks",
    summary: "compute each element in a tir.block; lower-block removes the blocks",
    default: Default::Bool(false),
};

fn run(module: Op, options: &Options) -> PassResult {
    let blocks = options.bool(BLOCKS.name);
    let is_expressed = |func: &Op| func.body().ops().into_iter().any(is_stage);
    let functions = module.functions().into_iter();
    let expressed: Vec<Op> = functions.filter(is_expressed).collect();
    let kernels: HashSet<String> = expressed.iter().filter_map(|func| func.symbol()).collect();
    for func in expressed {
        lower_function(func, module, blocks)?;
    }
    for call in module.find_all(func::Call::NAME) {
        let callee = call.attr("callee").and_then(Attr::as_symbol);
        if callee.is_some_and(|callee| kernels.contains(&callee)) {
            call_lowered(call);
        }
    }
    let intrinsics = module.body().ops().into_iter();
    intrinsics
        .filter(|op| op.is(names::te::TENSOR_INTRIN))
        .for_each(Op::erase);
    Ok(())
}

/// Replaces the call of a function on tensors that is a kernel now: where its buffers are is for the executor
/// to say.
fn call_lowered(call: Op) {
    let types: Vec<Type> = call.results().iter().map(|result| result.ty()).collect();
    let callee = call.attr("callee").map(|callee| ("callee", callee));
    let attrs: Vec<_> = callee.into_iter().collect();
    let lowered =
        Builder::before(call).op(names::relay::CALL_LOWERED, &call.operands(), &types, &attrs);
    call.replace_with(&lowered.results());
}

/// Whether the schedule of a TE function in a module can be carried out: its loops are written once, and dropped.
///
/// # Errors
/// What is wrong with it.
pub fn check_schedule(func: Op, module: Op) -> Result<(), String> {
    look_at_kernel(func, module, |_| ())
}

/// Shows the kernel of a TE function in a module: its loops are written once, looked at, and dropped.
///
/// # Errors
/// If its schedule cannot be carried out: what is wrong with it.
pub fn look_at_kernel<T>(func: Op, module: Op, look: impl FnOnce(Op) -> T) -> Result<T, String> {
    let (checked, diagnostics) = with_diagnostics_of(func.ctx(), || check(func));
    checked.map_err(|_| diagnostics)?;
    match kernel(func, module, false) {
        Ok((kernel, _)) => {
            let seen = look(kernel);
            kernel.erase();
            Ok(seen)
        }
        Err(illegal) => Err(format!("{}: {}", illegal.op.name(), illegal.reason)),
    }
}

/// Replaces a TE function by its kernel, which says how many floating-point operations it takes. Warns of what its
/// schedule makes slow.
fn lower_function(func: Op, module: Op, blocks: bool) -> PassResult {
    check(func)?;
    match kernel(func, module, blocks) {
        Ok((_, slow)) => {
            for Slow { op, reason } in slow {
                op.emit_warning(&reason);
            }
            func.erase();
        }
        Err(illegal) => return fail(illegal.op, illegal.reason),
    }
    Ok(())
}

/// Writes the kernel of a TE function before it; returns it, and what will be slow.
fn kernel(func: Op, module: Op, blocks: bool) -> Result<(Op, Vec<Slow>), Illegal> {
    let schedule = Schedule::of(func)?;
    let arguments = func.body().args();
    let returned = func
        .body()
        .terminator()
        .map(Op::operands)
        .unwrap_or_default();
    let kernel = declared(func, module, &[&arguments[..], &returned].concat());
    let b = Builder::at_end(kernel.body(), func.loc(), func.ctx());
    let buffers = kernel.body().args();
    let inputs: HashMap<Value, Value> = arguments
        .iter()
        .copied()
        .zip(buffers.iter().copied())
        .collect();
    let outputs: HashMap<Value, Value> = returned
        .iter()
        .copied()
        .zip(buffers[arguments.len()..].iter().copied())
        .collect();
    let frame = Frame {
        schedule: &schedule,
        inputs,
        outputs,
        symbols: Symbols::of(kernel),
        blocks,
    };
    let versions = schedule.versions();
    let written = frame
        .buffers(&b, &versions)
        .and_then(|made| frame.write(&b, &versions, &made));
    match written {
        Ok(slow) => {
            func::Return::build(&b, &[]);
            Ok((kernel, slow))
        }
        Err(illegal) => {
            kernel.erase();
            Err(illegal)
        }
    }
}

/// A kernel before a TE function, without loops: a function of buffers for these tensors, and of the values of symbols.
fn declared(func: Op, module: Op, tensors: &[Value]) -> Op {
    let tensors: Vec<Type> = tensors.iter().map(|value| value.ty()).collect();
    let symbols = symbols_of(func);
    let values = vec![Type::index(func.ctx()); symbols.len()];
    let buffers = tensors.iter().map(|ty| buffer_type(*ty));
    let types: Vec<Type> = buffers.chain(values).collect();
    let name = func.symbol().unwrap_or_default();
    let operations = flops(func, module).unwrap_or(0);
    let operations = i64::try_from(operations).unwrap_or(i64::MAX);
    let mut attrs = vec![KernelKind::Generated.on_function(func.ctx())];
    attrs.extend((operations > 0).then(|| {
        (
            relay_dialects::attrs::FLOPS,
            Attr::i64(func.ctx(), operations),
        )
    }));
    let visibility = func.attr("sym_visibility");
    attrs.extend(visibility.map(|visibility| ("sym_visibility", visibility)));
    let names = parameter_attrs(argument_names(func), &tensors, symbols.len());
    attrs.extend(names.map(|names| ("arg_attrs", names)));
    attrs.extend((!symbols.is_empty()).then(|| (SYMBOL_VALUES, texts(func.ctx(), &symbols))));

    Builder::before(func).func(&name, &types, &[], &attrs)
}

/// The buffers of stages.
type Buffers = HashMap<StageId, Vec<Value>>;

/// What all versions of a kernel's loops share.
struct Frame<'a> {
    schedule: &'a Schedule,
    inputs: HashMap<Value, Value>,
    outputs: HashMap<Value, Value>,
    symbols: Symbols,
    blocks: bool,
}

impl Frame<'_> {
    /// The buffers that several versions share.
    fn buffers(&self, b: &Builder, versions: &[Version]) -> Result<Buffers, Illegal> {
        match versions {
            [version, _, ..] => self.lowering(version).buffers_at_root(b, &self.outputs),
            _ => Ok(Buffers::new()),
        }
    }

    /// Writes all versions, and runs the first one for which the extents are long enough. Returns what will be slow in the first one.
    fn write(
        &self,
        b: &Builder,
        versions: &[Version],
        made: &Buffers,
    ) -> Result<Vec<Slow>, Illegal> {
        let Some((version, others)) = versions.split_first() else {
            return Ok(Vec::new());
        };
        let Some(fits) = self.fits(b, version) else {
            return self.write_version(b, version, made);
        };
        let branches = [(); 2].map(|()| Block::new(b.ctx, &[]));
        scf::If::build(b, &[], fits, branches[0], Some(branches[1]));
        let [then, otherwise] = branches.map(|block| {
            let end = scf::Yield::build(&Builder::at_end(block, b.loc, b.ctx), &[]);
            Builder::before(end).with_loc(b.loc)
        });
        let slow = self.write_version(&then, version, made)?;
        self.write(&otherwise, others, made)?;
        Ok(slow)
    }

    fn write_version(
        &self,
        b: &Builder,
        version: &Version,
        made: &Buffers,
    ) -> Result<Vec<Slow>, Illegal> {
        let mut lowering = self.lowering(version);
        lowering.run(b, &self.outputs, made)?;
        Ok(lowering.slow())
    }

    fn lowering(&self, version: &Version) -> Lowering<'_> {
        Lowering::new(self.schedule, version.clone(), self.inputs.clone())
            .with_blocks(self.blocks)
            .with_symbols(self.symbols.clone())
    }

    /// Whether the extents are long enough for a version; none if all are.
    fn fits(&self, b: &Builder, version: &Version) -> Option<Value> {
        let least = version.at_least.iter();
        let conditions = least.filter_map(|(dim, least)| {
            let extent = self.symbols.value(b, *dim)?;
            Some(index::compare(b, Predicate::Sge, extent, b.index(*least)))
        });
        conditions.reduce(|all, fits| arith::AndI::build(b, all, fits))
    }
}

/// The symbols that a TE function names, each once.
fn symbols_of(func: Op) -> Vec<String> {
    let mut names = BTreeSet::new();
    let mut add = |dims: Vec<Dim>| names.extend(dims.into_iter().flat_map(Dim::symbols));
    for value in func.body().args() {
        add(value.ty().dims());
    }
    func.walk(|op| {
        for result in op.results() {
            add(result.ty().dims());
        }
        add(Compute::of(op)
            .and_then(|compute| compute.reduce_dims().ok())
            .unwrap_or_default());
        let form = op
            .attr("form")
            .and_then(Attr::as_str)
            .filter(|_| op.is(names::te::EXTENT));
        add(form
            .and_then(|form| Dim::parse(&form).ok())
            .into_iter()
            .collect());
    });
    names.into_iter().map(String::from).collect()
}

/// What lowering takes for granted.
fn check(func: Op) -> PassResult {
    let mut parameters = func.body().args().into_iter().map(|value| value.ty());
    let is_named = |ty: &Type| ty.is_tensor() && !ty.dims().contains(&Dim::Unknown);
    if let Some(ty) = parameters.find(|ty| !is_named(ty)) {
        return fail(
            func,
            format!(
                "has a parameter of type {ty}; kernels take tensors whose extents are numbers or named"
            ),
        );
    }
    check_tensors(func, &func.body().args())?;
    for op in func.body().ops() {
        check_op(op)?;
    }
    let returned = func.body().terminator();
    let returned = returned.map(Op::operands).unwrap_or_default();
    for (index, value) in returned.iter().enumerate() {
        if !value.def().is_some_and(is_stage) || returned[..index].contains(value) {
            return fail(
                func,
                "returns something that is not the result of a te.compute, te.scan or te.extern, or one \
                 twice",
            );
        }
    }
    Ok(())
}

/// What lowering takes for granted of an op.
fn check_op(op: Op) -> PassResult {
    let known = [
        names::te::SCHEDULE,
        arith::Constant::NAME,
        func::Return::NAME,
    ];
    if !is_stage(op) && !known.iter().any(|name| op.is(name)) {
        return fail(
            op,
            "cannot stand beside te.compute in a function that is lowered",
        );
    }
    if op.is(names::te::SCAN) {
        check_times(op)?;
    }
    if !op.is(names::te::EXTERN)
        && is_stage(op)
        && let Some(inner) = first_region(op)
    {
        return fail(
            inner,
            "has a region; of such ops a compute takes scf.if only",
        );
    }
    let mut types = op.results().into_iter().map(|value| value.ty());
    if let Some(ty) = types.find(|ty| ty.dims().contains(&Dim::Unknown)) {
        return fail(
            op,
            format!("has the type {ty}; lowering needs extents that are numbers or named"),
        );
    }
    if is_stage(op) {
        check_stage(op)?;
        bounds::check(op)?;
    }
    Ok(())
}

/// The first op inside a compute that has a region and is no `scf.if`.
fn first_region(compute: Op) -> Option<Op> {
    compute.find(|op| op != compute && !op.is(scf::If::NAME) && !op.regions().is_empty())
}

fn is_stage(op: Op) -> bool {
    STAGES.iter().any(|name| op.is(name))
}

/// A scan reads its states at times that are there (C4).
fn check_times(scan: Op) -> PassResult {
    let body = scan.body();
    let arguments = body.args();
    let time = arguments[scan.result_count()];
    let given = scan.operand(0).ty().shape()[0];
    for read in scan.find_all(tensor::Extract::NAME) {
        if read.operand(0).owner_block() != Some(body) {
            continue;
        }
        let form = linear(read.operand(1));
        let is_earlier = form.terms == [(time, 1)] && (-given..=-1).contains(&form.constant);
        if !is_earlier {
            return fail(
                read,
                format!("reads a state at another time than 1 to {given} steps before (C4)"),
            );
        }
    }
    Ok(())
}
