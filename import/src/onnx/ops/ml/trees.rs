//! Ensembles of trees.

use super::{
    super::row::{Row, row},
    forest::{Aggregate, Branch, Forest, Knot, Test, check_count, ints},
    scores::{Labels, Transform},
};
use crate::{
    graph::{
        builder::GraphBuilder,
        constant::{Const, Numbers},
        error::Result,
        value::Value,
    },
    onnx::node::Node,
};
use relay_dialects::element::Element;
use std::collections::HashMap;

/// The family's rows.
pub const ROWS: &[Row] = &[
    row("ai.onnx.ml.TreeEnsemble", 1, ensemble),
    row("ai.onnx.ml.TreeEnsembleClassifier", 1, classify),
    row("ai.onnx.ml.TreeEnsembleRegressor", 1, regress),
];

/// The input: a matrix of floats.
fn samples(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    n.check_inputs(1)?;
    let x = n.input(0)?;
    if x.rank() != 2 {
        return Err(format!("the input has rank {}, expected 2", x.rank()));
    }
    match x.element() {
        Element::F32 | Element::F64 => Ok(x),
        _ => b.cast(&x, Element::F32),
    }
}

/// The numbers of an attribute that may be floats or, with another name, a tensor.
fn numbers(n: &Node<'_>, name: &str) -> Result<Option<Vec<f64>>> {
    if let Some(tensor) = n.attr_tensor(&format!("{name}_as_tensor"))? {
        return Ok(Some(tensor.to_floats()));
    }
    let floats = n.attr_floats(name)?;
    Ok(floats.map(|floats| floats.into_iter().map(f64::from).collect()))
}

fn required(n: &Node<'_>, name: &str) -> Result<Vec<f64>> {
    numbers(n, name)?.ok_or_else(|| format!("attribute '{name}' is missing"))
}

/// Reads the nodes of a classifier or regressor, whose leaves' weights are in attributes that begin with `leaf`.
fn forest(n: &Node<'_>, leaf: &str, targets: usize, aggregate: Aggregate) -> Result<Forest> {
    let modes = n
        .attr_strings("nodes_modes")?
        .ok_or("attribute 'nodes_modes' is missing")?;
    let list = |name: &str| {
        let list = ints(n, name)?;
        check_count(name, list.len(), modes.len())?;
        Ok::<_, String>(list)
    };
    let (trees, ids) = (list("nodes_treeids")?, list("nodes_nodeids")?);
    let features = list("nodes_featureids")?;
    let (yes, no) = (list("nodes_truenodeids")?, list("nodes_falsenodeids")?);
    let values = required(n, "nodes_values")?;
    check_count("nodes_values", values.len(), modes.len())?;
    let nan = n.attr_ints("nodes_missing_value_tracks_true")?;
    // How often training came past a node.
    n.ignore_attr("nodes_hitrates");
    n.ignore_attr("nodes_hitrates_as_tensor");
    let places = numbered(&trees, &ids)?;
    let find = |tree: i64, node: i64| {
        let place = places.get(&(tree, node)).copied();
        place.ok_or_else(|| format!("tree {tree} has no node {node}"))
    };
    let mut knots = Vec::with_capacity(modes.len());
    let mut is_root = vec![true; modes.len()];
    for (at, mode) in modes.iter().enumerate() {
        let Some(test) = Test::named(mode)? else {
            knots.push(Knot::Leaf(Vec::new()));
            continue;
        };
        let next = [find(trees[at], yes[at])?, find(trees[at], no[at])?];
        next.iter().for_each(|&below| is_root[below] = false);
        knots.push(Knot::Branch(Branch {
            feature: features[at],
            test,
            number: values[at],
            next,
            nan_holds: (nan.as_ref()).is_some_and(|nan| nan.get(at).is_some_and(|&flag| flag != 0)),
        }));
    }
    let roots: Vec<usize> = (0..modes.len()).filter(|&at| is_root[at]).collect();
    for (tree, node, target, weight) in leaf_weights(n, leaf)? {
        match &mut knots[find(tree, node)?] {
            Knot::Leaf(weights) => weights.push((target, weight)),
            Knot::Branch(_) => return Err(format!("node {node} of tree {tree} is no leaf")),
        }
    }
    if roots.is_empty() {
        return Err("there is no tree".into());
    }
    Ok(Forest {
        knots,
        roots,
        targets,
        aggregate,
    })
}

