//! `relayc tune --export-candidates` and `--import`: for machines that have no compiler.

use super::log::Voice;
use crate::{
    DriverError,
    compile::CompileOptions,
    tune::{
        Start,
        export::{self, ExportSettings},
        measured,
    },
};
use relay_runner::bundle::results::Results;
use std::path::{Path, PathBuf};

/// Compiles candidates into a folder, and says what to do with it.
pub fn export_candidates(
    models: &[PathBuf],
    folder: &Path,
    (options, settings): (&CompileOptions, ExportSettings),
    start: &Start,
    voice: Voice,
) -> Result<(), DriverError> {
    let mut say = |text: &str| voice.say(text);
    let exported = export::export(models, folder, (options, settings), start, &mut say)?;
    let export::Exported {
        kernels,
        left_out,
        candidates,
        failed,
        bytes,
    } = exported;
    let (folder, size) = (folder.display(), bytes as f64 / 1e6);
    voice.say(format!(
        "wrote {folder} for {}: {candidates} candidates of {kernels} kernels ({left_out} kernels left out, {failed} candidates did not \
         compile), {size:.1} MB",
        options.target.describe()
    ));
    voice.say(format!(
        "copy the folder there, run \"relay-runner {folder}\", and copy {folder}/{} back for relayc tune --import",
        relay_runner::bundle::RESULTS
    ));
    Ok(())
}

/// Adds results to the records, and says what came of them.
pub fn import(
    results: &Results,
    models: &[PathBuf],
    records: &Path,
    options: &CompileOptions,
    voice: Voice,
) -> Result<(), DriverError> {
    let taken = measured::take_in(results, models, records, options)?;
    for (kernel, ratio) in &taken.tuned {
        voice.say(format!("{kernel} takes {ratio:.3} of the default's time"));
    }
    let mut rest = String::new();
    if taken.missing > 0 {
        rest += &format!("; {} candidates were not timed yet", taken.missing);
    }
    if taken.unread > 0 {
        rest += &format!("; {} lines are no results", taken.unread);
    }
    voice.say(format!(
        "imported {} trials ({} failed); {} of {} kernels have a better schedule than the default{rest}",
        taken.trials,
        taken.failed,
        taken.tuned.len(),
        taken.kernels
    ));
    for model in models {
        voice.say(format!(
            "relayc compile {} --target \"{}\" --records {}",
            model.display(),
            options.target.text,
            records.display()
        ));
    }
    Ok(())
}
