//! How good a model's outputs are.

use crate::{DriverError, diff, exposed::Tensors, npz, output};
use relay_quantize::Errors;
use relay_runtime::{Port, Tensor};
use std::{
    collections::BTreeMap,
    fmt,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::Arc,
};

/// What scores outputs in the process that quantises.
pub type Score = Arc<dyn Fn(&Path) -> Result<f64, String> + Send + Sync>;

/// A number for the outputs of a model: the greater, the better.
#[derive(Clone)]
pub enum Metric {
    /// The share of rows with the same greatest element as in the float model; for outputs that are scores of classes.
    ArgMax,
    /// 1 less the relative error: the norm of the difference to the float model's outputs / the norm of those.
    Error,
    /// What a script prints, which gets an archive of the outputs and the data.
    Script {
        /// The Python.
        python: PathBuf,
        /// The script.
        script: PathBuf,
        /// The data.
        data: PathBuf,
    },
    /// What a function returns for an archive of the outputs.
    Function(Score),
}

impl fmt::Debug for Metric {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.name())
    }
}

/// The outputs of all runs, in order.
pub type Runs = Vec<Vec<Tensor>>;

impl Metric {
    /// Its name.
    pub fn name(&self) -> String {
        match self {
            Self::ArgMax => "argmax".into(),
            Self::Error => "error".into(),
            Self::Script { script, .. } => script.display().to_string(),
            Self::Function(_) => "function".into(),
        }
    }

    /// The metric for outputs if none is named: rows of floats are scores of classes.
    pub fn usual_of(ports: &[Port]) -> Self {
        let is_scores =
            |port: &Port| diff::is_float(port.dtype) && port.shape.len() == 2 && port.shape[1] != 1;
        match ports.first().is_some_and(is_scores) {
            true => Self::ArgMax,
            false => Self::Error,
        }
    }

    /// The score of outputs, beside those of the float model.
    ///
    /// # Errors
    /// If a script fails, or prints no number.
    pub fn score(&self, ports: &[Port], runs: &Runs, exact: &Runs) -> Result<f64, DriverError> {
        if let Some(score) = self.score_of(&Tally::of(runs, exact)) {
            return Ok(score);
        }
        let folder = output::temporary_folder()?;
        let path = save(folder.path(), ports, runs)?;
        match self {
            Self::Script {
                python,
                script,
                data,
            } => of_script(python, script, &path, data),
            Self::Function(score) => score(&path).map_err(|reason| DriverError::Reference {
                program: "metric".into(),
                reason,
            }),
            Self::ArgMax | Self::Error => unreachable!("a tally has these scores"),
        }
    }

    /// The score by a tally of outputs; `None` if it takes the outputs themselves.
    pub fn score_of(&self, tally: &Tally) -> Option<f64> {
        match self {
            Self::ArgMax => Some(tally.agreement()),
            Self::Error => Some(1.0 - tally.errors.relative()),
            Self::Script { .. } | Self::Function(_) => None,
        }
    }
}

/// Outputs compared with those of the float model, run by run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    /// The errors of all floats.
    pub errors: Errors,
    /// The rows of the first output that have their greatest element in the same place.
    same: usize,
    /// The rows of the first output.
    rows: usize,
}

impl Tally {
    /// The tally of all runs.
    pub fn of(runs: &Runs, exact: &Runs) -> Self {
        let mut tally = Self::default();
        for (found, exact) in runs.iter().zip(exact) {
            tally.add(found, exact);
        }
        tally
    }

    /// Adds the outputs of a run.
    pub fn add(&mut self, found: &[Tensor], exact: &[Tensor]) {
        for (place, (found, exact)) in found.iter().zip(exact).enumerate() {
            let columns = exact.shape().last().map_or(1, |columns| *columns as usize);
            let (Some(found), Some(exact)) = (found.as_slice::<f32>(), exact.as_slice::<f32>())
            else {
                continue;
            };
            self.errors.add(found, exact);
            if place > 0 {
                continue;
            }
            let columns = columns.max(1);
            for (found, exact) in found.chunks(columns).zip(exact.chunks(columns)) {
                self.rows += 1;
                self.same += usize::from(greatest(found) == greatest(exact));
            }
        }
    }

