//! `fold-constant`: computes at compile time what depends on constants only.

use crate::analysis::weights;
use crate::evaluator::{Bytes, Evaluator};
use crate::graph::{
    constants::DENSE_BYTES,
    operators::{constant, functions},
    rewrite,
};
use relay_dialects::{
    inferred,
    ir::{Attr, Builder, Op, Type, Value},
    limits, names,
    ops::{builtin, func},
    pass::{Default, OptionSpec, Options, PassFailed, PassResult, PassSpec, fail},
    relay::row_of,
};
use std::collections::{HashMap, HashSet};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "fold-constant",
    summary: "compute operators on constants at compile time",
    description: include_str!("fold_constant.md"),
    anchor: builtin::Module::NAME,
    options: &[
        OptionSpec {
            name: "max-bytes",
            summary: "the largest result to compute, in bytes; 0 for any",
            default: Default::Int(0),
        },
        CACHE,
    ],
    run,
};

/// Whether what computes constants is cached.
pub const CACHE: OptionSpec = OptionSpec {
    name: "cache",
    summary: "use the user's cache of compiled programs",
    default: Default::Bool(true),
};

fn run(module: Op, options: &Options) -> PassResult {
    inferred::check(module)?;
    let mut limit = held_bytes(module).max(limits::constant_bytes() as i64);
    if options.int("max-bytes") != 0 {
        limit = limit.min(options.int("max-bytes"));
    }
    let plan = Plan::of(module, limit);
    if !plan.outputs.is_empty() {
        fold(module, &plan, options)?;
    }
    Ok(())
}

/// Makes constants of those of `values` that depend on constants only; whether there were any. The options are those of a
/// pass that has [`CACHE`].
///
/// # Errors
/// If they cannot be computed.
pub fn compute(module: Op, values: &[Value], options: &Options) -> Result<bool, PassFailed> {
    if values.is_empty() {
        return Ok(false);
    }
    let limit = limits::constant_bytes() as i64;
    let plan = Plan::of(module, held_bytes(module).max(limit)).only(values);
    if plan.outputs.is_empty() {
        return Ok(false);
    }
    fold(module, &plan, options).map(|()| true)
}

/// Computes what is planned, and puts constants in its place.
fn fold(module: Op, plan: &Plan, options: &Options) -> PassResult {
    let scratch = plan.scratch_module(module);
    let evaluator = Evaluator::of(options);
    let results =
        evaluator.and_then(|evaluator| (evaluator.evaluate)(scratch, options.bool("cache")));
    scratch.erase();
    let results = match results {
        Ok(results) => results,
        Err(message) => return fail(plan.outputs[0].0, format!("cannot be folded: {message}")),
    };
    if results.len() != plan.outputs.len() {
        let (wanted, got) = (plan.outputs.len(), results.len());
        return fail(
            module,
            format!("has {wanted} constants to fold, and the evaluator gave {got}"),
        );
    }
    for ((op, value), bytes) in plan.outputs.iter().zip(results) {
        let size = (*bytes).as_ref().len();
        let Some(attr) = elements(value.ty(), bytes) else {
            return fail(
                *op,
                format!("was evaluated to {size} bytes, which {} is not", value.ty()),
            );
        };
        let folded =
            Builder::before(*op).value(names::relay::CONSTANT, &[], value.ty(), &[("value", attr)]);
        value.replace_all_uses_with(folded);
    }
    functions(module).into_iter().for_each(rewrite::erase_dead);
    Ok(())
}

/// The bytes of the constants that the model holds. What takes no more than these may be computed however much it is.
fn held_bytes(module: Op) -> i64 {
    i64::try_from(weights::held_bytes(module)).unwrap_or(i64::MAX)
}

/// Whether the elements of a constant may be written out to compute with them.
fn is_readable(value: Value) -> bool {
    let is_small = |attr: Attr| {
        attr.splat_value().is_none() || value.ty().byte_count() <= limits::constant_bytes() as i64
    };
    constant(value).is_some_and(is_small)
}

/// What to fold.
struct Plan {
    /// The operators that depend on constants only, in order.
    ops: Vec<Op>,
    /// Their results that others read, with the op to name in diagnostics.
    outputs: Vec<(Op, Value)>,
}

