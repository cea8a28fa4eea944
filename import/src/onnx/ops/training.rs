//! Steps of optimisers: operators of the domain ai.onnx.preview.training.

use super::row::{Row, row};
use crate::{
    graph::{builder::GraphBuilder, error::Result, value::Value},
    onnx::node::Node,
};
use relay_dialects::element::Element;

/// The domain, with which the names of its operators begin.
pub const DOMAIN: &str = "ai.onnx.preview.training";

/// The family's rows.
pub const ROWS: &[Row] = &[
    row("ai.onnx.preview.training.Adagrad", 1, adagrad),
    row("ai.onnx.preview.training.Adam", 1, adam),
    row("ai.onnx.preview.training.Momentum", 1, momentum),
];

/// What a step takes beside its attributes.
struct Step {
    /// The learning rate.
    rate: Value,
    /// The number of steps before this one.
    count: Value,
    /// Of each tensor that is trained: the tensor, its gradient, and what the optimiser keeps of it.
    tensors: Vec<Vec<Value>>,
}

impl Step {
    /// Reads the inputs: all tensors, then all gradients, and then the tensors of each kind that the optimiser keeps.
    fn read(n: &Node<'_>, kinds: usize) -> Result<Self> {
        let inputs = n.variadic()?;
        let [rate, count, rest @ ..] = &inputs[..] else {
            return Err("the learning rate and the number of steps are missing".into());
        };
        if rest.len() % kinds != 0 || rest.is_empty() {
            return Err(format!(
                "{} tensors are no {kinds} for each tensor that is trained",
                rest.len()
            ));
        }
        let tensors = rest.len() / kinds;
        let of = |tensor: usize| rest.iter().skip(tensor).step_by(tensors).cloned().collect();
        Ok(Self {
            rate: rate.clone(),
            count: count.clone(),
            tensors: (0..tensors).map(of).collect(),
        })
    }

    /// The number of steps before this one, as a float.
    fn count(&self, b: &mut GraphBuilder, element: Element) -> Result<Value> {
        b.cast(&self.count, element)
    }

    /// What `update` makes of each tensor, in the order of the outputs: all of one kind after the other.
    fn outputs(
        &self,
        mut update: impl FnMut(&[Value]) -> Result<Vec<Value>>,
    ) -> Result<Vec<Value>> {
        let updated = self.tensors.iter().map(|tensor| update(tensor));
        let updated: Vec<Vec<Value>> = updated.collect::<Result<_>>()?;
        let kinds = updated.first().map_or(0, Vec::len);
        let of_kind = |kind: usize| updated.iter().map(move |tensor| tensor[kind].clone());
        Ok((0..kinds).flat_map(of_kind).collect())
    }
}

/// The gradient of a tensor and of half its squared norm, which counts so much.
fn regularized(b: &mut GraphBuilder, x: &Value, gradient: &Value, norm: f64) -> Result<Value> {
    let decay = b.with_scalar("multiply", x, norm)?;
    b.binary("add", &decay, gradient)
}

/// `kept * old + new * factor`, where `factor` may be left out.
fn average(
    b: &mut GraphBuilder,
    (old, kept): (&Value, f64),
    (new, factor): (&Value, f64),
) -> Result<Value> {
    let old = b.with_scalar("multiply", old, kept)?;
    let new = b.with_scalar("multiply", new, factor)?;
    b.binary("add", &old, &new)
}

fn momentum(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let required = |name: &str| match n.attr_f32(name)? {
        Some(number) => Ok(f64::from(number)),
        None => Err(format!("attribute '{name}' is missing")),
    };
    let (alpha, beta) = (required("alpha")?, required("beta")?);
    let norm = required("norm_coefficient")?;
    let is_nesterov = match n.attr_str_or("mode", "")?.as_str() {
        "standard" => false,
        "nesterov" => true,
        other => {
            return Err(format!(
                "attribute 'mode' is '{other}', expected standard or nesterov"
            ));
        }
    };
    let step = Step::read(n, 3)?;
    let element = step.rate.element();
    let count = step.count(b, element)?;
    let is_later = b.with_scalar("greater", &count, 0.0)?;
    let (beta, one) = (b.scalar(element, beta), b.scalar(element, 1.0));
    let share = b.op("where", &[is_later, beta, one], &[])?;
    step.outputs(|tensor| {
        let [x, gradient, velocity] = tensor else {
            return Err("a tensor lacks its gradient or velocity".into());
        };
        let gradient = regularized(b, x, gradient, norm)?;
        let kept = b.with_scalar("multiply", velocity, alpha)?;
        let added = b.binary("multiply", &share, &gradient)?;
        let velocity = b.binary("add", &kept, &added)?;
        let direction = match is_nesterov {
            true => average(b, (&velocity, alpha), (&gradient, 1.0))?,
            false => velocity.clone(),
        };
        let moved = b.binary("multiply", &step.rate, &direction)?;
        Ok(vec![b.binary("subtract", x, &moved)?, velocity])
    })
}