/// The places of nodes by their trees and numbers.
fn numbered(trees: &[i64], ids: &[i64]) -> Result<HashMap<(i64, i64), usize>> {
    let mut places = HashMap::new();
    for (at, (&tree, &node)) in trees.iter().zip(ids).enumerate() {
        if places.insert((tree, node), at).is_some() {
            return Err(format!("tree {tree} has two nodes {node}"));
        }
    }
    Ok(places)
}

/// The tree, node, target and weight of each weight.
fn leaf_weights(n: &Node<'_>, leaf: &str) -> Result<Vec<(i64, i64, usize, f64)>> {
    let weights = required(n, &format!("{leaf}_weights"))?;
    let list = |what: &str| {
        let name = format!("{leaf}_{what}");
        let list = ints(n, &name)?;
        check_count(&name, list.len(), weights.len())?;
        Ok::<_, String>(list)
    };
    let (trees, nodes, targets) = (list("treeids")?, list("nodeids")?, list("ids")?);
    let all = weights.iter().enumerate().map(|(at, &weight)| {
        let target = usize::try_from(targets[at]);
        let target = target.map_err(|_| format!("attribute '{leaf}_ids' has {}", targets[at]))?;
        Ok((trees[at], nodes[at], target, weight))
    });
    all.collect()
}

/// The number of targets of a node.
fn targets(n: &Node<'_>) -> Result<usize> {
    let count = n.attr_i64_or("n_targets", 1)?;
    match usize::try_from(count) {
        Ok(count @ 1..=0xffff) => Ok(count),
        _ => Err(format!("attribute 'n_targets' is {count}")),
    }
}

/// The scores with a base for each, or one for all.
fn with_base(b: &mut GraphBuilder, scores: &Value, base: Option<Vec<f64>>) -> Result<Value> {
    let Some(base) = base.filter(|base| !base.is_empty()) else {
        return Ok(scores.clone());
    };
    let columns = scores.extent(1)?;
    if base.len() as i64 != columns && base.len() != 1 {
        return Err(format!(
            "attribute 'base_values' has {} numbers for {columns} scores",
            base.len()
        ));
    }
    let shape = vec![base.len() as i64];
    let base = b.known(Const::new(scores.element(), shape, &Numbers::Floats(base)));
    b.binary("add", scores, &base)
}

fn regress(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = samples(n, b)?;
    let aggregate = Aggregate::named(&n.attr_str_or("aggregate_function", "SUM")?)?;
    let forest = forest(n, "target", targets(n)?, aggregate)?;
    let scores = forest.scores(b, &x)?;
    let scores = with_base(b, &scores, numbers(n, "base_values")?)?;
    let scores = Transform::read(n)?.of(b, &scores)?;
    Ok(vec![b.cast(&scores, Element::F32)?])
}

