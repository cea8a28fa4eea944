//! Timing a folder of candidates where there is no compiler: `relay-runner FOLDER`.
//!
//! The compiler writes the folder: a library for each schedule of each kernel, and a [plan]. This runner times each candidate beside the
//! default, and writes [results], which the compiler imports. Another process loads the libraries, so a candidate that crashes or hangs ends
//! that process only.

pub mod plan;
pub mod results;

use crate::{
    describe::this_machine, process::Answerer, protocol::Ask, serve::ask_timer,
    statistics::Comparison,
};
use plan::{Kernel, Plan, Turns};
use results::{Measured, Outcome, Stage, Writer, header};
use std::{
    collections::HashMap,
    ffi::OsString,
    io,
    path::{Path, PathBuf},
    time::Duration,
};

/// The file of results if none is named, in the folder.
pub const RESULTS: &str = "results.jsonl";

/// Times the candidates of a folder that the file of results does not have yet, by its plan. `timer` is the command of a process that
/// [times](crate::serve::time). Tells `say` what it does.
///
/// # Errors
/// If the plan is for another machine, the results cannot be read or written, or no kernel can be run.
pub fn run(
    plan: Plan,
    folder: &Path,
    (results, timer): (Option<PathBuf>, Vec<OsString>),
    say: &mut dyn FnMut(&str),
) -> io::Result<()> {
    let plan = for_this_machine(plan)?;
    let path = results.unwrap_or_else(|| folder.join(RESULTS));
    let at_file = |error: io::Error| io::Error::other(format!("{}: {error}", path.display()));
    let (writer, known) = Writer::open(&path, &header(&plan, this_machine())).map_err(at_file)?;
    let known = known.into_iter();
    let known = known.map(|it| ((it.key, it.from, it.stage), it.outcome));
    let mut runner = BundleRunner {
        folder,
        plan: &plan,
        known: known.collect(),
        writer,
        timer: Answerer::new(timer),
    };
    let mut unusable = Vec::new();
    for (place, kernel) in plan.kernels.iter().enumerate() {
        let told = match runner.time_kernel(kernel)? {
            Ok(told) => told,
            Err(reason) => {
                let told = format!("its default cannot be run: {reason}");
                unusable.push(reason);
                told
            }
        };
        let (number, count) = (place + 1, plan.kernels.len());
        say(&format!("[{number}/{count}] {}: {told}", kernel.name));
    }
    match unusable.first() {
        Some(reason) if unusable.len() == plan.kernels.len() => Err(io::Error::other(format!(
            "no kernel can be run here: {reason}"
        ))),
        _ => {
            say(&format!(
                "wrote {}; relayc tune MODEL --import reads it",
                path.display()
            ));
            Ok(())
        }
    }
}

/// A plan with the number of threads here.
///
/// # Errors
/// If it is for another architecture.
fn for_this_machine(plan: Plan) -> io::Result<Plan> {
    let machine = this_machine();
    if plan.architecture != machine.architecture {
        return Err(io::Error::other(format!(
            "the candidates are for {} ({}), and this machine is {}; export candidates for it, by --target",
            plan.architecture, plan.target, machine.architecture
        )));
    }
    let threads = match plan.threads {
        0 => machine.cores,
        threads => threads,
    };
    Ok(Plan { threads, ..plan })
}

/// What times the candidates of a folder.
struct BundleRunner<'p> {
    folder: &'p Path,
    plan: &'p Plan,
    /// What the file of results has.
    known: HashMap<(String, String, Stage), Outcome>,
    writer: Writer,
    timer: Answerer,
}

impl BundleRunner<'_> {
    /// Times a kernel's candidates; what came of it, or why the default cannot be run.
    fn time_kernel(&mut self, kernel: &Kernel) -> io::Result<Result<String, String>> {
        if let Outcome::Failed { reason, .. } =
            self.time(kernel, ("", &kernel.default), Stage::Look)?
        {
            return Ok(Err(reason));
        }
        let (mut seen, mut failed) = (Vec::new(), 0);
        for candidate in &kernel.candidates {
            let name = (&candidate.from[..], &candidate.library[..]);
            match ratio(&self.time(kernel, name, Stage::Look)?) {
                Some(ratio) => seen.push((ratio, name)),
                None => failed += 1,
            }
        }
        seen.sort_by(|a, b| a.0.total_cmp(&b.0));
        let finalists = seen.into_iter().take_while(|(ratio, _)| *ratio < 1.0);
        let mut best = 1.0_f64;
        for (_, name) in finalists.take(self.plan.finalists) {
            let tested = ratio(&self.time(kernel, name, Stage::Test)?);
            best = best.min(tested.unwrap_or(1.0));
        }
        let count = kernel.candidates.len();
        Ok(Ok(format!(
            "{count} candidates, {failed} failed; the best takes {best:.3} of the default's time"
        )))
    }

    /// Times a candidate, by its name and its library, unless that is known. Writes what came of it.
    fn time(
        &mut self,
        kernel: &Kernel,
        (from, library): (&str, &str),
        stage: Stage,
    ) -> io::Result<Outcome> {
        let place = (kernel.key.clone(), from.to_owned(), stage);
        if let Some(known) = self.known.get(&place) {
            return Ok(known.clone());
        }
        let turns: Turns = match stage {
            Stage::Look => self.plan.look,
            Stage::Test => self.plan.test,
        };
        let pair = kernel.pair(self.plan, self.folder, library, turns);
        let limit = Duration::try_from_secs_f64(self.plan.limit).unwrap_or(Duration::MAX);
        let answer = ask_timer(&mut self.timer, &Ask::Time(pair), limit, &|| true)?;
        let outcome = Outcome::from(answer);
        self.writer.add(Measured {
            key: kernel.key.clone(),
            from: from.to_owned(),
            stage,
            outcome: outcome.clone(),
        })?;
        self.known.insert(place, outcome.clone());
        Ok(outcome)
    }
}

