//! Runs the lit suites under `test/`: each file is a test of its own, named by its path below `test/`.
//!
//! `RELAY_TEST_TIER`, which `./x test` sets, says how many run: `quick` leaves out the files that say
//! `REQUIRES: time`, `packages` adds those that say `REQUIRES: package`, and `all` those that say
//! `REQUIRES: release`, too. The others are listed as ignored.
//! `.config/nextest.toml` has the limit of time and says which tests begin first.

use libtest_mimic::{Arguments, Conclusion, Failed, Trial};
use std::{
    env, fs, io,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
    sync::Arc,
};

/// How many tests a run has.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Tier {
    Quick,
    Usual,
    Packages,
    All,
}

impl Tier {
    /// The tier that the environment names.
    fn asked_for() -> Result<Self, String> {
        match env::var("RELAY_TEST_TIER").as_deref() {
            Err(_) | Ok("usual") => Ok(Self::Usual),
            Ok("quick") => Ok(Self::Quick),
            Ok("packages") => Ok(Self::Packages),
            Ok("all") => Ok(Self::All),
            Ok(other) => Err(format!(
                "RELAY_TEST_TIER is {other}, but must be quick, usual, packages or all"
            )),
        }
    }

    /// The first tier that has a test.
    fn of(text: &str) -> Self {
        let required: Vec<&str> = text
            .lines()
            .filter_map(|line| line.strip_prefix("// REQUIRES:"))
            .flat_map(|features| features.split(',').map(str::trim))
            .collect();
        if required.contains(&"release") {
            Self::All
        } else if required.contains(&"package") {
            Self::Packages
        } else if required.contains(&"time") {
            Self::Usual
        } else {
            Self::Quick
        }
    }
}

fn main() -> ExitCode {
    match run() {
        Ok(conclusion) => conclusion.exit_code(),
        Err(message) => {
            eprintln!("lit: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<Conclusion, String> {
    let arguments = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let suite = root.join("test");
    let tier = Tier::asked_for()?;
    let lit = Arc::new(Lit::new(&root));
    let mut files = Vec::new();
    find(&suite, &mut files).map_err(|error| format!("{}: {error}", suite.display()))?;
    files.sort();
    let mut trials = Vec::new();
    for file in files {
        let name = file.strip_prefix(&suite).unwrap_or(&file);
        let name = name.display().to_string();
        // nextest has a process for each file, which need not read the others.
        if arguments.exact && arguments.filter.as_ref().is_some_and(|one| *one != name) {
            continue;
        }
        let text =
            fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        let lit = Arc::clone(&lit);
        let trial = Trial::test(name, move || lit.run(&file));
        trials.push(trial.with_ignored_flag(Tier::of(&text) > tier));
    }
    Ok(libtest_mimic::run(&arguments, trials))
}

/// The files of tests below a folder.
fn find(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() && path.file_name().is_some_and(|name| name != "Inputs") {
            find(&path, files)?;
        } else if path.extension().is_some_and(|end| end == "mlir") && path.is_file() {
            files.push(path);
        }
    }
    Ok(())
}

/// What starts LLVM's test runner, and what it is told.
struct Lit {
    script: PathBuf,
    parameters: Vec<String>,
}

impl Lit {
    fn new(root: &Path) -> Self {
        let tools = PathBuf::from(env!("CARGO_BIN_EXE_relay-opt"));
        let tools = tools.parent().unwrap_or(root);
        let llvm = Path::new(env!("MLIR_SYS_220_PREFIX")).join("bin");
        let oracle = root.join("target/oracle/bin/python");
        let python = if oracle.exists() {
            oracle
        } else {
            "python3".into()
        };
        Self {
            script: root.join("lit/run.py"),
            parameters: vec![
                format!("--tools={}", tools.display()),
                format!("--llvm={}", llvm.display()),
                format!("--python={}", python.display()),
            ],
        }
    }

    /// Runs one file. A test that this machine cannot run is no failure; lit says why.
    fn run(&self, file: &Path) -> Result<(), Failed> {
        // The script names Debian's Python, for which lit is compiled. A `python3` in the path may be a wrapper that starts slowly.
        let script = &self.script;
        let output = Command::new(script)
            .args(&self.parameters)
            .arg(file)
            .output()
            .map_err(|error| {
                format!("{}: {error}; ./x setup installs python3", script.display())
            })?;
        let text = String::from_utf8_lossy(&output.stdout);
        let said = String::from_utf8_lossy(&output.stderr);
        print!("{text}");
        eprint!("{said}");
        if output.status.success() {
            Ok(())
        } else {
            Err(Failed::without_message())
        }
    }
}
