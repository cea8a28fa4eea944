//! Walks through the levels: pages that show what each step makes of a small model.

mod convolution;
mod dense;

pub use convolution::CONVOLUTION;
pub use dense::DENSE;

use crate::{Error, Result};
use melior::ir::Module;
use relay_codegen::{Target, device};
use relay_dialects::{
    context,
    ir::Op,
    pass::{run_pipeline, with_diagnostics},
};
use std::{fs, path::Path};

/// A page that follows a model.
pub struct Walk {
    /// The model, from the root of the workspace.
    model: &'static str,
    /// The kernel that it follows: a part of the function's name.
    kernel: &'static str,
    introduction: &'static str,
    steps: &'static [Step],
    /// The most lines of a function or of a GPU's code that the page shows.
    most_lines: usize,
    /// The GPU, of the walk to its code.
    gpu: Option<&'static str>,
    end: &'static str,
}

/// Which functions of a module a step shows.
#[derive(Clone, Copy)]
enum Shown {
    /// All of the model's file.
    All,
    /// The model's own, `@main`.
    Main,
    /// The kernel, with what is cut out of it.
    Kernel,
    /// What is cut out of the kernel for a thread.
    Thread,
}

/// A step down.
struct Step {
    title: &'static str,
    /// What to see.
    text: &'static str,
    passes: &'static [&'static str],
    shown: Shown,
}

/// A walk's page, for the workspace at `root`.
///
/// # Errors
/// If the model cannot be read, a pass fails, or there is no code for the GPU.
pub fn page(root: &Path, walk: &Walk) -> Result<String> {
    let file = root.join(walk.model);
    let source = fs::read_to_string(&file).map_err(Error::at(&file))?;
    relay_passes::register();
    let context = context();
    let failed = |passes: &str, message: String| Error::Passes {
        passes: passes.into(),
        message,
    };
    let (module, message) = with_diagnostics(&context, || Module::parse(&context, &source));
    let mut module = module.ok_or_else(|| failed("the parser", message))?;
    let mut text = String::from(walk.introduction);
    for step in walk.steps {
        let pipeline = step.passes.join(",");
        if !pipeline.is_empty() {
            let (result, message) =
                with_diagnostics(&context, || run_pipeline(&context, &mut module, &pipeline));
            result.map_err(|_| failed(&pipeline, message))?;
        }
        text += &section(walk, step, Op::of_module(&module));
    }
    text += walk.end;
    if let Some(gpu) = walk.gpu {
        let target = Target::parse(gpu).map_err(|error| failed(gpu, error.to_string()))?;
        let code = device::text(&context, Op::of_module(&module), &target);
        let code = code.map_err(|error| failed("code generation", error.to_string()))?;
        let code = String::from_utf8_lossy(&code).replace('\t', "    ");
        text += &format!("\n```\n{}\n```\n", shortened(code.trim(), walk.most_lines));
    }
    Ok(text)
}

fn section(walk: &Walk, step: &Step, module: Op) -> String {
    let functions = module.functions().into_iter();
    let shown = functions.filter(|function| {
        let name = function.symbol().unwrap_or_default();
        match step.shown {
            Shown::All => true,
            Shown::Main => name == "main",
            Shown::Kernel => name.contains(walk.kernel),
            Shown::Thread => name.contains(walk.kernel) && name.contains("_grid_"),
        }
    });
    let ir: Vec<String> = shown
        .map(|function| shortened(&function.to_text(false), walk.most_lines))
        .collect();
    let passes: Vec<String> = (step.passes.iter())
        .map(|pass| {
            format!(
                "`{}`",
                pass.trim_start_matches("func.func(").trim_end_matches(')')
            )
        })
        .collect();
    let passes = match passes.is_empty() {
        true => String::new(),
        false => format!("After {}:\n\n", passes.join(", ")),
    };
    let (title, text, ir) = (step.title, step.text, ir.join("\n"));
    format!("\n## {title}\n\n{text}\n\n{passes}```mlir\n{ir}\n```\n")
}

/// Long text without its middle.
fn shortened(text: &str, most: usize) -> String {
    let lines: Vec<&str> = text.lines().collect();
    if lines.len() <= most {
        return text.into();
    }
    let half = most / 2;
    let left_out = format!("    ... ({} lines)", lines.len() - 2 * half);
    let (first, last) = (&lines[..half], &lines[lines.len() - half..]);
    [first, &[left_out.as_str()], last].concat().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_text_loses_its_middle() {
        let text = |lines: usize| vec!["line"; lines].join("\n");
        assert_eq!(shortened(&text(8), 8), text(8));
        let short = shortened(&text(13), 8);
        assert_eq!(short.lines().count(), 9);
        assert!(short.contains("... (5 lines)"), "{short}");
    }
}
