//! A report of a measurement as a page: one file, which needs nothing else.

mod axis;
mod charts;
pub mod quantization;
pub mod tuning;

use crate::{
    bench::Unit,
    report::{NodeReport, Report},
};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use relay_loops::analysis::memory::Plan;
use std::time::Duration;

/// What of a library the page shows beside the measurement.
#[derive(Debug)]
pub struct Library<'a> {
    /// The bytes of its constants.
    pub weights: u64,
    /// The bytes that an instance works in.
    pub arena: u64,
    /// Where buffers lie in them.
    pub plan: &'a Plan,
}

/// The page. The table of nodes has the longest `count`.
pub fn page(report: &Report, library: &Library<'_>, count: usize) -> String {
    let content = html! {
        (head(report))
        (facts(report, library))
        div class="charts" {
            (latency(report))
            (roofline(report))
            (memory(library))
            (kinds(report))
        }
        (nodes(report, count))
        (schedules(report, count))
    };
    let title = format!("{} - relayc bench", report.whole.model);
    let note = "Made by relayc bench --html. Point at a mark for its numbers.";
    frame(&title, &content, note)
}

/// A page around its content.
fn frame(title: &str, content: &Markup, note: &str) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                // No icon: a browser would ask for one.
                link rel="icon" href="data:,";
                title { (title) }
                style { (PreEscaped(include_str!("style.css"))) }
            }
            body { main { (content) footer { (note) } } }
        }
    };
    page.into_string()
}

fn head(report: &Report) -> Markup {
    let whole = &report.whole;
    let threads = match whole.threads {
        0 => "all threads".to_owned(),
        1 => "1 thread".to_owned(),
        count => format!("{count} threads"),
    };
    html! {
        header {
            h1 { (whole.model) }
            p { (whole.target) ", " (whole.precision) ", " (threads) }
        }
    }
}

fn facts(report: &Report, library: &Library<'_>) -> Markup {
    let latency = report.whole.latency;
    let time = |time: Option<Duration>| time.map_or_else(|| "-".into(), text_of);
    let flops: u64 = report.nodes.iter().map(|node| node.flops).sum();
    let rate = latency.map(|latency| flops as f64 / latency.median.as_nanos().max(1) as f64);
    let mut facts = vec![
        ("median", time(latency.map(|latency| latency.median))),
        ("95 of 100 within", time(latency.map(|latency| latency.p95))),
        ("operations", format!("{}FLOP", metric(flops as f64))),
        (
            "rate",
            rate.map_or_else(|| "-".into(), |rate| format!("{rate:.1} GFLOP/s")),
        ),
        ("weights", bytes(library.weights)),
        ("arena", bytes(library.arena)),
    ];
    if let Some(limits) = report.machine {
        facts.push(("machine", format!("{:.0} GFLOP/s", limits.gflops)));
        facts.push(("memory", format!("{:.1} GB/s", limits.gbytes)));
    }
    html! {
        dl class="facts" {
            @for (title, value) in facts { div { dt { (title) } dd { (value) } } }
        }
    }
}

fn latency(report: &Report) -> Markup {
    html! {
        section {
            h2 { "Latency" }
            p { "How many of " (report.times_ns.len()) " runs took how long." }
            @match report.whole.latency {
                Some(latency) => (charts::histogram(&report.times_ns, latency)),
                None => p { "No run was timed." },
            }
        }
    }
}

fn roofline(report: &Report) -> Markup {
    html! {
        section {
            h2 { "Roofline" }
            p { "Each node by its operations for a byte of inputs, weights and outputs, and its rate; the area is its share of the time. A node whose data are in a cache can be above the slope of memory." }
            @match report.machine {
                Some(limits) => (charts::roofline(&report.nodes, limits)),
                None => p { "The machine was not measured." },
            }
        }
    }
}

fn memory(library: &Library<'_>) -> Markup {
    html! {
        section {
            h2 { "Memory over the run" }
            p { "The arena: " (library.plan.places.len()) " buffers share " (bytes(library.arena)) ". Each lies where it is for as long as a kernel still takes it." }
            (charts::memory(library.plan, library.arena))
        }
    }
}

