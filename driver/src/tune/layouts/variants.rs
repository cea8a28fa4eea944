//! The kernels of a network whose operators are laid out in one way or another.

use crate::{
    DriverError,
    compile::{self, CompileOptions},
    frontend,
    tune::{
        lines::write,
        task::{Task, tasks_of},
    },
};
use melior::{Context, ir::Module};
use relay_dialects::ir::Op;
use relay_passes::relay::alter_op_layout::{self, Operators};
use relay_tune::{
    Database, ScheduleText, operator,
    record::{Layout, Line},
};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

/// Calls of kernels in a run, by key; fewer or more than those of another network, if it is a difference.
pub type Calls = BTreeMap<String, i64>;

/// An operator's text and what was chosen for it.
pub type Chosen<'a> = (&'a str, &'a str);

/// A network before layouts are chosen.
pub struct Network<'n, 'c> {
    module: Module<'c>,
    options: CompileOptions,
    /// What was chosen before.
    known: Vec<Layout>,
    /// A file of records, written anew for each variant.
    records: PathBuf,
    machine: &'n str,
}

/// A kernel with its default schedule.
pub struct Kernel {
    /// The function's name.
    pub name: String,
    /// Its module.
    pub module: String,
    /// The schedule.
    pub schedule: ScheduleText,
    /// Which of its arguments are weights.
    pub weights: Vec<bool>,
}

/// The kernels of a network.
pub struct Kernels {
    /// The kernels, by key.
    pub all: BTreeMap<String, Kernel>,
    /// How often a run calls each.
    pub calls: Calls,
    /// The bytes of all weights.
    pub weight_bytes: u64,
}

impl<'n, 'c> Network<'n, 'c> {
    /// Reads a model, as far as it is compiled before layouts are chosen; none if they are not chosen at the options' level. What
    /// `database` has for the machine is chosen already. `folder` takes a file.
    ///
    /// # Errors
    /// If the model cannot be read, or a pass fails.
    pub fn read(
        context: &'c Context,
        (model, options): (&Path, &CompileOptions),
        (database, machine): (&Database, &'n str),
        folder: &Path,
    ) -> Result<Option<Self>, DriverError> {
        let records = folder.join("variant.jsonl");
        let options = CompileOptions {
            dump_ir: None,
            progress: false,
            records: Some(records.clone()),
            ..options.clone()
        };
        let mut module = frontend::load(context, model, &options.reading)?;
        compile::has_entry(&module)?;
        let options = options.of_module(&module);
        let flag = alter_op_layout::SPEC.flag;
        if !compile::run_up_to(context, &mut module, flag, &options)? {
            return Ok(None);
        }
        let of_machine = database.layouts().filter(|it| it.target == machine);
        Ok(Some(Self {
            module,
            options,
            known: of_machine.cloned().collect(),
            records,
            machine,
        }))
    }

    /// The operators that layouts are chosen for.
    pub fn operators(&self) -> Operators {
        let copy = relay_dialects::copy(&self.module);
        let machine = self.options.target.schedules_for();
        alter_op_layout::operators(Op::of_module(&copy), machine, self.options.goal)
    }

    /// The kernels if these layouts are chosen beside those that were.
    ///
    /// # Errors
    /// If the network cannot be compiled so.
    pub fn kernels(&self, chosen: &[Chosen<'_>]) -> Result<Kernels, DriverError> {
        let layouts = chosen.iter().map(|(text, choice)| Layout {
            version: operator::VERSION,
            operator: (*text).to_owned(),
            target: self.machine.to_owned(),
            choice: Some((*choice).to_owned()),
            of_default: 1.0,
        });
        let lines = self.known.iter().cloned().chain(layouts).map(Line::Layout);
        write(&lines.collect::<Vec<_>>(), &self.records)?;
        // What is folded for this variant goes with its context.
        let context = compile::prepare();
        let module = relay_dialects::copy_to(&context, Op::of_module(&self.module));
        let unreadable = || DriverError::Usage("the network's bytecode does not parse".into());
        let mut module = module.ok_or_else(unreadable)?;
        compile::run_from(
            &context,
            &mut module,
            alter_op_layout::SPEC.flag,
            &self.options,
        )?;
        let tasks = tasks_of(&context, module, &self.options)?;
        let calls = |task: &Task<'_>| (task.kernel.key.clone(), task.calls as i64);
        Ok(Kernels {
            calls: tasks.all.iter().map(calls).collect(),
            weight_bytes: tasks.weight_bytes,
            all: tasks.all.into_iter().map(kernel).collect(),
        })
    }
}

fn kernel(task: Task<'_>) -> (String, Kernel) {
    let kernel = Kernel {
        name: task.kernel.name,
        module: task.kernel.module,
        schedule: task.default,
        weights: task.weights,
    };
    (task.kernel.key, kernel)
}

/// The calls of `after` that are more or fewer than those of `before`.
pub fn difference(after: &Calls, before: &Calls) -> Calls {
    let mut difference = after.clone();
    for (key, calls) in before {
        *difference.entry(key.clone()).or_default() -= calls;
    }
    difference.retain(|_, calls| *calls != 0);
    difference
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_both_call_alike_makes_no_difference() {
        let calls = |all: &[(&str, i64)]| -> Calls {
            all.iter()
                .map(|(key, calls)| ((*key).to_owned(), *calls))
                .collect()
        };
        let before = calls(&[("a", 1), ("b", 3), ("c", 2)]);
        let after = calls(&[("b", 1), ("c", 2), ("d", 4)]);
        assert_eq!(
            difference(&after, &before),
            calls(&[("a", -1), ("b", -2), ("d", 4)])
        );
    }
}
