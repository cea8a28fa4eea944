//! Quantising.

use crate::{
    compile::How,
    report::{Told, report},
};
use pyo3::{exceptions::PyValueError, prelude::*};
use relay_driver::{
    compile::CompileOptions,
    frontend::Unsaid,
    html::quantization,
    quantize::{Method, Metric, QuantizeOptions, Rounding, WeightType, quantize as quantize_file},
};
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

/// How to quantise, as keyword arguments.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Quantizing {
    data: Option<PathBuf>,
    weights: Option<String>,
    rounding: String,
    samples: Option<usize>,
    method: String,
    per_channel: bool,
    symmetric: bool,
    power_of_two: bool,
    bias_correction: bool,
    keep: Vec<String>,
    keep_first: bool,
    keep_last: bool,
    accuracy_drop: Option<f64>,
    evaluations: Option<usize>,
    journal: Option<PathBuf>,
    metric: Option<Accuracy>,
    report: Option<PathBuf>,
    analyze: bool,
    threads: usize,
}

/// What says how good outputs are.
#[derive(FromPyObject)]
enum Accuracy {
    /// A metric by its name.
    Named(String),
    /// A function of the path of the outputs, which gives a number.
    Function(Py<PyAny>),
}

impl Accuracy {
    fn metric(self) -> PyResult<Metric> {
        match self {
            Self::Named(name) => match name.as_str() {
                "argmax" => Ok(Metric::ArgMax),
                "error" => Ok(Metric::Error),
                _ => Err(PyValueError::new_err(format!(
                    "the metric is '{name}'; there are argmax, error, and functions"
                ))),
            },
            Self::Function(function) => Ok(Metric::Function(Arc::new(move |outputs: &Path| {
                Python::attach(|py| function.call1(py, (outputs,))?.extract::<f64>(py))
                    .map_err(|raised| raised.to_string())
            }))),
        }
    }
}

impl Quantizing {
    fn options(self) -> PyResult<QuantizeOptions> {
        Ok(QuantizeOptions {
            data: self.data,
            weights: self
                .weights
                .map(|text| WeightType::parse(&text))
                .transpose()
                .map_err(PyValueError::new_err)?,
            rounding: Rounding::parse(&self.rounding).map_err(PyValueError::new_err)?,
            samples: self.samples,
            method: Method::parse(&self.method).map_err(PyValueError::new_err)?,
            per_channel: self.per_channel,
            symmetric: self.symmetric,
            power_of_two: self.power_of_two,
            bias_correction: self.bias_correction,
            keep: self.keep,
            keep_first: self.keep_first,
            keep_last: self.keep_last,
            accuracy_drop: self.accuracy_drop,
            evaluations: self.evaluations,
            journal: self.journal,
            metric: self.metric.map(Accuracy::metric).transpose()?,
            analyze: self.analyze || self.report.is_some(),
            threads: self.threads,
        })
    }
}

/// Quantises a model file; returns the report and the warnings. Ctrl-C stops it.
#[pyfunction]
pub fn quantize(
    py: Python<'_>,
    model: PathBuf,
    output: PathBuf,
    quantizing: Quantizing,
    how: How,
) -> PyResult<(Told, Vec<String>)> {
    let mut options = how.options()?;
    options.reading.unsaid = Unsaid::Open;
    let page = quantizing.report.clone();
    let quantizing = quantizing.options()?;
    let work = |options: &CompileOptions| {
        let report = quantize_file(&model, &output, options, &quantizing)?;
        if let Some(path) = &page {
            quantization::write(&report, path)?;
        }
        Ok(report)
    };
    report(py, options, work)
}
