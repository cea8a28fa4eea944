//! Recurrent layers: loops over steps.
//!
//! The product of the inputs and their weights is computed for all steps at once, for layers of one cell. A step is then a product of the
//! state and its weights, and arithmetic on the gates, which are sums of both.

use super::{
    cell::{Cell, Kind},
    conv::Spatial,
    row::{Row, item},
};
use crate::{
    compose::steps::{FEW_STEPS_OF_CELLS, element, joined, written_out},
    graph::{
        builder::GraphBuilder,
        error::Result,
        loops::{Sequence, Stepped},
        value::Value,
    },
    keras::{
        config::Config,
        item::{Item, Tree},
        layer::Layer,
        node::Node,
        scope::Scope,
    },
};
use relay_dialects::{dim::Dim, element::Element};

/// The rows of layers.
pub const LAYERS: &[Row] = &[
    item(&["GRU", "GRUV2", "CuDNNGRU"], layer),
    item(&["LSTM", "LSTMV2", "CuDNNLSTM"], layer),
    item(&["RNN"], layer),
    item(&["SimpleRNN"], layer),
    item(&["ConvLSTM1D", "ConvLSTM2D", "ConvLSTM3D"], layer),
];

/// The number of spatial axes of a layer that convolves.
fn spatial_axes(class: &str) -> Option<usize> {
    let number = class.strip_prefix("ConvLSTM")?.strip_suffix('D')?;
    number.parse().ok()
}

/// The cells of a layer, each of which reads the output of the one before it.
fn cells<'m>(n: &Node<'m>, b: &mut GraphBuilder, x: &Value) -> Result<Vec<Cell<'m>>> {
    let compute = n.policy.compute;
    if let Some(spatial) = spatial_axes(&n.layer.class) {
        n.config.ignore(&["kernel_size"]);
        let steps = b.transpose(x, &steps_first(x))?;
        let image = element(b, &steps, 0)?;
        let window = Spatial::of(n, &image, spatial)?;
        let windows = [window.clone(), window.of_states()];
        let scope = n.scope.part(&["cell"], &n.layer.name);
        let weights = (&scope, compute);
        let cell = Cell::with_windows(
            &n.config,
            Kind::Lstm,
            weights,
            (Some(windows), "filters"),
            b,
        )?;
        return Ok(vec![cell]);
    }
    if n.layer.class != "RNN" {
        let kind = Kind::of(&n.layer.class)?;
        // The weights lie in a cell that Keras makes; the oldest files have them in the layer.
        let scope = n.scope.part(&["cell"], &n.layer.name);
        return Ok(vec![Cell::read(&n.config, kind, (&scope, compute), b)?]);
    }
    n.config.ignore(&["cell"]);
    let cell = n.layer.part("cell")?;
    let own = n.scope.part(&["cell"], &cell.name);
    if cell.class != "StackedRNNCells" {
        return Ok(vec![cell_of(cell, &own, compute, b)?]);
    }
    let mut cells: Vec<Cell<'m>> = Vec::new();
    let parts = cell.parts.iter().map(|(_, part)| part);
    for part in parts {
        let before = cell.parts.iter().map(|(_, part)| part);
        let before = before.take(cells.len());
        let place = before.filter(|other| other.class == part.class).count();
        let key = match place {
            0 => format!("cells/{}", part.key),
            place => format!("cells/{}_{place}", part.key),
        };
        let scope = own.part(&[&key], &part.name);
        cells.push(cell_of(part, &scope, compute, b)?);
    }
    Ok(cells)
}

fn cell_of<'m>(
    layer: &'m Layer,
    scope: &Scope,
    compute: Element,
    b: &mut GraphBuilder,
) -> Result<Cell<'m>> {
    let config = Config::new(&layer.config, layer.is_keras_2);
    let cell = Cell::read(&config, Kind::of(&layer.class)?, (scope, compute), b)?;
    config.check()?;
    Ok(cell)
}

/// What a layer says of its steps.
#[derive(Clone, Copy)]
struct Run {
    is_reversed: bool,
    /// Whether outputs of steps that do not count are zeros; else they are those of the steps before.
    zeros: bool,
}