    fn agreement(&self) -> f64 {
        self.same as f64 / self.rows.max(1) as f64
    }
}

fn greatest(row: &[f32]) -> Option<usize> {
    let places = row.iter().enumerate();
    places
        .max_by(|a, b| a.1.total_cmp(b.1).then(b.0.cmp(&a.0)))
        .map(|(place, _)| place)
}

/// Writes the outputs of all runs into an archive: each is one array, with the rows of all runs.
fn save(folder: &Path, ports: &[Port], runs: &Runs) -> Result<PathBuf, DriverError> {
    let path = folder.join("outputs.npz");
    let mut tensors: Tensors = BTreeMap::new();
    for (place, port) in ports.iter().enumerate() {
        let parts: Vec<&Tensor> = runs.iter().filter_map(|run| run.get(place)).collect();
        let joined = join(&parts).ok_or_else(|| DriverError::Data {
            path: path.clone(),
            reason: format!(
                "output '{}' has another shape in each run, so a metric cannot have all in one array",
                port.name
            ),
        })?;
        tensors.insert(port.name.clone(), joined);
    }
    npz::write_all(&path, &tensors)?;
    Ok(path)
}

/// Tensors as one, behind each other along the first dimension.
fn join(parts: &[&Tensor]) -> Option<Tensor> {
    let first = parts.first()?;
    let behind = first.shape().get(1..).unwrap_or_default();
    let mut rows = 0;
    let mut bytes = Vec::new();
    for part in parts {
        if part.shape().get(1..).unwrap_or_default() != behind {
            return None;
        }
        rows += part.shape().first().copied().unwrap_or(1);
        bytes.extend_from_slice(part.bytes());
    }
    Tensor::from_bytes(first.dtype(), &[&[rows], behind].concat(), &bytes)
}

/// The number in the last line that a script prints.
fn of_script(
    python: &Path,
    script: &Path,
    outputs: &Path,
    data: &Path,
) -> Result<f64, DriverError> {
    let fail = |reason: String| DriverError::Reference {
        program: script.into(),
        reason,
    };
    let run = Command::new(python)
        .args([script, outputs, data])
        .stdin(Stdio::null())
        .output()
        .map_err(|error| {
            let python = python.display();
            fail(format!(
                "{python} cannot be run: {error}; name a Python with --python or RELAY_PYTHON"
            ))
        })?;
    let last = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes);
        text.trim().lines().last().unwrap_or_default().to_owned()
    };
    if !run.status.success() {
        let said = last(&run.stderr);
        return Err(fail(format!("failed: {said}")));
    }
    let said = last(&run.stdout);
    let number: Result<f64, _> = said.trim().parse();
    number.ok().filter(|number| number.is_finite()).ok_or_else(|| {
        fail(format!(
            "printed '{said}' at the end, and no number: the metric of the outputs in the archive that its first argument names"
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runs(numbers: &[f32]) -> Runs {
        let half = numbers.len() / 2;
        let run = |part: &[f32]| {
            let shape = [part.len() as i64 / 2, 2];
            vec![Tensor::from_f32(&shape, part).expect("as many as the shape says")]
        };
        vec![run(&numbers[..half]), run(&numbers[half..])]
    }

    #[test]
    fn rows_agree_by_their_greatest_element() {
        let exact = runs(&[1.0, 2.0, 3.0, 1.0, 0.0, 4.0, 5.0, 0.0]);
        let found = runs(&[1.0, 2.5, 3.0, 1.0, 0.0, 4.0, 0.0, 5.0]);
        assert_eq!(Tally::of(&found, &exact).agreement(), 0.75);
        assert_eq!(Tally::of(&exact, &exact).agreement(), 1.0);
    }

    #[test]
    fn runs_are_joined_by_rows() {
        let exact = runs(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]);
        let parts: Vec<&Tensor> = exact.iter().map(|run| &run[0]).collect();
        let joined = join(&parts).expect("they fit");
        assert_eq!(joined.shape(), [4, 2]);
        assert_eq!(joined.as_slice::<f32>().map(<[f32]>::len), Some(8));
    }
}