fn classify(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = samples(n, b)?;
    let labels = Labels::read(n, "classlabels_int64s", "classlabels_strings")?;
    let transform = Transform::read(n)?;
    let base = numbers(n, "base_values")?;
    let weights = leaf_weights(n, "class")?;
    let one = weights.first().map(|weight| weight.2);
    let has_one_score = labels.count == 2 && weights.iter().all(|weight| Some(weight.2) == one);
    if !has_one_score {
        let forest = forest(n, "class", labels.count, Aggregate::Sum)?;
        let scores = forest.scores(b, &x)?;
        let scores = with_base(b, &scores, base)?;
        let label = labels.of_greatest(b, &scores)?;
        let scores = transform.of(b, &scores)?;
        return Ok(vec![label, b.cast(&scores, Element::F32)?]);
    }
    let mut forest = forest(n, "class", labels.count, Aggregate::Sum)?;
    forest.targets = 1;
    for knot in &mut forest.knots {
        if let Knot::Leaf(weights) = knot {
            weights.iter_mut().for_each(|weight| weight.0 = 0);
        }
    }
    let score = forest.scores(b, &x)?;
    let are_chances = weights.iter().all(|weight| weight.3 >= 0.0);
    if one == Some(1) {
        if base.is_some_and(|base| !base.is_empty()) {
            return Err(
                "it has base values, and scores of the second of two classes only; this is supported of the first one".into(),
            );
        }
        return beside_zero(b, &labels, &score, (are_chances, transform));
    }
    // Of two bases, the second one is that of the class that has a score.
    let base = base.map(|base| base.last().copied().into_iter().collect());
    let score = with_base(b, &score, base)?;
    of_one_score(b, &labels, &score, (are_chances, transform))
}

/// Whether the second of two classes has so high a score that it is the label.
fn is_second(b: &mut GraphBuilder, score: &Value, are_chances: bool) -> Result<Value> {
    let bound = if are_chances { 0.5 } else { 0.0 };
    let is_second = b.with_scalar("greater", score, bound)?;
    b.reshape(&is_second, &score.dims()[..1])
}

/// The label and the scores of two classes, of which trees say nothing of the first one.
fn beside_zero(
    b: &mut GraphBuilder,
    labels: &Labels,
    score: &Value,
    (are_chances, transform): (bool, Transform),
) -> Result<Vec<Value>> {
    let is_second = is_second(b, score, are_chances)?;
    let label = labels.of_two(b, &is_second)?;
    let zero = b.full(score.element(), score.dims(), 0.0)?;
    let scores = b.concatenate(&[zero, score.clone()], 1)?;
    let scores = transform.of(b, &scores)?;
    Ok(vec![label, b.cast(&scores, Element::F32)?])
}

/// The label and the scores of two classes of which the first one has a score, that of the second one: its chance if no weight is negative.
fn of_one_score(
    b: &mut GraphBuilder,
    labels: &Labels,
    score: &Value,
    (are_chances, transform): (bool, Transform),
) -> Result<Vec<Value>> {
    let is_second = is_second(b, score, are_chances)?;
    let negative = b.unary("negative", score)?;
    let both = match (are_chances, transform) {
        (true, _) => [b.with_scalar("add", &negative, 1.0)?, score.clone()],
        (false, Transform::Logistic) => {
            [b.unary("sigmoid", &negative)?, b.unary("sigmoid", score)?]
        }
        (false, _) => [negative, score.clone()],
    };
    let scores = b.concatenate(&both, 1)?;
    let label = labels.of_two(b, &is_second)?;
    Ok(vec![label, b.cast(&scores, Element::F32)?])
}

fn ensemble(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = samples(n, b)?;
    let aggregate = match n.attr_i64_or("aggregate_function", 1)? {
        0 => Aggregate::Average,
        1 => Aggregate::Sum,
        2 => Aggregate::Min,
        3 => Aggregate::Max,
        other => return Err(format!("attribute 'aggregate_function' is {other}")),
    };
    let transform = match n.attr_i64_or("post_transform", 0)? {
        0 => Transform::Nothing,
        1 => Transform::Softmax,
        2 => Transform::Logistic,
        3 => Transform::SoftmaxZero,
        other => {
            return Err(format!(
                "attribute 'post_transform' is {other}; 0 to 3 are supported"
            ));
        }
    };
    let forest = Forest {
        knots: knots(n)?,
        roots: places(&ints(n, "tree_roots")?)?,
        targets: targets(n)?,
        aggregate,
    };
    let scores = forest.scores(b, &x)?;
    let scores = transform.of(b, &scores)?;
    Ok(vec![scores])
}