fn adagrad(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let epsilon = n.attr_f32_or("epsilon", 1e-6)?;
    let decay = n.attr_f32_or("decay_factor", 0.0)?;
    let norm = n.attr_f32_or("norm_coefficient", 0.0)?;
    let step = Step::read(n, 3)?;
    let count = step.count(b, step.rate.element())?;
    let slower = b.with_scalar("multiply", &count, decay)?;
    let slower = b.with_scalar("add", &slower, 1.0)?;
    let rate = b.binary("divide", &step.rate, &slower)?;
    step.outputs(|tensor| {
        let [x, gradient, squares] = tensor else {
            return Err("a tensor lacks its gradient or sum of squares".into());
        };
        let gradient = regularized(b, x, gradient, norm)?;
        let square = b.binary("multiply", &gradient, &gradient)?;
        let squares = b.binary("add", squares, &square)?;
        let root = b.unary("sqrt", &squares)?;
        let root = b.with_scalar("add", &root, epsilon)?;
        let moved = b.binary("multiply", &rate, &gradient)?;
        let moved = b.binary("divide", &moved, &root)?;
        Ok(vec![b.binary("subtract", x, &moved)?, squares])
    })
}

fn adam(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let (alpha, beta) = (n.attr_f32_or("alpha", 0.9)?, n.attr_f32_or("beta", 0.999)?);
    let epsilon = n.attr_f32_or("epsilon", 1e-6)?;
    let norm = n.attr_f32_or("norm_coefficient", 0.0)?;
    let norm_after = n.attr_f32_or("norm_coefficient_post", 0.0)?;
    let step = Step::read(n, 4)?;
    let rate = adam_rate(b, &step, (alpha, beta))?;
    step.outputs(|tensor| {
        let [x, gradient, mean, square] = tensor else {
            return Err("a tensor lacks its gradient or one of its averages".into());
        };
        let gradient = regularized(b, x, gradient, norm)?;
        let mean = average(b, (mean, alpha), (&gradient, 1.0 - alpha))?;
        let squared = b.binary("multiply", &gradient, &gradient)?;
        let square = average(b, (square, beta), (&squared, 1.0 - beta))?;
        let root = b.unary("sqrt", &square)?;
        let root = b.with_scalar("add", &root, epsilon)?;
        let moved = b.binary("multiply", &rate, &mean)?;
        let moved = b.binary("divide", &moved, &root)?;
        let moved = b.binary("subtract", x, &moved)?;
        let moved = b.with_scalar("multiply", &moved, 1.0 - norm_after)?;
        Ok(vec![moved, mean, square])
    })
}

/// The learning rate of Adam: averages that start at 0 are too small at first, which it makes up for.
fn adam_rate(b: &mut GraphBuilder, step: &Step, (alpha, beta): (f64, f64)) -> Result<Value> {
    let element = step.rate.element();
    let count = step.count(b, element)?;
    let mut rest = |base: f64| -> Result<Value> {
        let (base, one) = (b.scalar(element, base), b.scalar(element, 1.0));
        let power = b.binary("power", &base, &count)?;
        b.binary("subtract", &one, &power)
    };
    let (of_mean, of_square) = (rest(alpha)?, rest(beta)?);
    let root = b.unary("sqrt", &of_square)?;
    let factor = b.binary("divide", &root, &of_mean)?;
    let grown = b.binary("multiply", &step.rate, &factor)?;
    let is_later = b.with_scalar("greater", &count, 0.0)?;
    b.op("where", &[is_later, grown, step.rate.clone()], &[])
}
