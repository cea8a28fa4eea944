//! Boosted trees that score schedules.

use super::{
    features::Features,
    loss::{Loss, Slope},
    trees::{Binned, Growth, Tree},
};
use serde::{Deserialize, Serialize};
use std::{
    collections::BTreeMap,
    io,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

/// A schedule that was measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// The kernel, by its key; schedules of one kernel are compared.
    pub kernel: String,
    /// The rows of the schedule; see [`rows`].
    pub rows: Vec<Vec<f32>>,
    /// How long it took, in any unit that is the same for the kernel.
    pub time: f64,
}

/// The rows that the model reads: those of the stores, each with what is known of the whole kernel.
pub fn rows(features: &Features) -> Vec<Vec<f32>> {
    let kernel = features.kernel.values();
    let row = |store: &super::Row| [store.values(), kernel].concat();
    features.stores.iter().map(row).collect()
}

/// The kind of rows that a schedule has; empty if it has none.
pub fn kind(features: &Features) -> String {
    let store = features.stores.first();
    store.map_or_else(String::new, |store| store.with(&features.kernel).digest())
}

/// What is wrong with a model's file.
#[derive(Debug, thiserror::Error)]
#[error("{}: {reason}", path.display())]
pub struct ModelError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub reason: io::Error,
}

/// A model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Model {
    /// The [kind](kind) of its rows.
    pub features: String,
    /// The numbers of a row.
    width: usize,
    /// What it was trained to do.
    pub loss: Loss,
    /// The machine that it knows, as records name it.
    pub machine: String,
    /// How many schedules it was trained on.
    pub samples: usize,
    trees: Vec<Tree>,
}

/// How trees grow. The numbers were set by hand: with seven other sets of them, Spearman's coefficient on held-out kernels was higher by
/// 0.011 at most.
const GROWTH: Growth = Growth {
    depth: 5,
    least: 0.3,
    lambda: 1.0,
    rate: 0.15,
    share: 0.4,
};

/// The most trees. The number was set by hand; where time is short, there are fewer.
const TREES: usize = 150;

impl Model {
    /// Trains a model for a machine, for a time at most: fewer trees are a model, too. It depends on nothing but its arguments, unless
    /// time is short.
    pub fn train(
        samples: &[Sample],
        (features, machine): (&str, &str),
        loss: Loss,
        limit: Duration,
    ) -> Self {
        let start = Instant::now();
        let width = samples.iter().flat_map(|it| &it.rows).map(Vec::len).min();
        let mut model = Self {
            features: features.to_owned(),
            width: width.unwrap_or(0),
            loss,
            machine: machine.to_owned(),
            samples: samples.len(),
            trees: Vec::new(),
        };
        let mut boosting = Boosting::of(samples, model.width);
        let mut random = fastrand::Rng::with_seed(0);
        for _ in 0..TREES {
            if start.elapsed() > limit {
                break;
            }
            model.trees.push(boosting.step(loss, &mut random));
        }
        model
    }

    /// The score of a schedule by its rows: the lower, the faster.
    pub fn score(&self, rows: &[Vec<f32>]) -> f64 {
        let of_row = |row: &Vec<f32>| -> f64 { self.trees.iter().map(|it| it.value(row)).sum() };
        rows.iter().map(of_row).sum()
    }

    /// Reads a model that was [saved](Self::save); none if there is no file.
    ///
    /// # Errors
    /// If it cannot be read, or holds no model.
    pub fn load(path: &Path) -> Result<Option<Self>, ModelError> {
        let wrong = |reason| ModelError {
            path: path.to_owned(),
            reason,
        };
        let text = match std::fs::read(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(reason) => return Err(wrong(reason)),
        };
        let is_sound = |model: &Self| model.trees.iter().all(|it| it.is_sound(model.width));
        let model = serde_json::from_slice(&text).ok().filter(is_sound);
        let reason =
            "is no model of costs that this version reads; tuning learns another one in its place";
        Ok(Some(model.ok_or_else(|| wrong(io::Error::other(reason)))?))
    }

    /// Saves it, in the place of a model that was there.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn save(&self, path: &Path) -> Result<(), ModelError> {
        self.write(path).map_err(|reason| ModelError {
            path: path.to_owned(),
            reason,
        })
    }

    /// Others that read the file meanwhile see the old one or the new one.
    fn write(&self, path: &Path) -> io::Result<()> {
        let text = serde_json::to_vec(self).map_err(io::Error::other)?;
        let mut name = path.as_os_str().to_owned();
        name.push(format!(".{}", std::process::id()));
        let temporary = PathBuf::from(name);
        let written = std::fs::write(&temporary, &text);
        let moved = written.and_then(|()| std::fs::rename(&temporary, path));
        if moved.is_err() {
            // What is there of it is no model. It may be that it cannot be removed either.
            let _ = std::fs::remove_file(&temporary);
        }
        moved
    }
}

/// Samples while trees are added.
struct Boosting<'s> {
    samples: &'s [Sample],
    /// The samples of each kernel, and the logarithms of their times relative to the best.
    kernels: Vec<(Vec<usize>, Vec<f64>)>,
    binned: Binned,
    /// Of each sample, its score so far.
    scores: Vec<f64>,
}

