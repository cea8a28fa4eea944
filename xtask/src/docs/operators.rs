//! Which operator has what: relay's ops by the columns of the operator tables.

use super::{
    Operation, TableGen,
    markdown::{code, table},
    relay_operations,
};
use crate::Result;
use relay_dialects::relay::{Row, row, row::LayoutRule};

/// The families of what is no operator but language; they have no rows.
pub const LANGUAGE: &[&str] = &["adt", "device", "function", "language", "reference"];

/// What the tables hold for one operator.
struct Entry {
    op: Operation,
    row: Option<&'static Row>,
    compute: bool,
}

/// The page.
pub fn page(tablegen: &TableGen) -> Result<String> {
    let entries = entries(tablegen)?;
    let count = |has: fn(&Entry) -> bool| entries.iter().filter(|entry| has(entry)).count();
    let mut text = format!(
        "# Relay's operators\n\n\
         {} operators: {} with a fold, {} with a tensor expression.\n\n",
        entries.len(),
        count(|entry| entry.row.is_some_and(|row| row.fold.is_some())),
        count(|entry| entry.compute),
    );
    text += "The *elements* are the element types of the first operand. `fuse-ops` uses the *pattern*. A *view* has \
             the bytes of its operand. The *precision* is the effect of rounding errors in narrow floats on the \
             result, and the category of `to-mixed-precision`. The *layout* is the rule of `alter-op-layout` for \
             operands in blocks of channels. A *fold* simplifies the operator to a constant or an operand. An operator \
             without a tensor expression must be rewritten into others before `lower-te`. A blank means that the \
             operator lacks the property.\n\n";
    let header = [
        "operator",
        "family",
        "elements",
        "pattern",
        "view",
        "precision",
        "layout",
        "fold",
        "tensor expression",
    ];
    text += &table(&header, entries.iter().map(cells));
    Ok(text)
}

fn entries(tablegen: &TableGen) -> Result<Vec<Entry>> {
    let computed = relay_topi::operators();
    let entry = |op: Operation| {
        let short = op.name.strip_prefix("relay.").unwrap_or(&op.name);
        Entry {
            row: row(&op.name),
            compute: computed.contains(&short),
            op,
        }
    };
    let ops = relay_operations(tablegen)?;
    Ok(ops
        .into_iter()
        .filter(|op| !LANGUAGE.contains(&op.family.as_str()))
        .map(entry)
        .collect())
}

/// The rule of layouts, unless it is to keep them.
fn layout(row: &Row) -> String {
    match row.layout {
        LayoutRule::Keep => String::new(),
        LayoutRule::Convolution(space) => format!("Convolution, {space}-d"),
        LayoutRule::Broadcasting { .. } => "Broadcasting".to_owned(),
        rule => format!("{rule:?}"),
    }
}

fn cells(entry: &Entry) -> Vec<String> {
    let yes = |has: bool| {
        if has {
            "yes".to_string()
        } else {
            String::new()
        }
    };
    let column = |text: fn(&Row) -> String| entry.row.map(text).unwrap_or_default();
    let family = &entry.op.family;
    vec![
        code(&entry.op.name),
        format!("[{family}](dialects/relay/{family}.md)"),
        column(|row| row.elements.name().to_owned()),
        column(|row| format!("{:?}", row.pattern)),
        yes(entry.row.is_some_and(|row| row.is_view)),
        column(|row| {
            let category = row.precision.category();
            format!("{:?}: {category:?}", row.precision)
        }),
        column(layout),
        yes(entry.row.is_some_and(|row| row.fold.is_some())),
        yes(entry.compute),
    ]
}
