//! `relayc inspect`.

use super::how::ShapeArgs;
use crate::{inspect::inspect, inspect_library::inspect_library};
use miette::IntoDiagnostic;
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Args {
    /// The model: .onnx, .mlir, or compiled (.so)
    model: PathBuf,
    #[command(flatten)]
    shapes: ShapeArgs,
}

impl Args {
    /// Prints what a model or a library is.
    pub fn run(self) -> miette::Result<()> {
        let extension = self.model.extension();
        if extension.is_some_and(|extension| extension == "so") {
            print!("{}", inspect_library(&self.model).into_diagnostic()?);
            return Ok(());
        }
        let summary = inspect(&self.model, &self.shapes.by_name()).into_diagnostic()?;
        print!("{summary}");
        Ok(())
    }
}
