//! How the stages of a function are scheduled for a GPU.
//!
//! Each stage at the root becomes a launch. What computes an element from elements becomes part of what reads it, and what follows a
//! reduction element by element is computed with its result.

use super::{
    Step,
    cost::gpu::{KEYS_OF_BLOCK, MOST_REPEATED},
    epilogue::Epilogue,
    inline, neighbours, online,
    stage::Stage,
    templates::{
        AnyTemplate,
        gpu::{
            attention::{self, Attention},
            elementwise::Elementwise,
            matrix::MatrixProduct,
            product::Product,
            reduce::Reduce,
            rows::Rows,
            transpose::Transpose,
            window::Window,
        },
    },
};
use relay_dialects::ir::{Op, Value};
use relay_machine::Gpu;

/// The steps for the stages of a function, in their order.
pub fn steps(stages: &[Stage], returned: &[Value], gpu: Gpu) -> Vec<Step> {
    let inlined = inline::choose_but(stages, returned, is_computed_once);
    if let Some(rows) = Rows::of(stages, &inlined, returned, gpu) {
        return vec![Step::Template(Box::new(rows))];
    }
    if let Some(attention) = Attention::of(stages, returned, gpu) {
        return vec![Step::Template(Box::new(attention))];
    }
    let mut steps = Vec::new();
    let mut done: Vec<Stage> = Vec::new();
    for &stage in stages {
        if done.contains(&stage) {
            continue;
        }
        if inlined.contains(&stage) {
            steps.push(Step::Inline(vec![stage.tensor()]));
        } else if stage.reduces() {
            let epilogue = epilogue(stage, returned, &done);
            done.extend(&epilogue.stages);
            steps.push(Step::Template(reduction(epilogue, gpu)));
        } else {
            steps.push(Step::Template(moved(stage, &inlined, gpu)));
        }
    }
    steps
}

/// Replaces the stages of an attention by some for blocks of keys, if one kernel can compute them.
pub fn rewrite(func: Op, gpu: Gpu) {
    let keys = |size| attention::is_for(size, gpu).then_some(KEYS_OF_BLOCK);
    online::rewrite(func, keys);
}

/// A stage without reduction: by tiles, where warps would read what lies apart.
fn moved(stage: Stage, inlined: &[Stage], gpu: Gpu) -> Box<dyn AnyTemplate> {
    let overhead = neighbours::overhead(stage, inlined, gpu);
    match Transpose::of(stage, inlined, overhead, gpu) {
        Some(transpose) => Box::new(transpose),
        None => Box::new(Elementwise::of(stage, inlined.to_vec(), overhead, gpu)),
    }
}

/// A reduction with what is computed with it.
fn reduction(epilogue: Epilogue, gpu: Gpu) -> Box<dyn AnyTemplate> {
    let epilogue = match product(epilogue, gpu) {
        Ok(product) => return product,
        Err(epilogue) => epilogue,
    };
    match Window::of(epilogue, gpu) {
        Ok(window) => Box::new(window),
        Err(epilogue) => Box::new(Reduce { epilogue, gpu }),
    }
}

/// A product with what is computed with it: by instructions for matrices, where there are any.
fn product(epilogue: Epilogue, gpu: Gpu) -> Result<Box<dyn AnyTemplate>, Epilogue> {
    match MatrixProduct::of(epilogue, gpu) {
        Ok(product) => Ok(Box::new(product)),
        Err(epilogue) => Ok(Box::new(Product::of(epilogue, gpu)?)),
    }
}

/// What is computed with a reduction: what reads it element by element, unless something else needs it.
fn epilogue(stage: Stage, returned: &[Value], done: &[Stage]) -> Epilogue {
    let alone = || Epilogue {
        stages: vec![stage],
        last: stage,
    };
    if stage.op.result_count() != 1 {
        return alone();
    }
    let found = Epilogue::of(stage, returned);
    found
        .filter(|found| !found.stages.iter().any(|stage| done.contains(stage)))
        .unwrap_or_else(alone)
}

/// Whether a stage that could become part of a reduction is computed before it.
fn is_computed_once(stage: Stage) -> bool {
    let elements: i64 = stage.shape().iter().product();
    let repeats = |reader: &Stage| reader.reduces() && reader.work() > MOST_REPEATED * elements;
    stage.is_costly() && stage.readers().iter().any(repeats)
}
