//! Figures of quantised layers.

use serde::{Deserialize, Serialize};

/// What quantising one layer alone does.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Alone {
    /// The ratio of signal to quantisation noise in the layer's result, in decibels; `None` if there is no error.
    pub sqnr_db: Option<f64>,
    /// The relative error of the layer's result.
    pub error: f64,
    /// The relative error of the model's outputs.
    pub output_error: f64,
    /// The drop of the metric.
    pub drop: f64,
}

/// A number as a percentage.
pub fn percent(share: f64) -> String {
    format!("{:.2}%", 100.0 * share)
}
