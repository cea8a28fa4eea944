//! A schedule as a text of its own, that fits any function that computes the same.
//!
//! A `te.schedule` names the tensors of the function that it stands in. Its text alone does not say which these are, so a
//! record keeps the list of their names: arguments first, then the results of stages.

use relay_dialects::{
    ir::{Builder, Op, Value},
    names,
    pass::with_diagnostics_of,
};
use relay_topi::{cost::amx::limits, intrin};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// A schedule.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ScheduleText {
    /// The function's arguments and its stages' results, in their order, each as `%name: type`.
    pub tensors: Vec<String>,
    /// The `te.schedule`, with those names.
    pub text: String,
    /// The tensor intrinsics that it names, which have to be the installation's or the model's own: a record brings no code.
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
    /// stands in `module`, to which intrinsics are added that the schedule names and the module does not have.
    ///
    /// # Errors
    /// If the text names other tensors than it lists, or is none, or brings an intrinsic; the function keeps the schedule that it had.
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
        let result = self.take(parsed, (func, module), &tensors);
        parsed.erase();
        result
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
        format!(
            "module {{\nfunc.func @schedule({}) {{\n{body}\nreturn\n}}\n}}",
            parameters.join(", ")
        )
    }

    /// Moves the schedule of the parsed module into a function of a module.
    fn take(&self, parsed: Op, at: (Op, Op), tensors: &[Value]) -> Result<(), String> {
        let (func, module) = at;
        let wrapper = parsed
            .lookup("schedule")
            .ok_or("the text has no function")?;
        let taken = schedule(wrapper).ok_or("the text has no te.schedule")?;
        let end = func
            .body()
            .terminator()
            .ok_or("the function has no return")?;
        self.check_intrinsics(&add_intrinsics(taken, module)?)?;
        for (parameter, tensor) in wrapper.body().args().into_iter().zip(tensors) {
            parameter.replace_all_uses_with(*tensor);
        }
        if let Some(old) = schedule(func) {
            old.erase();
        }
        taken.move_before(end);
        Ok(())
    }

    /// Whether each listed intrinsic is one of those that the schedule gets. Texts of others may hold any machine code.
    fn check_intrinsics(&self, known: &[Op]) -> Result<(), String> {
        let known: Vec<String> = known
            .iter()
            .map(|intrinsic| intrinsic.to_text(false))
            .collect();
        match self.intrinsics.iter().all(|text| known.contains(text)) {
            true => Ok(()),
            false => Err(format!(
                "it brings a tensor intrinsic that is neither the model's nor this installation's; {REMEDY}"
            )),
        }
    }
}

/// What to do about intrinsics from elsewhere.
const REMEDY: &str = "put the te.tensor_intrin into the model, or tune the model anew";

/// The intrinsics that a schedule names. Those of this installation are added to the module if it does not have them.
fn add_intrinsics(schedule: Op, module: Op) -> Result<Vec<Op>, String> {
    let names = schedule.find_all(names::te::TENSORIZE).into_iter();
    let names = names.filter_map(|tensorize| tensorize.attr("intrin")?.as_symbol());
    let find = |name: String| {
        let known = module.lookup(&name);
        let at = Builder::at_start(module.body(), module.loc(), module.ctx());
        known
            .or_else(|| intrin::named(&at, &name, limits))
            .ok_or_else(|| {
                format!(
                    "the intrinsic @{name} is neither the model's nor this installation's; {REMEDY}"
                )
            })
    };
    names.map(find).collect()
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

#[cfg(test)]
mod tests {
    use super::*;
    use relay_dialects::{context, ir::Ctx};

    /// A function whose loops an intrinsic of AMX does.
    const FUNCTION: &str = r#"module {
  func.func @kernel(%pairs: tensor<2x16xbf16>) -> tensor<16x2xbf16> {
    %0 = te.compute "c" (%i: 16, %j: 2) {
      %x = tensor.extract %pairs[%j, %i] : tensor<2x16xbf16>
      te.yield %x : bf16
    } : tensor<16x2xbf16>
    return %0 : tensor<16x2xbf16>
  }
}"#;

    fn text(name: &str, intrinsics: &[&str]) -> ScheduleText {
        let text = format!(
            "te.schedule {{\n  %s = te.stage %0 : tensor<16x2xbf16>\n  %i, %j = te.axes %s\n  te.tensorize %i {{intrin = @{name}}}\n}}"
        );
        ScheduleText {
            tensors: vec![
                "%pairs: tensor<2x16xbf16>".into(),
                "%0: tensor<16x2xbf16>".into(),
            ],
            text,
            intrinsics: intrinsics.iter().map(ToString::to_string).collect(),
        }
    }

    /// What the module is, after a schedule was inserted.
    fn inserted(text: &ScheduleText) -> Result<ScheduleText, String> {
        let context = context();
        let module = Op::parse(Ctx::of(&context), FUNCTION).expect("it parses");
        let func = module.lookup("kernel").expect("it has a kernel");
        text.insert(func, module)?;
        ScheduleText::of(func, module).ok_or_else(|| "there is no schedule".into())
    }

    #[test]
    fn intrinsics_are_those_of_the_installation() {
        let named = inserted(&text("amx_pairs_of_rows", &[])).expect("it is known");
        assert_eq!(named.intrinsics.len(), 1);
        // A record lists them, and the list is compared.
        assert_eq!(inserted(&named), Ok(named.clone()));
        let other = named.intrinsics[0].replace("vector.interleave", "vector.deinterleave");
        let code = r#"te.tensor_intrin @evil { ^bb0: te.yield } implementation { ^bb0: llvm.inline_asm "ud2", "" : () -> () }"#;
        let refused = [
            text("amx_pairs_of_rows", &[&other]),
            text("amx_pairs_of_rows", &[&named.intrinsics[0], code]),
            text("evil", &[code]),
            text("evil", &[]),
        ];
        for text in refused {
            let reason = inserted(&text).expect_err("it is from elsewhere");
            assert!(reason.contains("neither the model's nor"), "{reason}");
        }
    }
}
