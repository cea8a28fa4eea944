//! How `relayc tune` shows what it does: a table that changes on a terminal, else a line for each round, or JSON.

use super::log::Voice;
use crate::{
    signals,
    tune::{Event, Run, Status, View},
};
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use relay_tune::record::Outcome;
use std::io::Write;

/// The view for a terminal, a log or a program. Where nobody reads what it writes any more, the process ends, and its temporary folders
/// with it: `relayc tune --json | head`, `relayc tune 2>&1 | head`.
pub fn view(json: bool, voice: Voice) -> Box<dyn View> {
    if let Err(error) = signals::clean_up_when_nobody_reads() {
        tracing::warn!("temporary files stay when nobody reads what is said any more: {error}");
    }
    match (json, voice.progress()) {
        (true, _) => Box::new(Json),
        (false, true) => Box::new(Live::new()),
        (false, false) => Box::new(Lines { voice }),
    }
}

/// A line of JSON for each event, on the standard output.
struct Json;

impl View for Json {
    fn see(&mut self, event: &Event<'_>) {
        if let Ok(text) = serde_json::to_string(event) {
            let _ = writeln!(std::io::stdout().lock(), "{text}");
        }
    }
}

/// A line for each round.
struct Lines {
    voice: Voice,
}

impl View for Lines {
    fn see(&mut self, event: &Event<'_>) {
        if let Some(text) = line(event) {
            self.voice.say(text);
        }
    }
}

/// An event as a line; trials that came to an end have none.
fn line(event: &Event<'_>) -> Option<String> {
    Some(match event {
        Event::Kernels { kernels, run } => format!(
            "{} kernels, {} of them finished; {} in them",
            kernels.len(),
            kernels.iter().filter(|kernel| kernel.finished).count(),
            times(run)
        ),
        Event::Operators {
            operators,
            alternatives,
            seconds,
        } => format!(
            "{operators} operators may be laid out in {alternatives} other ways, which are measured for {seconds:.0} s at most"
        ),
        Event::Layout {
            operators,
            choices,
            before,
            more,
        } => of_layout(operators, choices, *before, *more),
        Event::Layouts {
            model,
            operators,
            ratio,
            chance,
        } => format!(
            "{model} with {operators} operators laid out in another way: {ratio:.3} of before (chance of no difference: \
             {chance:.4})"
        ),
        Event::Unusable { kernel, reason } => format!("{kernel}: left as it is: {reason}"),
        Event::Tried { kernel, trial } => match &trial.outcome {
            Outcome::Failed { how, reason } => {
                let reason = reason.lines().next().unwrap_or_default();
                format!("{kernel}: {}: {}: {reason}", trial.from, how.describe())
            }
            _ => return None,
        },
        Event::Round { kernel, run } => format!("{}; {}", of_kernel(kernel), of_run(run)),
        Event::InPlace {
            model,
            kernel,
            alone,
            in_place,
        } => format!("{kernel}: {in_place:.3} of the default in {model}, {alone:.3} alone"),
        Event::Network {
            model,
            kernels,
            ratio,
            chance,
        } => format!(
            "{model} with {kernels} tuned kernels: {ratio:.3} of the default (chance of no difference: {chance:.4})"
        ),
    })
}

fn of_layout(operators: &[&str], choices: &[&str], before: f64, more: f64) -> String {
    let pairs = operators.iter().zip(choices);
    let named: Vec<String> = pairs
        .map(|(operator, choice)| format!("{operator} as {choice}"))
        .collect();
    let (before, more) = (before / 1e6, more / 1e6);
    match named.len() {
        1 => format!("{}: {more:+.3} ms in the place of {before:.3}", named[0]),
        _ => format!("{}: {more:+.3} ms together", named.join(", ")),
    }
}

