//! A report of what a tuner tried, as a page.

use super::{
    axis::{Axis, chart},
    frame, metric, text_of,
};
use maud::{Markup, html};
use relay_tune::{
    Database,
    record::{Choice, Kernel, Outcome, Trial},
};
use std::{collections::BTreeMap, time::Duration};

/// A kernel with what is known of it on a machine.
struct Tuned<'d> {
    kernel: &'d Kernel,
    trials: Vec<&'d Trial>,
    choice: Option<&'d Choice>,
}

impl<'d> Tuned<'d> {
    /// The times of the trials beside the default, in their order.
    fn ratios(&self) -> Vec<(usize, f64, &'d Trial)> {
        let all = self.trials.iter().enumerate();
        all.filter_map(|(number, trial)| match trial.outcome {
            Outcome::Ran { of_default, .. } => Some((number + 1, of_default, *trial)),
            _ => None,
        })
        .collect()
    }

    /// The nanoseconds of the default: the median of what trials say of it.
    fn default(&self) -> Option<f64> {
        let times = self.trials.iter().filter_map(|trial| match trial.outcome {
            Outcome::Ran {
                nanoseconds,
                of_default,
            } => Some(nanoseconds / of_default),
            _ => None,
        });
        let median = relay_runner::statistics::median(times);
        median.is_finite().then_some(median)
    }

    /// How many times as long as the default the chosen schedule takes.
    fn of_default(&self) -> f64 {
        let tuned = self.choice.filter(|choice| choice.schedule.is_some());
        tuned.map_or(1.0, |choice| choice.of_default)
    }

    fn failed(&self) -> usize {
        let is_failure = |trial: &&&Trial| matches!(trial.outcome, Outcome::Failed { .. });
        self.trials.iter().filter(is_failure).count()
    }
}

/// The page of some kernels' records on a machine, those first on which most time was spent.
pub fn page(database: &Database, machine: &str, is_shown: impl Fn(&Kernel) -> bool) -> String {
    let of = |kernel| Tuned {
        kernel,
        trials: database.trials_of(&kernel.key, machine).collect(),
        choice: database.choice_of(&kernel.key, machine),
    };
    let shown = database.kernels().filter(|kernel| is_shown(kernel));
    let mut kernels: Vec<Tuned<'_>> = shown.map(of).collect();
    kernels.retain(|kernel| !kernel.trials.is_empty());
    kernels.sort_by_key(|kernel| std::cmp::Reverse(kernel.trials.len()));
    let content = html! {
        header { h1 { "Tuning" } p { (machine) } }
        (facts(&kernels))
        (table(&kernels))
        div class="charts" { @for kernel in &kernels { (curve(kernel)) } }
        (failures(&kernels))
        (schedules(&kernels))
    };
    let note = "Made by relayc tune. Point at a mark for its numbers.";
    frame("Tuning - relayc tune", &content, note)
}