/// A layer over all steps.
fn layer(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Item> {
    if n.config.flag("stateful", false)? {
        return Err(
            "attribute 'stateful' is true: a compiled model keeps no state between runs; save the layer with stateful=False, \
             and give and take its states (initial_state, return_state)"
                .into(),
        );
    }
    if n.config.flag("time_major", false)? {
        return Err("attribute 'time_major' is not supported".into());
    }
    let run = Run {
        is_reversed: n.config.flag("go_backwards", false)?,
        zeros: n.config.flag("zero_output_for_mask", false)?,
    };
    let returns_sequences = n.config.flag("return_sequences", false)?;
    let returns_state = n.config.flag("return_state", false)?;
    let x = match n.first()? {
        // Keras 2 gives the states behind the sequence.
        Tree::List(all) if all.len() > 1 => all[0].tensor()?.value.clone(),
        first => first.tensor()?.value.clone(),
    };
    let spatial = spatial_axes(&n.layer.class);
    if x.rank() != 3 + spatial.unwrap_or(0) {
        return Err(format!("sequences of shape {:?}", x.dims()));
    }
    let cells = cells(n, b, &x)?;
    let mask = n.mask();
    if mask.is_some() && spatial.is_some() {
        return Err("masks of layers that convolve are not supported".into());
    }
    let x = b.transpose(&x, &steps_first(&x))?;
    let first = cells.first().ok_or("a layer has no cells")?;
    let terms = first.terms(b, &x)?;
    let states = initial(n, b, &cells, &terms)?;
    let steps_mask = match &mask {
        Some(mask) if mask.rank() == 2 => {
            let mask = b.transpose(mask, &[1, 0])?;
            let dims = [mask.dims(), &[Dim::Known(1)]].concat();
            Some(b.reshape(&mask, &dims)?)
        }
        Some(mask) => return Err(format!("a mask of shape {:?}", mask.dims())),
        None => None,
    };
    let (outputs, last, states) = steps(b, (&cells, run), (terms, steps_mask), states)?;
    let output = match returns_sequences {
        true => {
            let outputs = b.transpose(&outputs, &steps_first(&outputs))?;
            Item::masked(outputs, mask)
        }
        false => Item::of(last),
    };
    match returns_state {
        false => Ok(output),
        true => {
            let states = states.into_iter().map(Item::of);
            Ok(Tree::List(std::iter::once(output).chain(states).collect()))
        }
    }
}

/// The order of axes that has the second one first.
fn steps_first(x: &Value) -> Vec<usize> {
    [1, 0].into_iter().chain(2..x.rank()).collect()
}

/// The states before the first step: those that are given, or zeros. The terms are those of all steps.
fn initial(
    n: &Node<'_>,
    b: &mut GraphBuilder,
    cells: &[Cell<'_>],
    terms: &Value,
) -> Result<Vec<Value>> {
    let count: usize = cells.iter().map(|cell| cell.kind.states()).sum();
    let given: Vec<Value> = match (n.arg(1, &["initial_state"]), n.first()?) {
        (Some(given), _) => {
            let leaves = given.leaves().into_iter();
            leaves.map(|tensor| tensor.value.clone()).collect()
        }
        (None, Tree::List(all)) if all.len() > 1 => {
            let rest = all[1..].iter().flat_map(Tree::leaves);
            rest.map(|tensor| tensor.value.clone()).collect()
        }
        _ => Vec::new(),
    };
    if given.len() == count {
        return given
            .into_iter()
            .map(|state| b.cast(&state, terms.element()))
            .collect();
    }
    if !given.is_empty() {
        return Err(format!(
            "{} states are given, expected {count}",
            given.len()
        ));
    }
    let mut states = Vec::new();
    for cell in cells {
        for _ in 0..cell.kind.states() {
            let dims = [&terms.dims()[1..2], &cell.state_dims(terms)].concat();
            states.push(b.full(terms.element(), &dims, 0.0)?);
        }
    }
    Ok(states)
}

/// All cells at one step.
fn step(
    b: &mut GraphBuilder,
    cells: &[Cell<'_>],
    terms: &Value,
    states: &[Value],
) -> Result<Vec<Value>> {
    let (mut next, mut rest): (Vec<Value>, &[Value]) = (Vec::new(), states);
    let mut output: Option<Value> = None;
    for cell in cells {
        let (own, others) = rest
            .split_at_checked(cell.kind.states())
            .ok_or("there are fewer states than cells")?;
        rest = others;
        let terms = match &output {
            None => terms.clone(),
            Some(output) => cell.terms(b, output)?,
        };
        let made = cell.step(b, &terms, own)?;
        output = made.first().cloned();
        next.extend(made);
    }
    Ok(next)
}

/// The output of the last cell among the states of all.
fn output(cells: &[Cell<'_>], states: &[Value]) -> Result<Value> {
    let last = cells.last().ok_or("a layer has no cells")?;
    let place = states.len().checked_sub(last.kind.states());
    let found = place.and_then(|place| states.get(place));
    found.cloned().ok_or_else(|| "a cell has no output".into())
}

/// A step whose states stay where the mask says that it does not count. The last state is the output of the step before, where that is what
/// stays.
fn masked_step(
    b: &mut GraphBuilder,
    (cells, run): (&[Cell<'_>], Run),
    (terms, mask): (&Value, Option<&Value>),
    states: &[Value],
) -> Result<(Vec<Value>, Value)> {
    let Some(mask) = mask else {
        let next = step(b, cells, terms, states)?;
        let made = output(cells, &next)?;
        return Ok((next, made));
    };
    let (before, states) = states.split_last().ok_or("there are no states")?;
    let next = step(b, cells, terms, states)?;
    let made = output(cells, &next)?;
    let mut kept = Vec::new();
    for (next, before) in next.iter().zip(states) {
        kept.push(b.op("where", &[mask.clone(), next.clone(), before.clone()], &[])?);
    }
    let stays = match run.zeros {
        true => b.full(made.element(), made.dims(), 0.0)?,
        false => before.clone(),
    };
    let made = b.op("where", &[mask.clone(), made, stays], &[])?;
    kept.push(made.clone());
    Ok((kept, made))
}

/// Runs over all steps: the outputs in the order in which they are computed, the last one, and the last states.
fn steps(
    b: &mut GraphBuilder,
    (cells, run): (&[Cell<'_>], Run),
    (terms, mask): (Value, Option<Value>),
    mut states: Vec<Value>,
) -> Result<(Value, Value, Vec<Value>)> {
    if mask.is_some() {
        let dims = output(cells, &states)?.dims().to_vec();
        states.push(b.full(terms.element(), &dims, 0.0)?);
    }
    let has_mask = mask.is_some();
    let (outputs, last, mut states) = match written_out(terms.dims()[0], FEW_STEPS_OF_CELLS) {
        Some(0) => return Err("there are no steps".into()),
        Some(count) => {
            let mut outputs = Vec::new();
            let mut last = None;
            for number in 0..count {
                let at = if run.is_reversed {
                    count - 1 - number
                } else {
                    number
                };
                let terms = element(b, &terms, at as usize)?;
                let mask = mask.as_ref().map(|mask| element(b, mask, at as usize));
                let mask = mask.transpose()?;
                let (next, made) = masked_step(b, (cells, run), (&terms, mask.as_ref()), &states)?;
                states = next;
                let dims = [&[Dim::Known(1)], made.dims()].concat();
                outputs.push(b.reshape(&made, &dims)?);
                last = Some(made);
            }
            let last = last.ok_or("there are no steps")?;
            (joined(b, outputs, 0)?, last, states)
        }
        None => looped(b, (cells, run), (&terms, mask), states)?,
    };
    if has_mask {
        states.pop();
    }
    Ok((outputs, last, states))
}

/// The same as a loop.
fn looped(
    b: &mut GraphBuilder,
    (cells, run): (&[Cell<'_>], Run),
    (terms, mask): (&Value, Option<Value>),
    states: Vec<Value>,
) -> Result<(Value, Value, Vec<Value>)> {
    let sequence = |value: &Value| Sequence {
        value: value.clone(),
        reversed: run.is_reversed,
    };
    let sequences: Vec<Sequence> = [Some(terms), mask.as_ref()]
        .into_iter()
        .flatten()
        .map(sequence)
        .collect();
    let trips = terms.dims()[0];
    let has_mask = mask.is_some();
    let mut made = b.scan(trips, &states, &sequences, &[false], |b, step| {
        let elements = (&step.elements[0], step.elements.get(1));
        let (states, output) = masked_step(b, (cells, run), elements, &step.states)?;
        Ok(Stepped {
            states,
            outputs: vec![output],
        })
    })?;
    let outputs = made.outputs.pop().ok_or("a layer has no output")?;
    let last = match has_mask {
        true => made.states.last().cloned().ok_or("a layer has no state")?,
        false => output(cells, &made.states)?,
    };
    Ok((outputs, last, made.states))
}
