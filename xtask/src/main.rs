//! `cargo xtask`: the tasks that keep the house.

use clap::{Parser, Subcommand};
use std::process::ExitCode;
use xtask::{docs, root, tidy};

/// Keep the house: generated documentation and the rules of the tree.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Write docs/generated, and Python's functions for Relay's operators
    Docs {
        /// Write nothing; fail if a file differs from what would be written
        #[arg(long)]
        check: bool,
    },
    /// Check the rules of the tree
    Tidy,
}

fn main() -> ExitCode {
    let outcome = match Cli::parse().task {
        Task::Docs { check: false } => write_docs(),
        Task::Docs { check: true } => check_docs(),
        Task::Tidy => check_tree(),
    };
    outcome.unwrap_or_else(|error| {
        eprintln!("error: {error}");
        ExitCode::FAILURE
    })
}

fn write_docs() -> xtask::Result<ExitCode> {
    for change in docs::write(&root())? {
        println!("{change}");
    }
    Ok(ExitCode::SUCCESS)
}

fn check_docs() -> xtask::Result<ExitCode> {
    let changes = docs::changes(&root())?;
    for change in &changes {
        eprintln!("{change}");
    }
    if changes.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    eprintln!("generated files are stale: run cargo xtask docs");
    Ok(ExitCode::FAILURE)
}

fn check_tree() -> xtask::Result<ExitCode> {
    let findings = tidy::run(&root())?;
    for finding in &findings {
        eprintln!("{finding}");
    }
    Ok(if findings.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