fn of_kernel(kernel: &Status) -> String {
    format!(
        "{}: {:.3} of the default after {} schedules, {:.1} GFLOP/s ({:.1}, at most {:.1})",
        kernel.name,
        kernel.best / kernel.default,
        kernel.trials,
        kernel.gflops(kernel.best),
        kernel.gflops(kernel.default),
        kernel.gflops(kernel.least),
    )
}

/// What a run of each model takes.
fn times(run: &Run) -> String {
    match &run.models[..] {
        [model] => format!("a run takes {:.3} ms", model.milliseconds),
        models => {
            let models = models
                .iter()
                .map(|it| format!("{} takes {:.3} ms", it.model, it.milliseconds));
            models.collect::<Vec<_>>().join(", ")
        }
    }
}

fn of_run(run: &Run) -> String {
    let models = run.models.iter().map(|model| {
        let name = match run.models.len() {
            1 => "model",
            _ => &model.model[..],
        };
        format!(
            "{name} {:.3} ms of {:.3}",
            model.milliseconds, model.default
        )
    });
    let models = models.collect::<Vec<_>>().join(", ");
    format!("{models}, {:.0} s left", run.left)
}

/// The kernels with the longest times, a line each, above the model's time.
struct Live {
    bars: MultiProgress,
    model: ProgressBar,
    kernels: Vec<(Status, ProgressBar)>,
    seconds: f64,
}

/// So many kernels are shown.
const SHOWN: usize = 12;

impl Live {
    fn new() -> Self {
        let bars = MultiProgress::new();
        let model = bars.add(ProgressBar::new(1));
        let style = ProgressStyle::with_template("{bar:24} {msg}");
        model.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Self {
            bars,
            model,
            kernels: Vec::new(),
            seconds: 0.0,
        }
    }

    fn begin(&mut self, kernels: &[Status], run: &Run) {
        // Of what could not be timed there is nothing to show.
        let timed = kernels.iter().filter(|kernel| kernel.default.is_finite());
        let mut longest: Vec<&Status> = timed.collect();
        let time = |kernel: &Status| kernel.calls as f64 * kernel.default;
        longest.sort_by(|a, b| time(b).total_cmp(&time(a)));
        for kernel in longest.into_iter().take(SHOWN) {
            let bar = self
                .bars
                .insert_before(&self.model, ProgressBar::new_spinner());
            let style = ProgressStyle::with_template("  {msg}");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
            bar.set_message(row(kernel));
            self.kernels.push((kernel.clone(), bar));
        }
        self.seconds = run.left;
        self.model.set_length(run.left.ceil() as u64);
        self.model.set_message(of_run(run));
    }

    fn round(&mut self, kernel: &Status, run: &Run) {
        let shown = self
            .kernels
            .iter_mut()
            .find(|(known, _)| known.key == kernel.key);
        if let Some((_, bar)) = shown {
            bar.set_message(row(kernel));
        }
        self.model
            .set_position((self.seconds - run.left).max(0.0) as u64);
        self.model.set_message(of_run(run));
    }
}

/// A kernel's line in the table.
fn row(kernel: &Status) -> String {
    format!(
        "{:>3} x {:<48.48} {:>5} tried {:>8.1} GFLOP/s, default {:>8.1}, at most {:>8.1}",
        kernel.calls,
        kernel.name,
        kernel.trials,
        kernel.gflops(kernel.best),
        kernel.gflops(kernel.default),
        kernel.gflops(kernel.least),
    )
}

impl View for Live {
    fn see(&mut self, event: &Event<'_>) {
        match event {
            Event::Kernels { kernels, run } => self.begin(kernels, run),
            Event::Round { kernel, run } => self.round(kernel, run),
            _ => {
                if let Some(text) = line(event) {
                    // A terminal that is gone is no reason to stop.
                    let _ = self.bars.println(text);
                }
            }
        }
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        for (_, bar) in &self.kernels {
            bar.finish_and_clear();
        }
        self.model.finish_and_clear();
    }
}
