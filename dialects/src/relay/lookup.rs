//! Finding an operator's row.

use super::{Pattern, Row, custom, ops};
use crate::{ir::Op, names};
use std::{collections::HashMap, sync::LazyLock};

/// The row of an operator, by its full name `relay.<name>`.
pub fn row(full_name: &str) -> Option<&'static Row> {
    static BY_NAME: LazyLock<HashMap<&str, &Row>> =
        LazyLock::new(|| ops::rows().map(|row| (row.name, row)).collect());
    let name = full_name.strip_prefix("relay.")?;
    BY_NAME.get(name).copied()
}

/// The row of an op; `None` if it is no operator.
pub fn row_of(op: Op) -> Option<&'static Row> {
    custom::row_of(op).or_else(|| row(&op.name()))
}

/// Whether this is an operator of the relay dialect other than a region's end.
pub fn is_operator(op: Op) -> bool {
    op.name().starts_with("relay.") && !op.is(names::relay::YIELD)
}

/// The pattern of a relay operator; `None` for anything else.
pub fn pattern(op: Op) -> Option<Pattern> {
    row_of(op).map(|row| row.pattern)
}