/// The time by kind of kernel.
fn kinds(report: &Report) -> Markup {
    let mut kinds: Vec<(String, u64, usize)> = Vec::new();
    for node in &report.nodes {
        let kind = kind(&node.kernel);
        match kinds.iter_mut().find(|(known, ..)| *known == kind) {
            Some((_, time, count)) => {
                *time += node.time_ns;
                *count += 1;
            }
            None => kinds.push((kind, node.time_ns, 1)),
        }
    }
    kinds.sort_by_key(|(_, time, _)| std::cmp::Reverse(*time));
    let total = kinds.iter().map(|(_, time, _)| time).sum::<u64>().max(1);
    html! {
        section {
            h2 { "Time by kind of kernel" }
            p { "Kernels of the same operators together; a number at the end of a name is left out." }
            div class="scroll" {
                table {
                    tr { th class="name" { "kernel" } th { "calls" } th { "time" } th { "" } }
                    @for (kind, time, count) in kinds.iter().take(10) {
                        tr {
                            td class="name" { (kind) }
                            td { (count) }
                            td { (text_of(Duration::from_nanos(*time))) }
                            (share(*time as f64 / total as f64))
                        }
                    }
                }
            }
        }
    }
}

/// A kernel's name without `fused_` before and its number behind.
fn kind(kernel: &str) -> String {
    let name = kernel.strip_prefix("fused_").unwrap_or(kernel);
    match name.rsplit_once('_') {
        Some((name, number)) if number.bytes().all(|byte| byte.is_ascii_digit()) => name.to_owned(),
        _ => name.to_owned(),
    }
}

fn share(share: f64) -> Markup {
    let percent = format!("{:.1}%", 100.0 * share);
    html! {
        td class="share" title=(percent) { span style={ "width:" (format!("{:.2}%", 100.0 * share)) } {} }
    }
}

fn nodes(report: &Report, count: usize) -> Markup {
    let optional = |value: Option<f64>, digits: usize| {
        value.map_or_else(|| "-".to_owned(), |value| format!("{value:.digits$}"))
    };
    let row = |node: &NodeReport| {
        let time = node.time_ns.max(1) as f64;
        let bound = node.bound.as_ref();
        let bandwidth = bound.and_then(|bound| Some(bound.bytes? as f64 / time));
        let predicted = bound.and_then(|bound| bound.predicted_ns);
        let predicted = predicted.map(|ns| text_of(Duration::from_nanos(ns as u64)));
        html! {
            tr {
                td class="name" { (node.name) small { (node.kernel) } }
                td { (text_of(Duration::from_nanos(node.time_ns))) }
                (share(node.share))
                td { (format!("{:.1}", 100.0 * node.share)) }
                td class="wide" { (predicted.unwrap_or_else(|| "-".into())) }
                td class="wide" { (format!("{:.1}", node.flops as f64 / time)) }
                td class="wide" { (optional(bandwidth, 1)) }
                td { (optional(bound.and_then(|bound| bound.roof).map(|roof| 100.0 * roof), 0)) }
            }
        }
    };
    let hidden = report.nodes.len().saturating_sub(count);
    html! {
        section {
            h2 id="nodes" { "Time by node" }
            p { "The longest first" @if hidden > 0 { "; " (hidden) " shorter ones are left out" } ". The roof is what the machine could do at most." }
            div class="scroll" {
                table class="nodes" {
                    tr {
                        th class="name" { "node" } th { "time" } th class="share" {} th { "%" }
                        th class="wide" { "predicted" } th class="wide" { "GFLOP/s" } th class="wide" { "GB/s" } th { "% roof" }
                    }
                    @for node in report.nodes.iter().take(count) { (row(node)) }
                }
            }
        }
    }
}

fn schedules(report: &Report, count: usize) -> Markup {
    let schedule = |node: &NodeReport| -> Option<String> {
        let bound = node.bound.as_ref()?;
        Some(bound.schedule.clone()).filter(|schedule| !schedule.is_empty())
    };
    html! {
        section {
            h2 { "Schedules" }
            p { "The loops of each kernel, from the outermost: an extent, and what is done with it." }
            table {
                @for node in report.nodes.iter().take(count) {
                    @if let Some(schedule) = schedule(node) {
                        tr {
                            td class="name" { (node.name) }
                            td class="name schedule" { code { (schedule) } }
                        }
                    }
                }
            }
        }
    }
}

/// A time in the unit that it has digits in.
fn text_of(time: Duration) -> String {
    let unit = Unit::of(time);
    format!("{:.2} {}", unit.count(time), unit.name())
}

/// A number with a prefix of the metric system.
fn metric(number: f64) -> String {
    let steps = [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")];
    match steps.into_iter().find(|(size, _)| number >= *size) {
        Some((size, prefix)) => format!("{:.1} {prefix}", number / size),
        None => format!("{number:.0} "),
    }
}

fn bytes(count: u64) -> String {
    let steps = [(1_u64 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
    match steps.into_iter().find(|(size, _)| count >= *size) {
        Some((size, unit)) => format!("{:.1} {unit}", count as f64 / size as f64),
        None => format!("{count} B"),
    }
}
