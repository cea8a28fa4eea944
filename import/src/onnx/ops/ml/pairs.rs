//! Support vector machines that compare classes pair by pair.

use super::{
    super::row::{Row, row},
    features::row_of,
    linear::{Kernel, floats, matrix, samples},
    scores::{Labels, Transform},
};
use crate::{
    compose::{linear::dense, reduce::along, slice::strided_slice},
    graph::{
        builder::GraphBuilder,
        constant::{Const, Numbers},
        error::Result,
        value::Value,
    },
    onnx::node::Node,
};
use relay_dialects::{dim::Dim, element::Element};

/// The family's rows.
pub const ROWS: &[Row] = &[row("ai.onnx.ml.SVMClassifier", 1, classify)];

/// Probabilities of pairs stay this far from 0 and 1.
const LEAST: f64 = 1e-7;
/// Probabilities of classes are known when an equation that they solve is off by less than this, divided by the number of classes.
const ERROR: f64 = 0.005;
/// The most steps that solve it.
const MOST_STEPS: f64 = 100.0;

/// A machine's classes, and the pairs that it compares, in order.
struct Classes {
    /// The number of support vectors of each class.
    vectors: Vec<usize>,
    pairs: Vec<[usize; 2]>,
}

impl Classes {
    fn read(n: &Node<'_>, labels: &Labels) -> Result<Self> {
        let vectors = n.attr_ints("vectors_per_class")?.unwrap_or_default();
        let vectors: Option<Vec<usize>> = vectors
            .iter()
            .map(|&count| usize::try_from(count).ok())
            .collect();
        let vectors = vectors.filter(|vectors| vectors.len() == labels.count && labels.count > 1);
        let vectors = vectors.ok_or_else(|| {
            format!(
                "attribute 'vectors_per_class' has no number for each of {} labels; machines without support vectors are \
                 LinearClassifier",
                labels.count
            )
        })?;
        let count = vectors.len();
        let pairs =
            (0..count).flat_map(|first| (first + 1..count).map(move |second| [first, second]));
        Ok(Self {
            pairs: pairs.collect(),
            vectors,
        })
    }

    /// The number of support vectors.
    fn total(&self) -> usize {
        self.vectors
            .iter()
            .fold(0, |total, count| total.saturating_add(*count))
    }

    /// The coefficients of all support vectors for each pair. Rows of `coefficients` are classes that a vector's own is compared with.
    fn weights(&self, b: &GraphBuilder, coefficients: &[f32]) -> Value {
        let total = self.total();
        let mut weights = Vec::with_capacity(self.pairs.len() * total);
        for [first, second] in &self.pairs {
            for (class, count) in self.vectors.iter().enumerate() {
                let start = self.vectors[..class].iter().sum::<usize>();
                let row = match class {
                    _ if class == *first => Some(second - 1),
                    _ if class == *second => Some(*first),
                    _ => None,
                };
                weights.extend((start..start + count).map(|vector| {
                    row.map_or(0.0, |row| f64::from(coefficients[row * total + vector]))
                }));
            }
        }
        let shape = vec![self.pairs.len() as i64, total as i64];
        b.known(Const::new(Element::F32, shape, &Numbers::Floats(weights)))
    }

    /// How many pairs each class wins, by whether the first one of a pair does.
    fn votes(&self, b: &mut GraphBuilder, wins: &Value) -> Result<Value> {
        let entries = |of: fn([f64; 2]) -> f64| {
            let classes = 0..self.vectors.len();
            let entries = classes.flat_map(|class| {
                self.pairs
                    .iter()
                    .map(move |pair| of(pair.map(|one| f64::from(u8::from(one == class)))))
            });
            Numbers::Floats(entries.collect())
        };
        let shape = vec![self.vectors.len() as i64, self.pairs.len() as i64];
        let gains = Const::new(
            Element::F32,
            shape.clone(),
            &entries(|[first, second]| first - second),
        );
        let losses = Const::new(Element::F32, shape, &entries(|[_, second]| second));
        let (gains, losses) = (b.known(gains), b.known(losses));
        let won = dense(b, wins, &gains)?;
        let start = along(b, "sum", &losses, (&[1], false))?;
        b.binary("add", &won, &start)
    }
}