/// Places of nodes.
fn places(numbers: &[i64]) -> Result<Vec<usize>> {
    let place =
        |&number: &i64| usize::try_from(number).map_err(|_| format!("node {number} is not there"));
    numbers.iter().map(place).collect()
}

/// A tensor of an attribute as floats.
fn tensor(n: &Node<'_>, name: &str) -> Result<Vec<f64>> {
    let tensor = n.attr_tensor(name)?;
    tensor
        .map(|tensor| tensor.to_floats())
        .ok_or_else(|| format!("attribute '{name}' is missing"))
}

/// The nodes of a TreeEnsemble, and behind them its leaves, and the nodes that ask for members of sets.
fn knots(n: &Node<'_>) -> Result<Vec<Knot>> {
    let modes = tensor(n, "nodes_modes")?;
    let count = modes.len();
    let list = |name: &str| {
        let list = ints(n, name)?;
        check_count(name, list.len(), count)?;
        Ok::<_, String>(list)
    };
    let splits = tensor(n, "nodes_splits")?;
    check_count("nodes_splits", splits.len(), count)?;
    let features = list("nodes_featureids")?;
    let (yes, no) = (list("nodes_truenodeids")?, list("nodes_falsenodeids")?);
    let (yes_is_leaf, no_is_leaf) = (list("nodes_trueleafs")?, list("nodes_falseleafs")?);
    let nan = n.attr_ints("nodes_missing_value_tracks_true")?;
    n.ignore_attr("nodes_hitrates");
    let weights = tensor(n, "leaf_weights")?;
    let targets = places(&ints(n, "leaf_targetids")?)?;
    check_count("leaf_targetids", targets.len(), weights.len())?;
    let to = |node: i64, is_leaf: i64| {
        let place = usize::try_from(node).ok();
        let place = place.map(|place| if is_leaf != 0 { count + place } else { place });
        place.ok_or_else(|| format!("node {node} is not there"))
    };
    let members = n.attr_tensor("membership_values")?;
    let members = members.map_or_else(Vec::new, |members| members.to_floats());
    let mut sets = members.split(|member| member.is_nan());
    let (mut knots, mut behind) = (Vec::new(), Vec::new());
    for at in 0..count {
        let next = [to(yes[at], yes_is_leaf[at])?, to(no[at], no_is_leaf[at])?];
        let nan_holds =
            (nan.as_ref()).is_some_and(|nan| nan.get(at).is_some_and(|&flag| flag != 0));
        let branch = |test, number, next| Branch {
            feature: features[at],
            test,
            number,
            next,
            nan_holds,
        };
        let Some(test) = Test::numbered(modes[at] as i64)? else {
            let set = sets.next().unwrap_or_default();
            let first_behind = count + weights.len() + behind.len();
            let mut members = chain(set, next, first_behind)
                .map(|(number, next)| Knot::Branch(branch(Test::Equal, number, next)));
            let first = members.next();
            knots.push(
                first.ok_or_else(|| {
                    format!("node {at} asks for members of a set that is not there")
                })?,
            );
            behind.extend(members);
            continue;
        };
        knots.push(Knot::Branch(branch(test, splits[at], next)));
    }
    let leaf = |(&target, &weight): (&usize, &f64)| Knot::Leaf(vec![(target, weight)]);
    knots.extend(targets.iter().zip(&weights).map(leaf));
    knots.extend(behind);
    Ok(knots)
}

/// The tests for the members of a set: a number, and where to go if a feature is it and if not. A test that fails leads to the next one,
/// which are at `first` and behind.
fn chain(
    set: &[f64],
    [yes, no]: [usize; 2],
    first: usize,
) -> impl Iterator<Item = (f64, [usize; 2])> {
    let last = set.len().saturating_sub(1);
    let tests = set.iter().enumerate();
    tests.map(move |(at, &number)| {
        let otherwise = if at == last { no } else { first + at };
        (number, [yes, otherwise])
    })
}
