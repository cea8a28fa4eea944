//! Trees of decisions as tables: one row for each node, where a leaf leads to itself.
//!
//! The trees of a model are followed side by side. A step looks at one feature of a sample in each tree, and goes on to the next node; all
//! samples and trees take as many steps as the deepest tree has decisions.

use super::super::reduce::along;
use crate::{
    graph::{
        attr::Param,
        builder::GraphBuilder,
        constant::{Const, Numbers},
        error::Result,
        loops::{Step, Stepped},
        value::Value,
    },
    onnx::node::Node,
};
use relay_dialects::{dim::Dim, element::Element};

/// How a feature is compared with a node's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Test {
    LessOrEqual,
    Less,
    GreaterOrEqual,
    Greater,
    Equal,
    NotEqual,
}

impl Test {
    /// That of a name; `None` for a leaf.
    pub fn named(name: &str) -> Result<Option<Self>> {
        Ok(Some(match name {
            "BRANCH_LEQ" => Self::LessOrEqual,
            "BRANCH_LT" => Self::Less,
            "BRANCH_GTE" => Self::GreaterOrEqual,
            "BRANCH_GT" => Self::Greater,
            "BRANCH_EQ" => Self::Equal,
            "BRANCH_NEQ" => Self::NotEqual,
            "LEAF" => return Ok(None),
            other => return Err(format!("attribute 'nodes_modes' has '{other}'")),
        }))
    }

    /// That of a number of TreeEnsemble; `None` for membership in a set.
    pub fn numbered(number: i64) -> Result<Option<Self>> {
        Ok(Some(match number {
            0 => Self::LessOrEqual,
            1 => Self::Less,
            2 => Self::GreaterOrEqual,
            3 => Self::Greater,
            4 => Self::Equal,
            5 => Self::NotEqual,
            6 => return Ok(None),
            other => return Err(format!("attribute 'nodes_modes' has {other}")),
        }))
    }
}

/// A node that decides.
#[derive(Clone, Debug)]
pub struct Branch {
    pub feature: i64,
    pub test: Test,
    pub number: f64,
    /// Where to go if the test holds, and if not.
    pub next: [usize; 2],
    /// Whether the test holds of NaN, too.
    pub nan_holds: bool,
}

/// A node.
#[derive(Clone, Debug)]
pub enum Knot {
    Branch(Branch),
    /// A leaf with what it adds to targets.
    Leaf(Vec<(usize, f64)>),
}

/// How the leaves' weights become one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aggregate {
    Average,
    Sum,
    Min,
    Max,
}

impl Aggregate {
    /// That of a name.
    pub fn named(name: &str) -> Result<Self> {
        match name {
            "AVERAGE" => Ok(Self::Average),
            "SUM" => Ok(Self::Sum),
            "MIN" => Ok(Self::Min),
            "MAX" => Ok(Self::Max),
            other => Err(format!("attribute 'aggregate_function' is '{other}'")),
        }
    }
}

/// The trees of a model.
pub struct Forest {
    pub knots: Vec<Knot>,
    pub roots: Vec<usize>,
    pub targets: usize,
    pub aggregate: Aggregate,
}

/// The most nodes of a model.
const MOST_NODES: usize = 1 << 24;

/// A node's row in the tables of decisions: at most the number is the same as "less or equal" of another one.
struct Decision {
    number: f64,
    is_equality: bool,
    next: [usize; 2],
    nan: usize,
}

impl Branch {
    /// The node as a decision whether a feature is at most a number, or is that number.
    fn decision(&self, element: Element) -> Decision {
        let [yes, no] = self.next;
        let below = match element {
            Element::F64 => self.number.next_down(),
            _ => f64::from((self.number as f32).next_down()),
        };
        let (number, is_equality, next) = match self.test {
            Test::LessOrEqual => (self.number, false, [yes, no]),
            Test::Less => (below, false, [yes, no]),
            Test::GreaterOrEqual => (below, false, [no, yes]),
            Test::Greater => (self.number, false, [no, yes]),
            Test::Equal => (self.number, true, [yes, no]),
            Test::NotEqual => (self.number, true, [no, yes]),
        };
        // What is no number passes no test but that for being another one.
        let holds = self.nan_holds || self.test == Test::NotEqual;
        Decision {
            number,
            is_equality,
            next,
            nan: if holds { yes } else { no },
        }
    }
}

