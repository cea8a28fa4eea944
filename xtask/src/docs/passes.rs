//! The passes' page, from their specs.

use super::markdown::{capitalized, code, table};
use relay_codegen::{Target, pipelines::ALL};
use relay_dialects::{
    pass::{Default, OptionSpec, PassSpec},
    pipeline::PipelineSpec,
};
use relay_passes::{
    folders,
    pipeline::{Level, MAX_OPT_LEVEL, Order, Precision},
};

/// The page.
pub fn page() -> String {
    let mut text = String::from("# Passes\n\n");
    let rows = folders().flat_map(|folder| {
        folder.passes.iter().map(move |pass| {
            vec![
                format!("[`--{0}`](#--{0})", pass.flag),
                folder.name().to_owned(),
                capitalized(pass.summary),
            ]
        })
    });
    text += &table(&["pass", "folder", "what it does"], rows);
    text += &standard_order();
    text += &pipelines(ALL);
    for folder in folders() {
        text += &format!("\n## Passes of {}\n", folder.name());
        for pass in folder.passes {
            text += &section(pass);
        }
    }
    text
}

/// The target of the example.
const TARGET: &str = "x86-64-v4";

/// What `relayc compile` runs, by optimisation level.
fn standard_order() -> String {
    let mut text = String::from(
        "\n## Standard order\n\nFrom a model to the input of the conversions to LLVM, by optimisation level, for a \
         processor with vectors of 512 bits:\n\n",
    );
    for level in 0..=MAX_OPT_LEVEL {
        text += &order(&format!("level {level}"), level, Precision::F32);
    }
    text + &order("level 3 with `--precision bf16`", 3, Precision::Bf16)
}

fn order(title: &str, level: u8, precision: Precision) -> String {
    let target = Target::parse(TARGET).expect("LLVM knows the target");
    let order = Order {
        opt_level: level,
        precision,
        ..Order::standard(&target)
    };
    let passes = order.passes(Level::Lowered);
    let passes: Vec<String> = passes.iter().map(|pass| code(pass)).collect();
    format!("- {title}: {}\n", passes.join(", "))
}

/// The pipelines and their options.
fn pipelines(all: &[PipelineSpec]) -> String {
    let mut text = String::from(
        "\n## Pipelines\n\nFlags of every tool for several passes. `--dump-pass-pipeline` prints the passes. \
         `--pass-pipeline` accepts the flags, too.\n",
    );
    for pipeline in all {
        let PipelineSpec { flag, summary, .. } = pipeline;
        text += &format!("\n### `--{flag}`\n\n_{}_\n", capitalized(summary));
        text += &options(pipeline.options);
    }
    text
}

fn section(pass: &PassSpec) -> String {
    let mut text = format!(
        "\n### `--{}`\n\n_{}_\n\nRuns on `{}`.\n\n{}\n",
        pass.flag,
        capitalized(pass.summary),
        pass.anchor,
        pass.description.trim()
    );
    text += &options(pass.options);
    text
}

/// A table of options, if there are any.
fn options(options: &[OptionSpec]) -> String {
    if options.is_empty() {
        return String::new();
    }
    let header = ["option", "type", "default", "what it is"];
    format!("\n{}", table(&header, options.iter().map(option)))
}

fn option(option: &OptionSpec) -> Vec<String> {
    let (kind, default) = match option.default {
        Default::Bool(value) => ("bool", code(&value.to_string())),
        Default::Int(value) => ("int", code(&value.to_string())),
        Default::Str("") => ("string", String::new()),
        Default::Str(value) => ("string", code(value)),
    };
    vec![
        code(option.name),
        kind.to_string(),
        default,
        option.summary.to_string(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use relay_dialects::{
        ir::Op,
        pass::{Options, PassResult},
    };

    fn nothing(_: Op, _: &Options<'_>) -> PassResult {
        Ok(())
    }

    #[test]
    fn a_section_holds_all_of_a_spec() {
        let pass = PassSpec {
            flag: "some-pass",
            summary: "do something",
            description: "At length.\n",
            anchor: "func.func",
            options: &[OptionSpec {
                name: "max-depth",
                summary: "how deep",
                default: Default::Int(7),
            }],
            run: nothing,
        };
        let expected = "\n### `--some-pass`\n\n_Do something_\n\nRuns on `func.func`.\n\nAt length.\n\
            \n| option | type | default | what it is |\n| --- | --- | --- | --- |\n\
            | `max-depth` | int | `7` | how deep |\n";
        assert_eq!(section(&pass), expected);
    }
}
