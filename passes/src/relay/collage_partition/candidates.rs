//! What may be computed together, and by whom.

use crate::{
    graph::operators::{is_foldable, is_view},
    pattern::{group::Group, rules::RuleSet},
    relay::fuse_ops,
};
use relay_dialects::{
    attrs::TARGET,
    ir::{Block, Op, Value},
    pass::PassFailed,
    relay::pattern,
};
use relay_topi::Machine;
use std::collections::{HashMap, HashSet};

/// The most operators of a fused function of which all parts are looked at. Longer ones are cut.
const MOST_FUSED: usize = 16;

/// Operators that are computed together.
pub(super) enum Candidate {
    /// By this compiler, in one fused function.
    Host {
        /// The operators.
        ops: Vec<Op>,
        /// The operator before them in the function that `fuse-ops` would make.
        before: Option<Op>,
    },
    /// By an external code generator.
    External {
        /// The rule that matches them.
        rule: String,
        /// The match.
        group: Group,
    },
}

impl Candidate {
    /// Its operators in textual order.
    pub fn ops(&self) -> &[Op] {
        match self {
            Self::Host { ops, .. } => ops,
            Self::External { group, .. } => &group.ops,
        }
    }

    /// What tables of costs and people call it: the rule, or `host.` and the operators.
    pub fn name(&self) -> String {
        match self {
            Self::Host { ops, .. } => {
                let short = |op: &Op| op.name().trim_start_matches("relay.").to_owned();
                format!(
                    "host.{}",
                    ops.iter().map(short).collect::<Vec<_>>().join("+")
                )
            }
            Self::External { rule, .. } => rule.clone(),
        }
    }

    /// Whether nothing is computed.
    pub fn is_free(&self) -> bool {
        matches!(self, Self::Host { ops, .. } if ops.iter().all(|op| is_view(*op)))
    }

    /// The gaps in it and around it.
    fn gaps(&self) -> Vec<Node> {
        match self {
            Self::Host { ops, before } => {
                before.iter().chain(ops).copied().map(Node::Gap).collect()
            }
            Self::External { .. } => Vec::new(),
        }
    }
}

/// The operators of a block of which somebody has to decide who computes them, and who may.
pub(super) struct Candidates {
    /// What is decided, by numbers.
    pub nodes: Vec<Node>,
    /// What stays with this compiler comes first.
    pub all: Vec<Candidate>,
}

/// What a cover holds once.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Node {
    /// An operator.
    Op(Op),
    /// The gap behind an operator of a fused function, before the next one of that function. What stays with this
    /// compiler holds the gaps around it, too: so no two neighbours stay as two functions, which would be fused.
    Gap(Op),
}

impl Candidates {
    /// Those of a block.
    ///
    /// # Errors
    /// If a rule computes with what it cannot compute with; a diagnostic says where.
    pub fn of(block: Block, rules: &[RuleSet], machine: Machine) -> Result<Self, PassFailed> {
        let open: Vec<Op> = block.ops().into_iter().filter(is_open).collect();
        let external = matches(&open, rules)?;
        let wanted: HashSet<Op> = external
            .iter()
            .flat_map(|part| part.ops())
            .copied()
            .collect();
        let is_wanted = |op: &Op| wanted.contains(op);
        let groups = fuse_ops::standard_groups(block, machine).into_iter();
        let groups = groups.map(|group| group.into_iter().filter(is_open).collect::<Vec<Op>>());
        let groups: Vec<Vec<Op>> = groups
            .filter(|group| group.iter().any(is_wanted))
            .flat_map(|group| {
                group
                    .chunks(MOST_FUSED)
                    .map(<[Op]>::to_vec)
                    .collect::<Vec<_>>()
            })
            .collect();
        let runs = groups.iter().flat_map(|group| runs(group, is_wanted));
        let all = runs.chain(external).collect();
        Ok(Self {
            nodes: nodes(&open, &groups),
            all,
        })
    }

    /// The numbers of the nodes of each candidate, in ascending order.
    pub fn numbers(&self) -> Vec<Vec<usize>> {
        let numbers: HashMap<Node, usize> = self.nodes.iter().copied().zip(0..).collect();
        let number = |node: Node| numbers.get(&node).copied();
        let of = |candidate: &Candidate| -> Vec<usize> {
            let ops = candidate.ops().iter().copied().map(Node::Op);
            let mut nodes: Vec<usize> = ops.filter_map(number).collect();
            nodes.extend(candidate.gaps().into_iter().filter_map(number));
            nodes.sort_unstable();
            nodes
        };
        self.all.iter().map(of).collect()
    }
}

/// The matches of all rules at some operators.
fn matches(open: &[Op], rules: &[RuleSet]) -> Result<Vec<Candidate>, PassFailed> {
    let mut matches = Vec::new();
    for (op, set) in open
        .iter()
        .flat_map(|op| rules.iter().map(move |set| (*op, set)))
    {
        for rule in set.at(op).iter().map(|number| &set.rules()[*number]) {
            let found = set.find(rule, op)?;
            let group = found.and_then(|found| Group::of(&found, op));
            matches.extend(group.filter(is_plain).map(|group| Candidate::External {
                rule: rule.name().to_owned(),
                group,
            }));
        }
    }
    Ok(matches)
}

/// The operators of groups, and the gaps in these, in textual order.
fn nodes(open: &[Op], groups: &[Vec<Op>]) -> Vec<Node> {
    let contested: HashSet<Op> = groups.iter().flatten().copied().collect();
    let last: HashSet<Op> = groups
        .iter()
        .filter_map(|group| group.last())
        .copied()
        .collect();
    let ops = open.iter().copied().filter(|op| contested.contains(op));
    ops.flat_map(|op| {
        let gap = (!last.contains(&op)).then_some(Node::Gap(op));
        [Node::Op(op)].into_iter().chain(gap)
    })
    .collect()
}

/// Whether it is open who computes an operator. What depends on constants only is folded later.
fn is_open(op: &Op) -> bool {
    pattern(*op).is_some() && !op.has_attr(TARGET) && !op.results().into_iter().all(is_foldable)
}

/// Whether a match is of operators only.
fn is_plain(group: &Group) -> bool {
    group.ops.iter().all(|op| pattern(*op).is_some())
}

/// Whether all that operators read and give has a static shape: only then can they be measured.
pub(super) fn are_static(ops: &[Op]) -> bool {
    let is_static = |value: Value| value.ty().is_tensor() && value.ty().is_static();
    let all = |op: &Op| op.operands().into_iter().chain(op.results()).all(is_static);
    ops.iter().all(all)
}

/// What may be left of a fused function when somebody else takes some of its operators: runs that begin and end beside one
/// that is wanted, or at its ends.
fn runs(group: &[Op], is_wanted: impl Fn(&Op) -> bool) -> Vec<Candidate> {
    let is_edge = |place: usize| group.get(place).is_none_or(&is_wanted);
    let starts = (0..group.len()).filter(|start| *start == 0 || is_edge(start - 1));
    let of = |start: usize| {
        let ends = (start..group.len()).filter(|end| is_edge(end + 1));
        ends.map(move |end| Candidate::Host {
            ops: group[start..=end].to_vec(),
            before: start.checked_sub(1).map(|before| group[before]),
        })
    };
    starts.flat_map(of).collect()
}