fn classify(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = samples(n, b)?;
    let labels = Labels::read(n, "classlabels_ints", "classlabels_strings")?;
    let classes = Classes::read(n, &labels)?;
    let transform = Transform::read(n)?;
    let coefficients = floats(n, "coefficients")?;
    if coefficients.len() != (labels.count - 1).saturating_mul(classes.total()) {
        return Err(format!(
            "attribute 'coefficients' has {} numbers, but {} vectors of {} classes",
            coefficients.len(),
            classes.total(),
            labels.count
        ));
    }
    let vectors = matrix(
        b,
        floats(n, "support_vectors")?,
        x.extent(1)?,
        "support_vectors",
    )?;
    if vectors.extent(0)? != classes.total() as i64 {
        return Err(format!(
            "attribute 'vectors_per_class' counts {} support vectors, but there are {}",
            classes.total(),
            vectors.extent(0)?
        ));
    }
    let similar = Kernel::read(n)?.of(b, &x, &vectors)?;
    let weights = classes.weights(b, &coefficients);
    let scores = dense(b, &similar, &weights)?;
    let of_pairs = |b: &mut GraphBuilder, name: &str| {
        let row = row_of(b, &floats(n, name)?, classes.pairs.len() as i64);
        row.map_err(|reason| format!("attribute '{name}': {reason}"))
    };
    let rho = of_pairs(b, "rho")?;
    let scores = b.binary("add", &scores, &rho)?;
    let is_first = b.with_scalar("greater", &scores, 0.0)?;
    let wins = b.cast(&is_first, Element::F32)?;
    let votes = classes.votes(b, &wins)?;
    let label = labels.of_greatest(b, &votes)?;
    let slopes = n.attr_floats("prob_a")?.unwrap_or_default();
    let result = match (slopes.is_empty(), labels.count) {
        (false, _) => {
            let (slope, offset) = (of_pairs(b, "prob_a")?, of_pairs(b, "prob_b")?);
            let chances = probabilities(b, &classes, (&scores, [&slope, &offset]))?;
            transform.of(b, &chances)?
        }
        (true, 2) => of_both(b, &scores, transform)?,
        (true, _) => transform.of(b, &scores)?,
    };
    Ok(vec![label, result])
}

/// The scores of two classes, of which the first one's negative is known.
fn of_both(b: &mut GraphBuilder, scores: &Value, transform: Transform) -> Result<Value> {
    let negative = b.unary("negative", scores)?;
    let both = b.concatenate(&[negative, scores.clone()], 1)?;
    match transform {
        Transform::Nothing | Transform::Logistic => transform.of(b, &both),
        Transform::Softmax | Transform::SoftmaxZero => Err(
            "attribute 'post_transform' is a softmax, which is not defined for two classes without prob_a".into(),
        ),
    }
}

/// The probabilities of classes by those of pairs: the method of Wu, Lin and Weng, with the steps and the end that libsvm gives it.
fn probabilities(
    b: &mut GraphBuilder,
    classes: &Classes,
    (scores, [slope, offset]): (&Value, [&Value; 2]),
) -> Result<Value> {
    let count = classes.vectors.len();
    let exponent = b.binary("multiply", scores, slope)?;
    let exponent = b.binary("add", &exponent, offset)?;
    let opposite = b.unary("negative", &exponent)?;
    let first = b.unary("sigmoid", &opposite)?;
    let first = b.with_scalar("maximum", &first, LEAST)?;
    let first = b.with_scalar("minimum", &first, 1.0 - LEAST)?;
    let one = b.scalar(Element::F32, 1.0);
    let second = b.binary("subtract", &one, &first)?;
    let system = system(b, classes, [&first, &second])?;
    let rows = scores.dims()[0];
    let start = b.full(
        Element::F32,
        &[rows, Dim::Known(count as i64)],
        1.0 / count as f64,
    )?;
    let (trips, holds) = (
        b.scalar(Element::I64, MOST_STEPS),
        b.scalar(Element::Bool, 1.0),
    );
    let least = ERROR / count as f64;
    let states = b.repeat_while((&trips, &holds), &[start], |b, step| {
        let (next, goes_on) = solved(b, &system, (&step.states[0], least))?;
        Ok((goes_on, vec![next]))
    })?;
    states
        .into_iter()
        .next()
        .ok_or_else(|| "a loop has no result".into())
}