impl Forest {
    /// Checks that nodes lead to nodes, and that no path comes back; returns how many decisions the longest one has.
    fn depth(&self) -> Result<usize> {
        if self.knots.len() > MOST_NODES {
            return Err(format!("{} nodes are too many", self.knots.len()));
        }
        let mut depths: Vec<Option<usize>> = vec![None; self.knots.len()];
        let mut is_open = vec![false; self.knots.len()];
        let mut pending = self.roots.clone();
        while let Some(&at) = pending.last() {
            let Some(knot) = self.knots.get(at) else {
                return Err(format!("a node leads to node {at}, which is not there"));
            };
            let next = match knot {
                Knot::Branch(branch) if depths[at].is_none() => &branch.next[..],
                _ => &[],
            };
            if let Some(&below) = next
                .iter()
                .find(|&&below| depths.get(below).is_none_or(Option::is_none))
            {
                if is_open.get(below).copied().unwrap_or(false) {
                    return Err(format!("node {below} leads back to itself"));
                }
                is_open[at] = true;
                pending.push(below);
                continue;
            }
            if depths[at].is_none() {
                let below = next.iter().filter_map(|&below| depths[below]).max();
                depths[at] = Some(below.map_or(0, |below| below + 1));
            }
            is_open[at] = false;
            pending.pop();
        }
        let of_roots = self.roots.iter().filter_map(|&root| depths[root]);
        Ok(of_roots.max().unwrap_or(0))
    }

    /// What the trees say of the samples, [samples, targets].
    pub fn scores(&self, b: &mut GraphBuilder, x: &Value) -> Result<Value> {
        let depth = self.depth()?;
        let order = self.leaves_first();
        let leaves = self.leaves_of(b, x, (&order, depth))?;
        let table = self.weights(b, x.element(), &order)?;
        let weights = b.taken(&table, &leaves, 0)?;
        self.aggregated(b, &weights)
    }

    /// The place of each node in the tables: leaves are in front, so that only they need weights.
    fn leaves_first(&self) -> Vec<usize> {
        let is_leaf = |knot: &Knot| matches!(knot, Knot::Leaf(_));
        let leaves = self.knots.iter().filter(|knot| is_leaf(knot)).count();
        let (mut leaf, mut branch) = (0, leaves);
        let places = self.knots.iter().map(|knot| {
            let next = if is_leaf(knot) {
                &mut leaf
            } else {
                &mut branch
            };
            *next += 1;
            *next - 1
        });
        places.collect()
    }

    /// The leaf of each sample in each tree, [samples, trees].
    fn leaves_of(
        &self,
        b: &mut GraphBuilder,
        x: &Value,
        (order, depth): (&[usize], usize),
    ) -> Result<Value> {
        let trees = self.roots.len() as i64;
        let roots: Vec<i64> = self.roots.iter().map(|&root| order[root] as i64).collect();
        let roots = Const::new(Element::I32, vec![1, trees], &Numbers::ints(&roots));
        let roots = b.known(roots);
        let start = b.broadcast(&roots, &[x.dims()[0], Dim::Known(trees)])?;
        if depth == 0 {
            return Ok(start);
        }
        let tables = Tables::new(self, b, x, order)?;
        let trips = Dim::Known(depth as i64);
        let done = b.scan(trips, &[start], &[], &[], |b, step: Step| {
            let place = step.states.into_iter().next().ok_or("no state")?;
            Ok(Stepped {
                states: vec![tables.next(b, &place)?],
                outputs: vec![],
            })
        })?;
        let leaves = done.states.into_iter().next();
        leaves.ok_or_else(|| "the loop over decisions returns nothing".into())
    }

    /// What each leaf adds to each target.
    fn weights(&self, b: &GraphBuilder, element: Element, order: &[usize]) -> Result<Value> {
        let mut table = Vec::new();
        for (at, knot) in self.knots.iter().enumerate() {
            let Knot::Leaf(weights) = knot else {
                continue;
            };
            let first = order[at] * self.targets;
            table.resize(table.len().max(first + self.targets), 0.0);
            for &(target, weight) in weights {
                let place = (target < self.targets).then_some(first + target);
                let place = place.ok_or_else(|| {
                    format!(
                        "a leaf adds to target {target}, but there are {}",
                        self.targets
                    )
                })?;
                table[place] += weight;
            }
        }
        let leaves = (table.len() / self.targets.max(1)) as i64;
        let shape = vec![leaves, self.targets as i64];
        Ok(b.known(Const::new(element, shape, &Numbers::Floats(table))))
    }

    /// The weights of the leaves that were found, [samples, trees, targets], as one for each target.
    fn aggregated(&self, b: &mut GraphBuilder, weights: &Value) -> Result<Value> {
        let op = match self.aggregate {
            Aggregate::Sum | Aggregate::Average => "sum",
            // A leaf that says nothing of a target would count as 0.
            _ if self.targets > 1 => {
                return Err(
                    "attribute 'aggregate_function' is MIN or MAX, which is supported of one target only".into(),
                );
            }
            Aggregate::Min => "min",
            Aggregate::Max => "max",
        };
        let scores = along(b, op, weights, (&[1], false))?;
        match self.aggregate {
            Aggregate::Average => b.with_scalar("divide", &scores, self.roots.len() as f64),
            _ => Ok(scores),
        }
    }
}

