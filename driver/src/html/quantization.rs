//! The report of a quantised model as a page.

use super::{bytes, frame, share};
use crate::{
    DriverError, output,
    quantize::{Accuracy, Choice, LayerReport, QuantizeReport, percent},
};
use maud::{Markup, html};
use std::path::Path;

/// Writes a report: JSON if the file's name ends so, otherwise a page.
///
/// # Errors
/// If it cannot be written.
pub fn write(report: &QuantizeReport, path: &Path) -> Result<(), DriverError> {
    let is_json = path.extension().is_some_and(|ending| ending == "json");
    let text = if is_json {
        let text = serde_json::to_string_pretty(report);
        text.map_err(|error| DriverError::io(path)(error.into()))? + "\n"
    } else {
        page(report)
    };
    output::write(path, text.as_bytes())
}

/// The page.
fn page(report: &QuantizeReport) -> String {
    let content = html! {
        header {
            h1 { (report.model) }
            p { (summary(report)) }
        }
        (facts(report))
        (layers(report))
    };
    let title = format!("{} - relayc quantize", report.model);
    let note = "Made by relayc quantize --report.";
    frame(&title, &content, note)
}

/// What was done, on which data.
fn summary(report: &QuantizeReport) -> String {
    let biases = match report.bias_correction {
        true => ", biases corrected",
        false => "",
    };
    let data = report.data.as_ref();
    let samples = data.map(|data| format!("{} samples of {data}", report.samples));
    match (report.weights, samples) {
        (Some(_), None) => format!("weights {}", report.method),
        (Some(_), Some(samples)) => format!("weights {}, {samples}", report.method),
        (None, samples) => {
            let samples = samples.unwrap_or_default();
            format!("{samples}, ranges by {}{biases}", report.method)
        }
    }
}

fn facts(report: &QuantizeReport) -> Markup {
    let mut facts = vec![
        (
            "layers quantised",
            format!(
                "{} of {}",
                report.count(Choice::Quantized),
                report.layers.len()
            ),
        ),
        ("weights", bytes(report.bytes)),
        ("weights were", bytes(report.float_bytes)),
    ];
    if let Some(accuracy) = &report.accuracy {
        facts.extend(scores(accuracy));
    }
    html! {
        dl class="facts" {
            @for (title, value) in facts { div { dt { (title) } dd { (value) } } }
        }
    }
}

fn scores(accuracy: &Accuracy) -> Vec<(&'static str, String)> {
    let mut facts = vec![
        ("metric", accuracy.metric.clone()),
        ("float", format!("{:.4}", accuracy.float)),
        ("quantised", format!("{:.4}", accuracy.quantized)),
        ("drop", percent(accuracy.drop)),
        ("error of outputs", percent(accuracy.output_error)),
    ];
    if let Some(budget) = accuracy.budget {
        facts.push(("allowed drop", percent(budget)));
    }
    facts
}

fn layers(report: &QuantizeReport) -> Markup {
    let errors = report.layers.iter();
    let errors = errors.filter_map(|layer| Some(layer.alone?.output_error));
    let largest = errors.fold(f64::MIN_POSITIVE, f64::max);
    html! {
        section {
            h2 id="layers" { "Layers" }
            p { "Each row is the model with this layer alone quantised: the error of the layer's own result, the error of the model's outputs, and the drop of the metric. The largest error of outputs comes first." }
            div class="scroll" {
                table class="nodes" {
                    tr {
                        th class="name" { "layer" } th { "is" } th { "SQNR dB" } th { "error" } th { "outputs" } th class="share" {} th { "drop" }
                        th class="wide" { "data" } th class="wide" { "covered" } th class="wide" { "weights" }
                    }
                    @for layer in &report.layers { (row(layer, largest)) }
                }
            }
        }
    }
}

fn row(layer: &LayerReport, largest: f64) -> Markup {
    let alone = layer.alone;
    let optional = |text: Option<String>| text.unwrap_or_else(|| "-".into());
    let range = |range: Option<[f64; 2]>| {
        optional(range.map(|[low, high]| format!("{low:.3} to {high:.3}")))
    };
    html! {
        tr {
            td class="name" { (layer.name) small { (layer.operator) } }
            td { (layer.choice.name()) }
            td { (optional(alone.and_then(|alone| Some(format!("{:.1}", alone.sqnr_db?))))) }
            td { (optional(alone.map(|alone| percent(alone.error)))) }
            td { (optional(alone.map(|alone| percent(alone.output_error)))) }
            (share(alone.map_or(0.0, |alone| alone.output_error / largest)))
            td { (optional(alone.map(|alone| percent(alone.drop)))) }
            td class="wide" { (range(layer.seen)) }
            td class="wide" { (range(layer.covered)) }
            td class="wide" { (layer.weights) }
        }
    }
}