impl Plan {
    /// What has results of at most `limit` bytes.
    fn of(module: Op, limit: i64) -> Self {
        let all: Vec<Op> = functions(module)
            .into_iter()
            .flat_map(rewrite::operators)
            .collect();
        let mut ops = Vec::new();
        let mut known: HashSet<Value> = HashSet::new();
        for op in all {
            // Ops of the language may have tensors of anything, and not all operators have kernels.
            if row_of(op).is_none_or(|row| !row.shape_operands.is_empty()) {
                continue;
            }
            let is_foldable = op.results().iter().all(|value| {
                let ty = value.ty();
                let fits = || ty.byte_count() <= limit;
                ty.is_tensor() && ty.is_static() && fits()
            });
            let mut operands = op.operands().into_iter();
            if is_foldable && operands.all(|value| is_readable(value) || known.contains(&value)) {
                known.extend(op.results());
                ops.push(op);
            }
        }
        // An operator without operands is as good as a constant: it is computed with its readers,
        // and not replaced itself.
        let set: HashSet<Op> = ops.iter().copied().collect();
        let escapes = |value: &Value| value.users().iter().any(|user| !set.contains(user));
        let outputs = ops
            .iter()
            .filter(|op| op.operand_count() > 0)
            .flat_map(|op| op.results().into_iter().map(|value| (*op, value)))
            .filter(|(_, value)| escapes(value))
            .collect();
        Self { ops, outputs }
    }

    /// The same for some values, as far as they can be folded.
    fn only(self, values: &[Value]) -> Self {
        let known: HashSet<Value> = self.ops.iter().flat_map(|op| op.results()).collect();
        let mut seen = HashSet::new();
        let is_new = |value: &&Value| known.contains(value) && seen.insert(**value);
        let outputs = values.iter().filter(is_new).copied();
        let outputs = outputs.filter_map(|value| Some((value.def()?, value)));
        Self {
            outputs: outputs.collect(),
            ops: self.ops,
        }
    }

    /// A module of its own whose `@main` computes the outputs.
    fn scratch_module(&self, module: Op) -> Op {
        let ctx = module.ctx();
        let builder = Builder::at_end(module.body(), module.loc(), ctx);
        let block = relay_dialects::ir::Block::new(ctx, &[]);
        let scratch = builder.module(None, block);
        scratch.detach();
        let types: Vec<Type> = self.outputs.iter().map(|(_, value)| value.ty()).collect();
        let main = Builder::at_end(block, module.loc(), ctx).func("main", &[], &types, &[]);
        let inside = Builder::at_end(main.body(), module.loc(), ctx);
        let mut map: HashMap<Value, Value> = HashMap::new();
        for op in &self.ops {
            let operands: Vec<Value> = op
                .operands()
                .into_iter()
                .map(|value| {
                    *map.entry(value).or_insert_with(|| {
                        let constant = value.def().expect("an operand is a constant or was copied");
                        inside.insert(constant.clone_detached()).result(0)
                    })
                })
                .collect();
            let copy = inside.insert(op.clone_detached());
            copy.set_operands(&operands);
            map.extend(op.results().into_iter().zip(copy.results()));
        }
        let returned: Vec<Value> = self.outputs.iter().map(|(_, value)| map[value]).collect();
        func::Return::build(&inside, &returned);
        rewrite::erase_dead(scratch);
        scratch
    }
}

/// The constant of these bytes, `None` if they have not the size of `ty`.
fn elements(ty: Type, owner: Bytes) -> Option<Attr> {
    let bytes = (*owner).as_ref();
    if bytes.len() <= DENSE_BYTES {
        return Attr::dense(ty, bytes);
    }
    if let Some(number) = number_of_all(ty, bytes) {
        return Some(Attr::splat(ty, number));
    }
    (bytes.len() as i64 == ty.byte_count()).then(|| Attr::resource(ty, "folded", Shared(owner)))
}

/// The number that all elements are, which rules see: of a mask that hides nothing, say.
fn number_of_all(ty: Type, bytes: &[u8]) -> Option<Attr> {
    let width = ty.element().byte_width();
    if bytes.len() as i64 != ty.byte_count() {
        return None;
    }
    let first = bytes.get(..width)?;
    let is_one = bytes.chunks_exact(width).all(|element| element == first);
    let scalar = Type::tensor(&[], ty.element());
    is_one.then(|| Attr::dense(scalar, first)?.splat_value())?
}

/// What a resource owns.
struct Shared(Bytes);

impl AsRef<[u8]> for Shared {
    fn as_ref(&self) -> &[u8] {
        (*self.0).as_ref()
    }
}
