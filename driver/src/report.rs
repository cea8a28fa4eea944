//! What `relayc run` and `relayc bench` have to say, as text and as JSON.

use crate::{
    bench::{self, Latency},
    explain::{self, Kernel},
    inspect_library::LibraryPort,
    machine::Limits,
};
use relay_loops::analysis::memory::Plan;
use relay_passes::Machine;
use relay_runtime::{Model, NodeTime, Port};
use serde::Serialize;
use std::{collections::HashMap, fmt, path::Path, time::Duration};

/// What was run.
#[derive(Debug, Serialize)]
pub struct RunReport {
    /// The file.
    pub model: String,
    /// What it was compiled for.
    pub target: String,
    /// The floats that its convolutions and matrix products read.
    pub precision: String,
    /// The number of threads that was asked for; 0 for as many as the process may use.
    pub threads: usize,
    /// Its inputs.
    pub inputs: Vec<LibraryPort>,
    /// Its outputs.
    pub outputs: Vec<LibraryPort>,
    /// How long runs took; `None` if none was timed.
    pub latency: Option<Latency>,
}

impl RunReport {
    /// Describes runs of a library that was made of the file `model`, or is it.
    pub fn new(model: &Path, library: &Model, threads: usize, latency: Option<Latency>) -> Self {
        let ports = |ports: &[Port]| ports.iter().map(LibraryPort::from).collect();
        Self {
            model: model.display().to_string(),
            target: library.target().into(),
            precision: library.precision().into(),
            threads,
            inputs: ports(library.inputs()),
            outputs: ports(library.outputs()),
            latency,
        }
    }
}

impl fmt::Display for RunReport {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.latency {
            Some(latency) => writeln!(formatter, "{latency}"),
            None => Ok(()),
        }
    }
}

/// What a model was measured to take.
#[derive(Debug, Serialize)]
pub struct Report {
    /// The model, and how long it takes as a whole.
    #[serde(flatten)]
    pub whole: RunReport,
    /// The time of each run in nanoseconds, in order.
    pub times_ns: Vec<u64>,
    /// What the machine can do at most; `None` if that was not asked for.
    pub machine: Option<Limits>,
    /// The nodes, longest first.
    pub nodes: Vec<NodeReport>,
    /// The table of the longest nodes.
    #[serde(skip)]
    table: String,
}

/// What a node was measured to take.
#[derive(Debug, Serialize)]
pub struct NodeReport {
    /// Its name in the model; names of several that are computed together are joined by " + ".
    pub name: String,
    /// The kernel.
    pub kernel: String,
    /// The median time of a call, in nanoseconds.
    pub time_ns: u64,
    /// Its share of the time of all nodes, from 0 to 1.
    pub share: f64,
    /// The floating-point operations of a call; 0 where not counted.
    pub flops: u64,
    /// What bounds it, if that was asked for and is known.
    pub bound: Option<Bound>,
}

/// What bounds a node.
#[derive(Debug, Serialize)]
pub struct Bound {
    /// The bytes of its inputs, weights and outputs.
    pub bytes: Option<u64>,
    /// The time that the cost model expects, in nanoseconds.
    pub predicted_ns: Option<f64>,
    /// The share of the machine's roofline that it reaches: 1 is the roof. A node whose data are in a cache can
    /// be above.
    pub roof: Option<f64>,
    /// Its loops, in short.
    pub schedule: String,
}

/// What was measured.
#[derive(Clone, Copy, Debug)]
pub struct Measured<'a> {
    /// The file.
    pub model: &'a Path,
    /// What was made of it.
    pub library: &'a Model,
    /// The number of threads that was asked for.
    pub threads: usize,
    /// The time of each run.
    pub times: &'a [Duration],
    /// The time of each node, longest first.
    pub profile: &'a [NodeTime],
}

/// What bounds kernels on a machine.
#[derive(Debug)]
pub struct Bounds {
    /// Facts about kernels.
    pub kernels: HashMap<String, Kernel>,
    /// What the machine can do at most.
    pub limits: Limits,
    /// The machine that schedules are for.
    pub machine: Machine,
    /// Where buffers between kernels lie.
    pub plan: Plan,
}

impl Report {
    /// A report whose text has the longest `count` nodes.
    pub fn new(measured: Measured<'_>, bounds: Option<&Bounds>, count: usize) -> Self {
        let Measured {
            model,
            library,
            threads,
            times,
            profile,
        } = measured;
        let total: u64 = profile.iter().map(|node| node.nanoseconds).sum();
        let nodes = profile.iter().map(|node| NodeReport {
            name: node.name.clone(),
            kernel: node.op.clone(),
            time_ns: node.nanoseconds,
            share: node.nanoseconds as f64 / total.max(1) as f64,
            flops: node.flops,
            bound: bounds.and_then(|bounds| bounds.of(node)),
        });
        let table = match bounds {
            Some(bounds) => {
                let (limits, machine) = (bounds.limits, bounds.machine);
                explain::table(profile, &bounds.kernels, limits, machine, count)
            }
            // A library has no clock around its nodes.
            None if profile.is_empty() => String::new(),
            None => bench::table(profile, count),
        };
        let nanoseconds = |time: &Duration| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        Self {
            whole: RunReport::new(model, library, threads, Latency::of(times)),
            times_ns: times.iter().map(nanoseconds).collect(),
            machine: bounds.map(|bounds| bounds.limits),
            nodes: nodes.collect(),
            table,
        }
    }
}

impl Bounds {
    fn of(&self, node: &NodeTime) -> Option<Bound> {
        let kernel = self.kernels.get(&node.op)?;
        let time = (node.nanoseconds as f64).max(1.0);
        let roof = |bytes| self.limits.nanoseconds(node.flops, bytes) / time;
        Some(Bound {
            bytes: kernel.bytes,
            predicted_ns: kernel.nanoseconds(self.limits, self.machine),
            roof: kernel.bytes.map(roof),
            schedule: kernel.schedule.clone(),
        })
    }
}

impl fmt::Display for Report {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.whole)?;
        if let Some(limits) = self.machine {
            write!(formatter, "{limits}")?;
        }
        write!(formatter, "{}", self.table)
    }
}
