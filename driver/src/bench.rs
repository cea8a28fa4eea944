//! How long a model takes, and where.

use crate::{
    DriverError,
    compile::{self, CompileOptions, library_name},
    frontend, output,
};
use relay_runtime::{Model, NodeTime, Session, Tensor};
use serde::Serialize;
use std::{
    fmt::{self, Write},
    path::Path,
    time::Duration,
};

/// The distribution of some times.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Latency {
    /// The least.
    #[serde(rename = "min_ns", serialize_with = "nanoseconds")]
    pub min: Duration,
    /// Half are no longer.
    #[serde(rename = "median_ns", serialize_with = "nanoseconds")]
    pub median: Duration,
    /// 95 of 100 are no longer.
    #[serde(rename = "p95_ns", serialize_with = "nanoseconds")]
    pub p95: Duration,
    /// The longest.
    #[serde(rename = "max_ns", serialize_with = "nanoseconds")]
    pub max: Duration,
    /// How many there are.
    pub runs: usize,
}

impl Latency {
    /// The median of a list of times; `None` if it is empty.
    pub fn of(times: &[Duration]) -> Option<Self> {
        let mut sorted = times.to_vec();
        sorted.sort_unstable();
        let at = |percent: usize| {
            sorted
                .get((sorted.len() * percent / 100).min(sorted.len().saturating_sub(1)))
                .copied()
        };
        Some(Self {
            min: at(0)?,
            median: at(50)?,
            p95: at(95)?,
            max: sorted.last().copied()?,
            runs: sorted.len(),
        })
    }
}

impl fmt::Display for Latency {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [median, min, p95, max] = [self.median, self.min, self.p95, self.max].map(|time| {
            let unit = Unit::of(time);
            format!("{:.3} {}", unit.count(time), unit.name())
        });
        let runs = self.runs;
        write!(
            formatter,
            "median {median}, min {min}, p95 {p95}, max {max} over {runs} runs"
        )
    }
}

/// Writes a time as a whole number of nanoseconds.
fn nanoseconds<S: serde::Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u64(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX))
}

/// What a time is printed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// 1e-6 s.
    Microseconds,
    /// 1e-3 s.
    Milliseconds,
}

impl Unit {
    /// The unit in which a time has digits before its point.
    pub fn of(time: Duration) -> Self {
        if time < Duration::from_millis(1) {
            Self::Microseconds
        } else {
            Self::Milliseconds
        }
    }

    /// The unit for a profile: that of its longest node.
    pub fn of_profile(profile: &[NodeTime]) -> Self {
        let longest = profile.iter().map(|node| node.nanoseconds).max();
        Self::of(Duration::from_nanos(longest.unwrap_or(0)))
    }

    /// How it is written.
    pub fn name(self) -> &'static str {
        match self {
            Self::Microseconds => "µs",
            Self::Milliseconds => "ms",
        }
    }

    /// The nanoseconds of one.
    pub fn nanoseconds(self) -> f64 {
        match self {
            Self::Microseconds => 1e3,
            Self::Milliseconds => 1e6,
        }
    }

    /// How many of it a time is.
    pub fn count(self, time: Duration) -> f64 {
        time.as_secs_f64() * 1e9 / self.nanoseconds()
    }
}

/// A model compiled once and linked twice: as users run it, and with a clock around each node.
///
/// # Errors
/// See [`DriverError`].
pub fn compile_both(path: &Path, options: &CompileOptions) -> Result<(Model, Model), DriverError> {
    let context = compile::prepare();
    let mut module = frontend::load(&context, path, &options.reading)?;
    compile::check_precision(&module, options);
    let program = compile::to_program(&context, &mut module, options)?;
    let folder = output::temporary_folder()?;
    let name = library_name(path);
    let link = |profile: bool| {
        let output = folder
            .path()
            .join(format!("{name}{}.so", u8::from(profile)));
        let options = CompileOptions {
            profile,
            ..options.clone()
        };
        compile::write_library(&module, &program, &name, &output, &options)?;
        // The mapping outlives the file.
        Ok::<_, DriverError>(Model::load(&output)?)
    };
    Ok((link(false)?, link(true)?))
}

/// The time of each node in a run of a model compiled for profiling, longest first: medians of `repeat` runs
/// after an untimed one, so that neither cold caches nor other work on the machine count.
///
/// # Errors
/// If the inputs do not fit the model.
pub fn profile(
    session: &mut dyn Session,
    inputs: &[Tensor],
    repeat: usize,
) -> Result<Vec<NodeTime>, DriverError> {
    let inputs: Vec<&Tensor> = inputs.iter().collect();
    session.run(&inputs)?;
    let mut totals = session.profile();
    let mut runs: Vec<Vec<u64>> = vec![Vec::new(); totals.len()];
    for _ in 0..repeat.max(1) {
        let before = std::mem::take(&mut totals);
        session.run(&inputs)?;
        totals = session.profile();
        for ((run, node), before) in runs.iter_mut().zip(&totals).zip(&before) {
            run.push(node.nanoseconds - before.nanoseconds);
        }
    }
    // Each node is called once in a run.
    let mut nodes = totals;
    for (node, mut run) in nodes.iter_mut().zip(runs) {
        run.sort_unstable();
        node.calls = 1;
        node.nanoseconds = run[run.len() / 2];
    }
    nodes.sort_by_key(|node| std::cmp::Reverse(node.nanoseconds));
    Ok(nodes)
}

/// The longest `count` nodes of a profile, a line each.
pub fn table(profile: &[NodeTime], count: usize) -> String {
    let total: u64 = profile.iter().map(|node| node.nanoseconds).sum();
    let unit = Unit::of_profile(profile);
    let mut text = format!(
        "{:>10}  {:>6}  {:>8}  node (kernel)\n",
        unit.name(),
        "%",
        "GFLOP/s"
    );
    for node in profile.iter().take(count) {
        let nanoseconds = node.nanoseconds as f64 / node.calls.max(1) as f64;
        let share = 100.0 * node.nanoseconds as f64 / total.max(1) as f64;
        // Operations per nanosecond are 10^9 of them per second. With open extents they are not counted.
        let rate = match node.flops {
            0 => "-".into(),
            flops => format!("{:.2}", flops as f64 / nanoseconds.max(1.0)),
        };
        let time = nanoseconds / unit.nanoseconds();
        // Writing to a string does not fail.
        let _ = writeln!(
            text,
            "{time:>10.4}  {share:>6.2}  {rate:>8}  {} ({})",
            node.name, node.op
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_times_are_microseconds() {
        let times = [300, 2_000, 1_250_000].map(Duration::from_nanos);
        let latency = Latency::of(&times).expect("there are times");
        assert_eq!(
            latency.to_string(),
            "median 2.000 µs, min 0.300 µs, p95 1.250 ms, max 1.250 ms over 3 runs"
        );
    }
}