/// The matrix of each sample that is 0 times the probabilities of classes, but for a term that is equal in all rows.
fn system(b: &mut GraphBuilder, classes: &Classes, of_pairs: [&Value; 2]) -> Result<Vec<Value>> {
    let count = classes.vectors.len();
    let column = |b: &mut GraphBuilder, pair: usize, side: usize| {
        let at = pair as i64;
        strided_slice(b, of_pairs[side], &[(1, at, at + 1, 1)])
    };
    let mut rows = Vec::new();
    for class in 0..count {
        let (mut squares, mut entries) = (Vec::new(), vec![None; count]);
        for (place, pair) in classes.pairs.iter().enumerate() {
            let Some(side) = pair.iter().position(|one| *one == class) else {
                continue;
            };
            let (own, other) = (column(b, place, side)?, column(b, place, 1 - side)?);
            squares.push(b.binary("multiply", &other, &other)?);
            let product = b.binary("multiply", &own, &other)?;
            entries[pair[1 - side]] = Some(b.unary("negative", &product)?);
        }
        let mut diagonal = squares.swap_remove(0);
        for square in squares {
            diagonal = b.binary("add", &diagonal, &square)?;
        }
        let entries = entries
            .into_iter()
            .map(|entry| entry.unwrap_or_else(|| diagonal.clone()));
        rows.push(b.concatenate(&entries.collect::<Vec<_>>(), 1)?);
    }
    Ok(rows)
}

/// A step: the probabilities behind it, and whether another one follows for some sample.
fn solved(
    b: &mut GraphBuilder,
    system: &[Value],
    (before, least): (&Value, f64),
) -> Result<(Value, Value)> {
    let mut products = Vec::new();
    for row in system {
        let terms = b.binary("multiply", row, before)?;
        products.push(along(b, "sum", &terms, (&[1], true))?);
    }
    let mut products = b.concatenate(&products, 1)?;
    let terms = b.binary("multiply", &products, before)?;
    let mut whole = along(b, "sum", &terms, (&[1], true))?;
    let errors = b.binary("subtract", &products, &whole)?;
    let errors = b.unary("abs", &errors)?;
    let error = along(b, "max", &errors, (&[1], true))?;
    let is_open = b.with_scalar("greater_equal", &error, least)?;
    let mut chances = before.clone();
    for (class, row) in system.iter().enumerate() {
        let at = class as i64;
        let column = |b: &mut GraphBuilder, of: &Value| strided_slice(b, of, &[(1, at, at + 1, 1)]);
        let (entry, product) = (column(b, row)?, column(b, &products)?);
        let change = b.binary("subtract", &whole, &product)?;
        let change = b.binary("divide", &change, &entry)?;
        let after = b.with_scalar("add", &change, 1.0)?;
        let more = b.binary("multiply", &change, &entry)?;
        let twice = b.with_scalar("multiply", &product, 2.0)?;
        let more = b.binary("add", &more, &twice)?;
        let more = b.binary("multiply", &change, &more)?;
        whole = b.binary("add", &whole, &more)?;
        for _ in 0..2 {
            whole = b.binary("divide", &whole, &after)?;
        }
        let moved = b.binary("multiply", &change, row)?;
        let moved = b.binary("add", &products, &moved)?;
        products = b.binary("divide", &moved, &after)?;
        let own = (0..system.len()).map(|other| f64::from(u8::from(other == class)));
        let own = Const::new(
            Element::F32,
            vec![system.len() as i64],
            &Numbers::Floats(own.collect()),
        );
        let own = b.known(own);
        let own = b.binary("multiply", &change, &own)?;
        chances = b.binary("add", &chances, &own)?;
        chances = b.binary("divide", &chances, &after)?;
    }
    let chances = b.op("where", &[is_open.clone(), chances, before.clone()], &[])?;
    let goes_on = along(b, "any", &is_open, (&[0, 1], false))?;
    Ok((chances, goes_on))
}