fn facts(kernels: &[Tuned<'_>]) -> Markup {
    let trials: usize = kernels.iter().map(|kernel| kernel.trials.len()).sum();
    let failed: usize = kernels.iter().map(Tuned::failed).sum();
    let tuned: Vec<f64> = kernels
        .iter()
        .map(Tuned::of_default)
        .filter(|it| *it < 1.0)
        .collect();
    let mean =
        (tuned.iter().map(|ratio| ratio.ln()).sum::<f64>() / tuned.len().max(1) as f64).exp();
    let facts = [
        ("kernels", kernels.len().to_string()),
        ("schedules tried", trials.to_string()),
        ("failed", failed.to_string()),
        ("kernels with a better one", tuned.len().to_string()),
        ("their time beside the default", format!("{mean:.3}")),
    ];
    html! {
        dl class="facts" {
            @for (title, value) in facts { div { dt { (title) } dd { (value) } } }
        }
    }
}

fn table(kernels: &[Tuned<'_>]) -> Markup {
    let time = |time: Option<f64>| {
        time.map_or("-".into(), |time| {
            text_of(Duration::from_nanos(time as u64))
        })
    };
    let row = |kernel: &Tuned<'_>| {
        let default = kernel.default();
        let best = default.map(|default| default * kernel.of_default());
        let rate = |time: Option<f64>| match time {
            Some(time) if kernel.kernel.flops > 0 => {
                format!("{:.1}", kernel.kernel.flops as f64 / time)
            }
            _ => "-".into(),
        };
        html! {
            tr {
                td class="name" { (kernel.kernel.name) small { (kernel.kernel.key) } }
                td { (kernel.trials.len()) }
                td { (time(default)) }
                td { (time(best)) }
                td { (format!("{:.3}", kernel.of_default())) }
                td class="wide" { (rate(default)) }
                td class="wide" { (rate(best)) }
            }
        }
    };
    html! {
        section {
            h2 { "Kernels" }
            p { "The time of a call with the default schedule and with the one that was chosen." }
            div class="scroll" {
                table class="nodes" {
                    tr {
                        th class="name" { "kernel" } th { "tried" } th { "default" } th { "chosen" } th { "ratio" }
                        th class="wide" { "GFLOP/s, default" } th class="wide" { "chosen" }
                    }
                    @for kernel in kernels { (row(kernel)) }
                }
            }
        }
    }
}

/// The trials of a kernel in their order, and the best of them so far.
fn curve(kernel: &Tuned<'_>) -> Markup {
    let ratios = kernel.ratios();
    let Some(least) = ratios.iter().map(|(_, ratio, _)| *ratio).reduce(f64::min) else {
        return html! {};
    };
    /// Schedules that are slower lie on the upper edge.
    const SLOWEST: f64 = 1.6;
    let x = Axis::horizontal(0.0, kernel.trials.len() as f64);
    let y = Axis::vertical((least - 0.05).clamp(0.0, 0.95), SLOWEST);
    let mut best = 1.0;
    let mut points = vec![(0.0, 1.0)];
    for (number, ratio, _) in &ratios {
        points.push((*number as f64, best));
        best = ratio.min(best);
        points.push((*number as f64, best));
    }
    let line: Vec<String> = points
        .iter()
        .map(|(number, ratio)| format!("{},{}", x.at(*number), y.at(*ratio)))
        .collect();
    let content = html! {
        line class="mark" x1=(x.at(0.0)) x2=(x.at(kernel.trials.len() as f64)) y1=(y.at(1.0)) y2=(y.at(1.0)) {}
        @for (number, ratio, trial) in &ratios {
            circle class="dot" cx=(x.at(*number as f64)) cy=(y.at(*ratio)) r="2.5" {
                title { (trial.from) ": " (format!("{ratio:.3} of the default")) }
            }
        }
        polyline class="roof" points=(line.join(" ")) {}
    };
    html! {
        section {
            h2 { (kernel.kernel.name) }
            p { (metric(kernel.kernel.flops as f64)) "FLOP; " (kernel.trials.len()) " schedules. The line is the best so far." }
            (chart("trials", (x, "trial"), (y, "time / default"), content))
        }
    }
}

fn failures(kernels: &[Tuned<'_>]) -> Markup {
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for trial in kernels.iter().flat_map(|kernel| &kernel.trials) {
        if let Outcome::Failed { how, .. } = &trial.outcome {
            *reasons.entry(how.describe()).or_default() += 1;
        }
    }
    html! {
        section {
            h2 { "Failures" }
            @if reasons.is_empty() { p { "No trial failed." } }
            table { @for (reason, count) in reasons { tr { td class="name" { (reason) } td { (count) } } } }
        }
    }
}

fn schedules(kernels: &[Tuned<'_>]) -> Markup {
    let chosen = kernels.iter().filter_map(|kernel| {
        let choice = kernel.choice?;
        Some((kernel.kernel, choice, choice.schedule.as_ref()?))
    });
    html! {
        section {
            h2 { "Schedules that were chosen" }
            table {
                @for (kernel, choice, schedule) in chosen {
                    tr {
                        td class="name" { (kernel.name) small { (choice.from) } }
                        td class="name schedule" { pre { code { (schedule.text) } } }
                    }
                }
            }
        }
    }
}
