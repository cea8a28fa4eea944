//! A schedule as a text of its own, that fits any function that computes the same.
//!
//! A `te.schedule` names the tensors of the function that it stands in. Its text alone does not say which these are, so a
//! record keeps the list of their names: arguments first, then the results of stages.

use relay_dialects::{
    ir::{Builder, Op, Value},
    names,
    pass::with_diagnostics_of,
};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// A schedule.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ScheduleText {
    /// The function's arguments and its stages' results, in their order, each as `%name: type`.
    pub tensors: Vec<String>,
    /// The `te.schedule`, with those names.
    pub text: String,
    /// The tensor intrinsics that it names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub intrinsics: Vec<String>,
}

impl ScheduleText {
    /// The schedule of a function of tensor expressions; none if it has none. `module` holds the intrinsics.
    pub fn of(func: Op, module: Op) -> Option<Self> {
        let schedule = schedule(func)?;
        let text = func.to_text(false);
        let from = text.find(SCHEDULE_LINE)?;
        let to = from + text[from..].find("\n  }")? + "\n  }".len();
        let body = dedent(&text[from..to]);
        let mut intrinsics = Vec::new();
        for tensorize in schedule.find_all(names::te::TENSORIZE) {
            let name = tensorize.attr("intrin").and_then(|name| name.as_symbol());
            let intrinsic = name.and_then(|name| module.lookup(&name));
            let text = intrinsic?.to_text(false);
            if !intrinsics.contains(&text) {
                intrinsics.push(text);
            }
        }
        let names = tensor_names(func, &text).into_iter();
        let tensors = names.zip(tensors(func));
        Some(Self {
            tensors: tensors
                .map(|(name, tensor)| format!("{name}: {}", tensor.ty()))
                .collect(),
            text: body,
            intrinsics,
        })
    }

    /// Whether it has no directives, so that loops stay as stages are written.
    pub fn is_empty(&self) -> bool {
        !self.text.contains('%')
    }

    /// Writes the schedule into a function that computes the same, in the place of the one that it has. The function
    /// stands in `module`.
    ///
    /// # Errors
    /// If the text names other tensors than it lists, or is none; the function keeps the schedule that it had.
    pub fn insert(&self, func: Op, module: Op) -> Result<(), String> {
        let tensors = tensors(func);
        if tensors.len() != self.tensors.len() {
            return Err(format!(
                "the schedule is of {} tensors, and the function has {}",
                self.tensors.len(),
                tensors.len()
            ));
        }
        let text = self.wrapped();
        let (parsed, diagnostics) =
            with_diagnostics_of(func.ctx(), || Op::parse(func.ctx(), &text));
        let parsed = parsed.ok_or(diagnostics)?;
        let result = self.take(parsed, func, &tensors);
        parsed.erase();
        result?;
        self.add_intrinsics(module)
    }

    /// A module with a function that has the tensors as parameters. Their types are those that the schedule was made for: another
    /// number of samples is another type.
    fn wrapped(&self) -> String {
        let parts = self.tensors.iter().map(|tensor| tensor.split_once(": "));
        let parts = parts.map(|parts| parts.unwrap_or_default());
        let stand_in = |number: usize| format!("%tensor.of.{number}");
        let stand_ins: HashMap<&str, String> = (parts.clone().enumerate())
            .map(|(number, (name, _))| (name, stand_in(number)))
            .collect();
        let parameters: Vec<String> = (parts.enumerate())
            .map(|(number, (_, ty))| format!("{}: {ty}", stand_in(number)))
            .collect();
        let body = replace_names(&self.text, &stand_ins);
        let intrinsics = self.intrinsics.join("\n");
        format!(
            "module {{\n{intrinsics}\nfunc.func @schedule({}) {{\n{body}\nreturn\n}}\n}}",
            parameters.join(", ")
        )
    }

