//! Which layouts are wanted, and what becomes of an operator's own ones.

use super::Layouts;
use relay_dialects::{
    ir::Op,
    relay::{Attrs, Layout, row},
};

/// The word for a layout that follows from that of the data.
const DEFAULT: &str = "default";

/// The layouts that are wanted, by operator.
pub struct Desired(Vec<(String, Vec<String>)>);

/// What becomes of the layout of an operand.
pub struct Change {
    /// The attribute that names it.
    pub attr: &'static str,
    /// From which layout to which.
    pub layouts: Layouts,
}

impl Desired {
    /// Parses `nn.conv2d:NHWC,default;nn.max_pool2d:NHWC`.
    ///
    /// # Errors
    /// What is wrong with it, to follow the option's name.
    pub fn parse(text: &str) -> Result<Self, String> {
        let entries = text.split(';').map(str::trim);
        let entries = entries
            .filter(|entry| !entry.is_empty())
            .map(|entry| {
                let (name, layouts) = entry
                    .split_once(':')
                    .ok_or_else(|| format!("has no layout for '{entry}'"))?;
                let full = format!("relay.{}", name.trim());
                if row(&full).is_none() {
                    return Err(format!("names '{name}', which is no operator"));
                }
                let layouts = layouts.split(',').map(|layout| layout.trim().to_string());
                Ok((full, layouts.collect()))
            })
            .collect::<Result<Vec<_>, String>>()?;
        if entries.is_empty() {
            return Err("names no operator".into());
        }
        Ok(Self(entries))
    }

    /// For convolutions, by their full names, the layouts of the data, and the weights' that go with them.
    pub fn of_data(layouts: &[(&str, &str)]) -> Self {
        let entry = |&(name, data): &(&str, &str)| {
            (name.to_owned(), vec![data.to_owned(), DEFAULT.to_owned()])
        };
        Self(layouts.iter().map(entry).collect())
    }

    /// The layouts for an operator.
    fn of(&self, op: Op) -> Option<&[String]> {
        let entry = self.0.iter().find(|(name, _)| op.is(name));
        entry.map(|(_, layouts)| &layouts[..])
    }

    /// Whether layouts are wanted for this operator.
    pub fn names(&self, op: Op) -> bool {
        self.of(op).is_some()
    }

    /// What becomes of the layouts of an operator that is named, operand by operand.
    ///
    /// # Errors
    /// If it has no layouts, or others than those wanted.
    pub fn changes(&self, op: Op) -> Result<Vec<Change>, String> {
        let wanted = self.of(op).unwrap_or_default();
        let attrs: &[&'static str] = match (op.has_attr("kernel_layout"), op.has_attr("layout")) {
            (true, _) => &["data_layout", "kernel_layout"],
            (_, true) => &["layout"],
            _ => return Err("works in any layout, so that none can be wanted for it".into()),
        };
        if wanted.len() != attrs.len() {
            return Err(format!(
                "has {} layouts, and {} are wanted for it",
                attrs.len(),
                wanted.len()
            ));
        }
        let pairs = attrs.iter().zip(wanted);
        pairs
            .map(|(&attr, wanted)| {
                let from = Attrs::of(op).str(attr)?;
                let to = match (attr, wanted.as_str()) {
                    ("kernel_layout", DEFAULT) => default_kernel(op, &self.data_layout(op)?),
                    _ => wanted.clone(),
                };
                check(attr, &from, &to)?;
                let layouts = Layouts { from, to };
                Ok(Change { attr, layouts })
            })
            .collect()
    }

    /// The layout that is wanted for an operator's data.
    fn data_layout(&self, op: Op) -> Result<String, String> {
        let first = self.of(op).and_then(|layouts| layouts.first());
        first.cloned().ok_or_else(|| "has no data".into())
    }
}

/// Checks that the order of the dimensions is all that changes.
fn check(attr: &str, from: &str, to: &str) -> Result<(), String> {
    let letters = |text: &str| -> Result<Vec<char>, String> {
        let layout =
            Layout::parse(text).map_err(|reason| format!("cannot be converted: {reason}"))?;
        if layout.axes().iter().any(|axis| axis.factor.is_some()) {
            return Err(format!(
                "has blocks in its {attr} {text}; blocks are made by alter-op-layout"
            ));
        }
        let mut letters: Vec<char> = layout.axes().iter().map(|axis| axis.letter).collect();
        letters.sort_unstable();
        Ok(letters)
    };
    if letters(from)? == letters(to)? {
        Ok(())
    } else {
        Err(format!("has the {attr} {from}, which cannot become {to}"))
    }
}

/// The layout of a weight that goes with one of data: channels last in both, or first.
fn default_kernel(op: Op, data: &str) -> String {
    let own = Attrs::of(op).str("kernel_layout").unwrap_or_default();
    let is_space = |letter: &char| !"NC".contains(*letter);
    let space: String = data.chars().filter(is_space).collect();
    let is_transposed = op.has_attr("output_padding");
    if data.starts_with("NC") {
        let outer = if is_transposed { "IO" } else { "OI" };
        return format!("{outer}{space}");
    }
    let inputs = Layout::parse(&own)
        .ok()
        .and_then(|layout| layout.position('I'));
    let inputs = inputs.map(|place| op.operand(1).ty().shape()[place]);
    let groups = Attrs::of(op).int("groups").unwrap_or(1);
    let is_depthwise = groups > 1 && inputs == Some(1);
    // TVM names the outputs of weights before their inputs for HWNC, too.
    if data.ends_with('C') && !is_depthwise && data.starts_with('N') {
        format!("{space}IO")
    } else {
        format!("{space}OI")
    }
}