/// The tables by which a step finds the next nodes.
struct Tables {
    /// The samples' features as one list, and where those of each sample begin, [samples, 1].
    features: Value,
    first: Value,
    feature: Value,
    number: Value,
    next: [Value; 2],
    /// Of each node whether it asks for equality, if any does.
    is_equality: Option<Value>,
    /// Where NaN leads, if not always to where a failed test does.
    nan: Option<Value>,
}

impl Tables {
    fn new(forest: &Forest, b: &mut GraphBuilder, x: &Value, order: &[usize]) -> Result<Self> {
        let columns = x.extent(1)?;
        let nodes = forest.knots.len();
        let (mut feature, mut number) = (vec![0i64; nodes], vec![0.0; nodes]);
        let mut next: [Vec<i64>; 3] = [0, 1, 2].map(|_| vec![0; nodes]);
        let mut is_equality = vec![0i64; nodes];
        for (knot, &at) in forest.knots.iter().zip(order) {
            let Knot::Branch(branch) = knot else {
                next.iter_mut().for_each(|next| next[at] = at as i64);
                continue;
            };
            if !(0..columns).contains(&branch.feature) {
                return Err(format!(
                    "a node reads feature {}, but samples have {columns}",
                    branch.feature
                ));
            }
            let decision = branch.decision(x.element());
            (feature[at], number[at]) = (branch.feature, decision.number);
            is_equality[at] = i64::from(decision.is_equality);
            let [yes, no] = decision.next;
            for (next, to) in next.iter_mut().zip([yes, no, decision.nan]) {
                next[at] = order[to] as i64;
            }
        }
        let has_equality = is_equality.contains(&1);
        let nan_differs = next[2] != next[1];
        let samples = x.dims()[0];
        let first = b.iota(Element::I64, &[samples, Dim::Known(1)], 0)?;
        let first = b.with_scalar("multiply", &first, columns as f64)?;
        let list = |numbers: &[i64], element| {
            let shape = vec![numbers.len() as i64];
            b.known(Const::new(element, shape, &Numbers::ints(numbers)))
        };
        let [yes, no, nan] = next;
        let number = Const::new(x.element(), vec![nodes as i64], &Numbers::Floats(number));
        let tables = Self {
            feature: list(&feature, Element::I64),
            next: [list(&yes, Element::I32), list(&no, Element::I32)],
            is_equality: has_equality.then(|| list(&is_equality, Element::Bool)),
            nan: nan_differs.then(|| list(&nan, Element::I32)),
            number: b.known(number),
            first,
            features: x.clone(),
        };
        let all = samples.times(columns)?;
        Ok(Self {
            features: b.reshape(x, &[all])?,
            ..tables
        })
    }

    /// The nodes behind others, [samples, trees].
    fn next(&self, b: &mut GraphBuilder, place: &Value) -> Result<Value> {
        let at = |b: &mut GraphBuilder, table: &Value, place: &Value| {
            let attrs = [("axis", Param::Int(0)), ("mode", Param::Str("fast"))];
            b.op("take", &[table.clone(), place.clone()], &attrs)
        };
        let feature = at(b, &self.feature, place)?;
        let feature = b.binary("add", &feature, &self.first)?;
        let x = at(b, &self.features, &feature)?;
        let number = at(b, &self.number, place)?;
        let mut holds = b.binary("less_equal", &x, &number)?;
        if let Some(is_equality) = &self.is_equality {
            let is_equality = at(b, is_equality, place)?;
            let is_equal = b.binary("equal", &x, &number)?;
            holds = b.op("where", &[is_equality, is_equal, holds], &[])?;
        }
        let [yes, no] = &self.next;
        let (yes, no) = (at(b, yes, place)?, at(b, no, place)?);
        let next = b.op("where", &[holds, yes, no], &[])?;
        let Some(nan) = &self.nan else {
            return Ok(next);
        };
        let is_nan = b.unary("isnan", &x)?;
        let nan = at(b, nan, place)?;
        b.op("where", &[is_nan, nan, next], &[])
    }
}

/// A required list of integers.
pub fn ints(n: &Node<'_>, name: &str) -> Result<Vec<i64>> {
    n.attr_ints(name)?
        .ok_or_else(|| format!("attribute '{name}' is missing"))
}

/// Fails unless a list of an attribute has one entry for each node.
pub fn check_count(name: &str, found: usize, wanted: usize) -> Result<()> {
    match found == wanted {
        true => Ok(()),
        false => Err(format!(
            "attribute '{name}' has {found} entries, expected {wanted}"
        )),
    }
}