    /// Moves the schedule of the parsed module into a function.
    fn take(&self, parsed: Op, func: Op, tensors: &[Value]) -> Result<(), String> {
        let wrapper = parsed
            .lookup("schedule")
            .ok_or("the text has no function")?;
        let taken = schedule(wrapper).ok_or("the text has no te.schedule")?;
        let end = func
            .body()
            .terminator()
            .ok_or("the function has no return")?;
        for (parameter, tensor) in wrapper.body().args().into_iter().zip(tensors) {
            parameter.replace_all_uses_with(*tensor);
        }
        if let Some(old) = schedule(func) {
            old.erase();
        }
        taken.move_before(end);
        Ok(())
    }

    /// Adds the intrinsics that the module does not have.
    fn add_intrinsics(&self, module: Op) -> Result<(), String> {
        for text in &self.intrinsics {
            let intrinsic =
                Op::parse(module.ctx(), text).ok_or("the text of an intrinsic does not parse")?;
            let is_known = intrinsic
                .symbol()
                .is_some_and(|name| module.lookup(&name).is_some());
            match module.body().first() {
                Some(first) if !is_known => {
                    Builder::before(first).insert(intrinsic);
                }
                _ => intrinsic.erase(),
            }
        }
        Ok(())
    }
}

/// How MLIR begins a function's schedule.
const SCHEDULE_LINE: &str = "  te.schedule";

/// The schedule of a function.
pub fn schedule(func: Op) -> Option<Op> {
    let mut ops = func.body().ops().into_iter();
    ops.find(|op| op.is(names::te::SCHEDULE))
}

/// What a schedule may name: arguments, then the results of stages.
fn tensors(func: Op) -> Vec<Value> {
    let stages = func.body().ops().into_iter().filter(|op| is_stage(*op));
    let results = stages.flat_map(Op::results);
    func.body().args().into_iter().chain(results).collect()
}

fn is_stage(op: Op) -> bool {
    !op.is(names::te::SCHEDULE) && op.result_count() > 0
}

/// The names that a function's text has for them.
fn tensor_names(func: Op, text: &str) -> Vec<String> {
    let arguments = func.body().args().len();
    let header = text.lines().next().unwrap_or_default();
    let mut found: Vec<String> = names_in(header).take(arguments).collect();
    let stages = text.lines().filter_map(|line| {
        let line = line
            .strip_prefix("  ")
            .filter(|line| line.starts_with('%'))?;
        line.split_once(" = ").map(|(names, _)| names)
    });
    for stage in stages {
        for name in stage.split(", ") {
            match name.split_once(':') {
                None => found.push(name.to_owned()),
                Some((name, count)) => {
                    let count = count.parse().unwrap_or(0);
                    found.extend((0..count).map(|number: usize| format!("{name}#{number}")));
                }
            }
        }
    }
    found
}

/// The names of values in a text, in their order.
fn names_in(text: &str) -> impl Iterator<Item = String> {
    text.split('%')
        .skip(1)
        .map(|rest| format!("%{}", &rest[..length_of_name(rest)]))
}

/// The bytes of a name of a value, without its `%`; a number of a result is part of it.
fn length_of_name(rest: &str) -> usize {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || "_.$-#".contains(letter);
    rest.find(|letter| !is_part(letter)).unwrap_or(rest.len())
}

/// The text with other names.
fn replace_names(text: &str, names: &HashMap<&str, String>) -> String {
    let mut parts = text.split('%');
    let mut replaced = parts.next().unwrap_or_default().to_owned();
    for rest in parts {
        let length = length_of_name(rest);
        let name = format!("%{}", &rest[..length]);
        replaced.push_str(names.get(&name[..]).unwrap_or(&name));
        replaced.push_str(&rest[length..]);
    }
    replaced
}

/// Without the two spaces before each line.
fn dedent(text: &str) -> String {
    let lines: Vec<&str> = text
        .lines()
        .map(|line| line.strip_prefix("  ").unwrap_or(line))
        .collect();
    lines.join("\n")
}
