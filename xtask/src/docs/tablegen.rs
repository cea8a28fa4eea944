//! `mlir-tblgen` and `llvm-tblgen`, over the files of `dialects/td/`.

use crate::{Error, Result};
use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// The two programs with the folders that our TableGen files include from.
pub struct TableGen {
    program: PathBuf,
    dumper: PathBuf,
    upstream: PathBuf,
    td: PathBuf,
}

impl TableGen {
    /// For the workspace at `root`, with the MLIR that the workspace is built with.
    pub fn new(root: &Path) -> Self {
        let prefix = Path::new(env!("MLIR_SYS_220_PREFIX"));
        Self {
            program: prefix.join("bin/mlir-tblgen"),
            dumper: prefix.join("bin/llvm-tblgen"),
            upstream: prefix.join("include"),
            td: root.join("dialects/td"),
        }
    }

    /// The op families of a dialect, `ops/<family>.td`, in alphabetical order.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn families(&self, dialect: &str) -> Result<Vec<String>> {
        let folder = self.td.join(dialect).join("ops");
        let mut families = Vec::new();
        for entry in fs::read_dir(&folder).map_err(Error::at(&folder))? {
            let name = entry.map_err(Error::at(&folder))?.file_name();
            let name = name.to_string_lossy();
            families.extend(name.strip_suffix(".td").map(str::to_string));
        }
        families.sort();
        Ok(families)
    }

    /// What a documentation generator writes for the named files of `td/`.
    ///
    /// # Errors
    /// If the program cannot be run or rejects the files.
    pub fn document(&self, generator: &[&str], files: &[String]) -> Result<String> {
        let includes: String = files
            .iter()
            .map(|file| format!("include \"{file}\"\n"))
            .collect();
        let generator = [generator, &["--strip-prefix=::relay_mlir::"]].concat();
        self.run(&self.program, &generator, &includes)
            .map(|text| without_toc(&text))
    }

    /// The records of a dialect's ops, as `llvm-tblgen -dump-json` writes them.
    ///
    /// # Errors
    /// As [`TableGen::document`].
    pub fn records(&self, dialect: &str) -> Result<String> {
        let families = self.families(dialect)?.into_iter();
        let includes: String = families
            .map(|family| format!("include \"{dialect}/ops/{family}.td\"\n"))
            .collect();
        self.run(&self.dumper, &["-dump-json"], &includes)
    }

    fn run(&self, program: &Path, options: &[&str], source: &str) -> Result<String> {
        let at = || Error::at(program);
        let mut child = Command::new(program)
            .args(options)
            .arg("-I")
            .arg(&self.upstream)
            .arg("-I")
            .arg(&self.td)
            .arg("-")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(at())?;
        if let Some(mut input) = child.stdin.take() {
            input.write_all(source.as_bytes()).map_err(at())?;
        }
        let output = child.wait_with_output().map_err(at())?;
        if output.status.success() {
            return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
        }
        Err(Error::Program {
            program: program.into(),
            message: String::from_utf8_lossy(&output.stderr).into_owned(),
        })
    }
}

/// Drops the marker of a table of contents, which only some renderers know, and blank lines at the
/// end.
fn without_toc(text: &str) -> String {
    let text = text.replace("[TOC]\n\n", "");
    format!("{}\n", text.trim_end())
}
