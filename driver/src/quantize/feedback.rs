//! Rounds weights by the second moments of the data that they are multiplied with.

use super::samples::Samples;
use crate::{
    DriverError,
    compile::CompileOptions,
    exposed::{self, add_result},
    progress::Stage,
};
use melior::{Context, ir::Module};
use relay_dialects::{
    Element,
    ir::{Attr, Builder, Op, Value},
    names::relay,
    relay::build::make,
    rewrite,
};
use relay_passes::few_bits::{self, LEAST};
use relay_quantize::{Blocks, Feedback, Moments};
use std::collections::{HashMap, HashSet};

/// The memory for moments. Models with more are run several times.
const MEMORY: usize = 1 << 30;

/// The products with one tensor of data.
struct Shared {
    products: Vec<Op>,
    /// The columns of the data.
    columns: usize,
}

/// Rounds the weights of `@main`. What cannot be rounded so stays as it is.
///
/// # Errors
/// See [`DriverError`].
pub fn feed_back(
    context: &Context,
    module: &mut Module<'_>,
    samples: &Samples,
    (blocks, keep): (&Blocks, &str),
    run: (&CompileOptions, usize),
) -> Result<(), DriverError> {
    let all = shared(module, keep)?;
    let count = all.iter().map(|shared| shared.products.len()).sum();
    let bar = Stage::new(run.0.progress, "weights", count, 0);
    let mut seen = 0;
    while seen < all.len() {
        let part = &all[seen..seen + fitting(&all[seen..])];
        let moments = observe(context, module, part, samples, run)?;
        for (shared, moments) in part.iter().zip(&moments) {
            run.0.stop.check()?;
            round(shared, moments, blocks, &bar);
        }
        seen += part.len();
    }
    rewrite::erase_dead(exposed::main(module));
    Ok(())
}

/// The data of the products whose weights may be rounded, in order.
fn shared(module: &Module<'_>, keep: &str) -> Result<Vec<Shared>, DriverError> {
    let main = exposed::main(module);
    let products = few_bits::products(main, LEAST, keep).map_err(DriverError::Usage)?;
    let products: HashSet<Op> = products.into_iter().collect();
    let mut all: Vec<Shared> = Vec::new();
    let mut place_of: HashMap<Value, usize> = HashMap::new();
    for op in main.body().ops() {
        let data = op.operands().first().copied();
        let Some(data) = data.filter(|_| products.contains(&op)) else {
            continue;
        };
        let columns = data.ty().dims().last().and_then(|dim| dim.known());
        let Some(columns) = columns.and_then(|columns| usize::try_from(columns).ok()) else {
            continue;
        };
        let place = *place_of.entry(data).or_insert(all.len());
        if place == all.len() {
            all.push(Shared {
                products: Vec::new(),
                columns,
            });
        }
        all[place].products.push(op);
    }
    Ok(all)
}

/// How many of these, at least one, have moments that fit into memory.
fn fitting(all: &[Shared]) -> usize {
    let mut bytes = 0;
    let fits = |shared: &&Shared| {
        bytes += Moments::bytes(shared.columns);
        bytes <= MEMORY
    };
    all.iter().take_while(fits).count().max(1)
}

/// The moments of tensors of data on all samples. The model computes them as it is now, so that rounding makes up for errors of
/// weights before, too.
fn observe(
    context: &Context,
    module: &Module<'_>,
    part: &[Shared],
    samples: &Samples,
    run: (&CompileOptions, usize),
) -> Result<Vec<Moments>, DriverError> {
    let mut copy = relay_dialects::copy(module);
    let own = expose([module, &copy].map(exposed::main), part);
    let model = exposed::to_model(context, &mut copy, run.0)?;
    let mut found: Vec<Moments> = part
        .iter()
        .map(|shared| Moments::new(shared.columns))
        .collect();
    samples.run(&model, run, |outputs| {
        for (moments, output) in found.iter_mut().zip(&outputs[own..]) {
            if let Some(numbers) = output.as_slice::<f32>() {
                moments.add(numbers);
            }
        }
    })?;
    Ok(found)
}

/// Makes the moments of data outputs of a copy of `main`, behind those that there are. Returns the number of these.
fn expose([main, copy]: [Op; 2], part: &[Shared]) -> usize {
    let own = copy.body().terminator().map_or(0, Op::operand_count);
    let (ops, copies) = (main.body().ops(), copy.body().ops());
    let copy_of: HashMap<Op, Op> = ops.into_iter().zip(copies).collect();
    for (number, shared) in part.iter().enumerate() {
        let Some(op) = shared.products.first().and_then(|op| copy_of.get(op)) else {
            continue;
        };
        let b = Builder::before(*op);
        let float = Element::F32.ty(b.ctx);
        let mut data = op.operand(0);
        if !data.ty().element().is_f32() {
            data = make(&b, relay::CAST, &[data], &[("dtype", Attr::ty(float))]);
        }
        let turned = [("transpose_a", Attr::bool(b.ctx, true))];
        let moments = make(&b, relay::NN_MATMUL, &[data, data], &turned);
        add_result(copy, &format!("quantize.moments.{number}"), moments);
    }
    own
}

/// Rounds the weights of products that share their data.
fn round(shared: &Shared, moments: &Moments, blocks: &Blocks, bar: &Stage) {
    // Data with numbers that are not finite say nothing of errors.
    let feedback = moments.are_finite().then(|| Feedback::of(moments));
    for op in &shared.products {
        few_bits::round(*op, blocks, feedback.as_ref());
        bar.step();
    }
}
