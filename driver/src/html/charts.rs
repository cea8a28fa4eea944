//! The charts of the page, as SVG.

use super::{
    axis::{Axis, BOTTOM, LEFT, RIGHT, TOP, chart, short},
    bytes, text_of,
};
use crate::{
    bench::{Latency, Unit},
    machine::Limits,
    report::NodeReport,
};
use maud::{Markup, html};
use relay_loops::analysis::memory::Plan;
use std::time::Duration;

/// The most bars of a histogram.
const BARS: usize = 40;

/// How many runs took how long.
pub fn histogram(times: &[u64], latency: Latency) -> Markup {
    let unit = Unit::of(latency.median);
    let numbers: Vec<f64> = times
        .iter()
        .map(|time| unit.count(Duration::from_nanos(*time)))
        .collect();
    // A few runs that were interrupted would squeeze all others into one bar.
    let (least, most) = (unit.count(latency.min), unit.count(latency.max));
    let usual = unit.count(latency.p95) + 2.0 * (unit.count(latency.p95) - least);
    let end = most.min(usual.max(least * 1.02));
    let bars = BARS.min((times.len() / 2).max(5));
    let width = ((end - least) / bars as f64).max(f64::MIN_POSITIVE);
    let mut counts = vec![0_usize; bars];
    for number in numbers.iter().filter(|number| **number <= end) {
        counts[(((number - least) / width) as usize).min(bars - 1)] += 1;
    }
    let beyond = numbers.iter().filter(|number| **number > end).count();
    let margin = (end - least) * 0.03;
    let x = Axis::horizontal((least - margin).max(0.0), end + margin);
    let y = Axis::vertical(0.0, counts.iter().copied().max().unwrap_or(1) as f64 * 1.12);
    let marks = [("median", latency.median, 11.0), ("p95", latency.p95, 27.0)];
    let content = html! {
        @for (index, count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            @let from = least + index as f64 * width;
            rect class="bar" x=(x.at(from) + 0.5) y=(y.at(*count as f64)) width=((x.at(from + width) - x.at(from) - 1.0).max(1.0)) height=(BOTTOM - y.at(*count as f64)) {
                title { (count) " runs from " (short(from)) " to " (short(from + width)) " " (unit.name()) }
            }
        }
        @for (_, time, _) in marks {
            @let at = x.at(unit.count(time));
            line class="mark" x1=(at) x2=(at) y1=(TOP) y2=(BOTTOM) {}
        }
        @for (name, time, height) in marks {
            @let at = x.at(unit.count(time));
            @let is_right = at > (LEFT + RIGHT) / 2.0;
            text class="marked" x=(if is_right { at - 4.0 } else { at + 4.0 }) y=(TOP + height - 2.0) text-anchor=(if is_right { "end" } else { "start" }) { (name) " " (text_of(time)) }
        }
    };
    html! {
        (chart("latency", (x, unit.name()), (y, "runs"), content))
        @match beyond {
            0 => {}
            1 => p { "One run took longer: " (text_of(latency.max)) "." },
            _ => p { (beyond) " runs took longer, up to " (text_of(latency.max)) "." },
        }
    }
}

/// Nodes below the machine's roof.
pub fn roofline(nodes: &[NodeReport], limits: Limits) -> Markup {
    let points: Vec<(&NodeReport, f64, f64)> = nodes
        .iter()
        .filter(|node| node.flops > 0)
        .filter_map(|node| {
            let bytes = node.bound.as_ref()?.bytes.filter(|bytes| *bytes > 0)?;
            let rate = node.flops as f64 / node.time_ns.max(1) as f64;
            Some((node, node.flops as f64 / bytes as f64, rate))
        })
        .collect();
    let ridge = limits.gflops / limits.gbytes.max(f64::MIN_POSITIVE);
    let least = |of: &dyn Fn(&(&NodeReport, f64, f64)) -> f64, start: f64| {
        points.iter().map(of).fold(start, f64::min)
    };
    let most = points
        .iter()
        .map(|(_, intensity, _)| *intensity)
        .fold(ridge, f64::max);
    let (low, high) = (least(&|point| point.1, ridge / 10.0) / 1.6, most * 3.0);
    let slowest = least(&|point| point.2, limits.gflops / 30.0);
    let x = Axis::horizontal(low, high).logarithmic();
    let y = Axis::vertical(slowest / 1.6, limits.gflops * 4.0).logarithmic();
    let roof_at = |intensity: f64| (intensity * limits.gbytes).min(limits.gflops);
    let roof: Vec<String> = [low, ridge, high]
        .into_iter()
        .map(|intensity| format!("{},{}", x.at(intensity), y.at(roof_at(intensity))))
        .collect();
    let content = html! {
        polyline class="roof" points=(roof.join(" ")) {}
        @for (node, intensity, rate) in &points {
            circle class="dot" cx=(x.at(*intensity)) cy=(y.at(*rate)) r=(2.5 + 22.0 * (node.share / std::f64::consts::PI).sqrt()) {
                title { (node.name) ": " (format!("{rate:.1} GFLOP/s, {intensity:.1} FLOP per byte, {:.1}% of the time", 100.0 * node.share)) }
            }
        }
        text class="strong" x=(RIGHT - 3.0) y=(TOP + 8.0) text-anchor="end" { (format!("{:.0} GFLOP/s, {:.1} GB/s", limits.gflops, limits.gbytes)) }
    };
    chart("roofline", (x, "FLOP per byte"), (y, "GFLOP/s"), content)
}

/// Where buffers lie in the arena during the calls of kernels.
pub fn memory(plan: &Plan, arena: u64) -> Markup {
    if plan.places.is_empty() {
        return html! { p { "Nothing lies between kernels." } };
    }
    let scale = [(1_u64 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")]
        .into_iter()
        .find(|(size, _)| arena >= 2 * size)
        .unwrap_or((1, "bytes"));
    let in_unit = |count: u64| count as f64 / scale.0 as f64;
    let x = Axis::horizontal(0.0, plan.calls.len() as f64);
    let y = Axis::vertical(0.0, in_unit(arena) * 1.05);
    let name = |call: usize| plan.calls.get(call).map_or("", String::as_str);
    let content = html! {
        @for (index, place) in plan.places.iter().enumerate() {
            @let (left, right) = (x.at(place.first as f64), x.at(place.last as f64 + 1.0));
            @let (top, bottom) = (y.at(in_unit(place.offset + place.bytes)), y.at(in_unit(place.offset)));
            rect class=(format!("buffer hue-{}", index % 6)) x=(left) y=(top) width=(right - left) height=((bottom - top).max(0.5)) {
                title { (bytes(place.bytes)) " at " (bytes(place.offset)) ", from " (name(place.first)) " to " (name(place.last)) }
            }
        }
    };
    chart(
        "memory over the run",
        (x, "calls of kernels"),
        (y, scale.1),
        content,
    )
}