/// How many times as long as the default a candidate takes; none if it failed.
fn ratio(outcome: &Outcome) -> Option<f64> {
    match outcome {
        Outcome::Timed { default, candidate } => {
            Some(Comparison::of(default, candidate).ratio).filter(|ratio| ratio.is_finite())
        }
        Outcome::Failed { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// A process in the place of the timer: it answers by the library's name, and notes what it is asked.
    const TIMER: &str = r#"
while read line; do
  echo "$line" >> "$0/asked"
  case "$line" in
    *'"candidate":"'*'/1.so"'*) kill -9 $$ ;;
    *'"candidate":"'*'/3.so"'*) sleep 60 ;;
    *'"candidate":"'*'/2.so"'*) echo '{"answer":"timed","incumbent":[2.0],"candidate":[1.0]}' ;;
    *) echo '{"answer":"timed","incumbent":[2.0],"candidate":[2.0]}' ;;
  esac
done"#;

    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("there is a folder for temporary files");
        let plan = serde_json::to_string(&plan::tests::plan()).expect("it is JSON");
        fs::write(folder.path().join(plan::FILE), plan).expect("it is written");
        for library in ["0.so", "1.so", "2.so", "3.so"] {
            fs::write(folder.path().join(library), "").expect("it is written");
        }
        folder
    }

    fn timer(folder: &Path) -> Vec<OsString> {
        let words = ["sh", "-c", TIMER].map(OsString::from);
        words.into_iter().chain([folder.into()]).collect()
    }

    fn run_in(folder: &Path) -> io::Result<Vec<String>> {
        let mut said = Vec::new();
        let plan = Plan::read(folder)?;
        run(plan, folder, (None, timer(folder)), &mut |line| {
            said.push(line.to_owned())
        })?;
        Ok(said)
    }

    #[test]
    fn a_candidate_that_crashes_or_hangs_does_not_end_the_others() {
        let folder = folder();
        let said = run_in(folder.path()).expect("it runs");
        let expected =
            "[1/1] dense: 3 candidates, 2 failed; the best takes 0.500 of the default's time";
        assert_eq!(said[0], expected);
        let path = folder.path().join(RESULTS);
        let results = results::Results::read(&path).expect("they are read");
        let stages: Vec<_> = results
            .measured
            .iter()
            .map(|it| (&it.from[..], it.stage))
            .collect();
        let look = Stage::Look;
        let test = Stage::Test;
        assert_eq!(
            stages,
            [
                ("", look),
                ("a", look),
                ("b", look),
                ("c", look),
                ("b", test)
            ]
        );
        // What is known is not asked again.
        let asked = || fs::read_to_string(folder.path().join("asked")).expect("it is read");
        let before = asked();
        assert_eq!(run_in(folder.path()).expect("it runs"), said);
        assert_eq!(asked(), before);
        // After an interruption, only the rest is.
        let text = fs::read_to_string(&path).expect("it is read");
        let lines: Vec<&str> = text.lines().take(4).collect();
        fs::write(&path, lines.join("\n")).expect("it is written");
        assert_eq!(run_in(folder.path()).expect("it runs"), said);
        assert_eq!(asked().lines().count(), before.lines().count() + 2);
    }

    #[test]
    fn a_folder_for_another_machine_is_refused() {
        let folder = folder();
        let path = folder.path().join(plan::FILE);
        let mut plan = plan::tests::plan();
        plan.architecture = "vax".into();
        fs::write(&path, serde_json::to_string(&plan).expect("it is JSON")).expect("it is written");
        let refused = run_in(folder.path()).expect_err("it is for another one");
        assert!(
            refused.to_string().contains("the candidates are for vax"),
            "{refused}"
        );
        fs::remove_file(folder.path().join("2.so")).expect("it is there");
        let refused = run_in(folder.path()).expect_err("one is missing");
        assert!(
            refused.to_string().contains("2.so is not in the folder"),
            "{refused}"
        );
    }
}