impl<'s> Boosting<'s> {
    fn of(samples: &'s [Sample], width: usize) -> Self {
        let mut by_kernel: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (place, sample) in samples.iter().enumerate() {
            by_kernel.entry(&sample.kernel).or_default().push(place);
        }
        let kernels = by_kernel.into_values().map(|places| {
            let times = || places.iter().map(|place| samples[*place].time);
            let best = times().fold(f64::INFINITY, f64::min);
            let logs = times().map(|time| (time / best).ln()).collect();
            (places, logs)
        });
        let kernels = kernels.collect();
        let rows: Vec<&[f32]> = samples
            .iter()
            .flat_map(|sample| &sample.rows)
            .map(Vec::as_slice)
            .collect();
        Self {
            samples,
            kernels,
            binned: Binned::of(&rows, width),
            scores: vec![0.0; samples.len()],
        }
    }

    /// Adds a tree.
    fn step(&mut self, loss: Loss, random: &mut fastrand::Rng) -> Tree {
        let tree = self.binned.grow(&self.slopes(loss), GROWTH, random);
        for (score, sample) in self.scores.iter_mut().zip(self.samples) {
            *score += sample.rows.iter().map(|row| tree.value(row)).sum::<f64>();
        }
        tree
    }

    /// The slopes by what is said of each row. All rows of a sample have a part in its score; the second derivative is the bound that
    /// holds if all of them move at a time.
    fn slopes(&self, loss: Loss) -> Vec<Slope> {
        let mut of_sample = vec![Slope::default(); self.samples.len()];
        for (places, times) in &self.kernels {
            let scores: Vec<f64> = places.iter().map(|place| self.scores[*place]).collect();
            for (place, slope) in places.iter().zip(loss.slopes(&scores, times)) {
                of_sample[*place] = slope;
            }
        }
        let of_rows = self
            .samples
            .iter()
            .zip(&of_sample)
            .flat_map(|(sample, slope)| {
                let count = sample.rows.len();
                let hessian = slope.hessian * count as f64;
                let gradient = slope.gradient;
                std::iter::repeat_n(Slope { gradient, hessian }, count)
            });
        of_rows.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::ranking::spearman;

    /// A time that depends on two features of each of two rows, one of them on the kernel's size.
    fn samples(kernels: usize, seed: u64) -> Vec<Sample> {
        let mut random = fastrand::Rng::with_seed(seed);
        let sample = |number: usize, random: &mut fastrand::Rng| {
            let size = 10.0 * (1 + number) as f64;
            let mut row = || [random.f32() * 4.0, random.f32() * 4.0, random.f32()].to_vec();
            let rows = vec![row(), row()];
            let cost = |row: &Vec<f32>| f64::from((row[0] - 2.0).abs() + row[1] / 2.0);
            Sample {
                kernel: format!("kernel {number}"),
                time: size * rows.iter().map(cost).sum::<f64>().exp(),
                rows,
            }
        };
        let all = (0..kernels).flat_map(|number| std::iter::repeat_n(number, 40));
        all.map(|number| sample(number, &mut random)).collect()
    }

    fn rank(model: &Model, samples: &[Sample]) -> f64 {
        let scores: Vec<f64> = samples.iter().map(|it| model.score(&it.rows)).collect();
        let times: Vec<f64> = samples.iter().map(|it| it.time).collect();
        spearman(&scores, &times).unwrap_or_default()
    }

    const LIMIT: Duration = Duration::from_secs(60);

    #[test]
    fn kernels_that_were_never_seen_are_ranked() {
        let (known, new) = (samples(6, 1), samples(1, 2));
        for loss in [Loss::Squares, Loss::Pairs] {
            let model = Model::train(&known, ("", ""), loss, LIMIT);
            assert!(rank(&model, &new) > 0.9, "{loss:?}");
        }
    }

    #[test]
    fn training_again_gives_the_same_model() {
        let known = samples(2, 1);
        let train = || Model::train(&known, ("a", "b"), Loss::Pairs, LIMIT);
        assert_eq!(train(), train());
    }

    #[test]
    fn no_samples_make_a_model_that_knows_nothing() {
        let model = Model::train(&[], ("", ""), Loss::Pairs, LIMIT);
        assert_eq!(model.score(&[vec![1.0]]), 0.0);
    }

    #[test]
    fn a_model_is_saved_and_read_again() -> Result<(), ModelError> {
        let folder = std::env::temp_dir().join(format!("relay-model-{}", std::process::id()));
        let wrong = |reason| ModelError {
            path: folder.clone(),
            reason,
        };
        std::fs::create_dir_all(&folder).map_err(wrong)?;
        let path = folder.join("model.json");
        assert!(Model::load(&path)?.is_none());
        let known = samples(2, 1);
        let model = Model::train(&known, ("a", "b"), Loss::Pairs, LIMIT);
        model.save(&path)?;
        assert_eq!(Model::load(&path)?, Some(model));
        let text = r#"{"features":"","width":1,"loss":"pairs","machine":"","samples":0,
            "trees":[[{"feature":0,"threshold":0.0,"low":0}]]}"#;
        std::fs::write(&path, text).map_err(wrong)?;
        assert!(Model::load(&path).is_err());
        std::fs::remove_dir_all(&folder).map_err(wrong)
    }
}
