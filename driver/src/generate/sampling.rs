//! Which token follows.

use fastrand::Rng;

/// How a token is chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sampling {
    /// What logits are divided by; with 0 the likeliest token is taken.
    pub temperature: f64,
    /// The number of likeliest tokens to choose among; 0 for all.
    pub top_k: usize,
    /// The least probability that the likeliest tokens to choose among have together.
    pub top_p: f64,
}

/// Chooses a token by its logits: those are divided by the temperature, then come `top_k` and `top_p`.
///
/// # Errors
/// If a logit is no number.
pub fn choose(logits: &[f32], sampling: Sampling, random: &mut Rng) -> Result<i64, String> {
    if let Some(place) = logits.iter().position(|logit| logit.is_nan()) {
        return Err(format!("the logit of token {place} is NaN"));
    }
    // The first of equal ones is the likelier one.
    let likelier = |at: &usize, other: &usize| {
        let by_logit = logits[*other].total_cmp(&logits[*at]);
        by_logit.then(at.cmp(other))
    };
    let mut places: Vec<usize> = (0..logits.len()).collect();
    let greatest = places.iter().copied().min_by(likelier);
    let greatest = greatest.ok_or("there are no logits")?;
    // Beside an infinite logit, no other token has a probability; the difference of two of them is no number.
    if sampling.temperature == 0.0 || logits[greatest].is_infinite() {
        return Ok(greatest as i64);
    }
    if (1..places.len()).contains(&sampling.top_k) {
        places.select_nth_unstable_by(sampling.top_k, likelier);
        places.truncate(sampling.top_k);
    }
    places.sort_unstable_by(likelier);
    let most = f64::from(logits[greatest]);
    let weight = |place: usize| ((f64::from(logits[place]) - most) / sampling.temperature).exp();
    let mut weights: Vec<f64> = places.iter().map(|&place| weight(place)).collect();
    let all: f64 = weights.iter().sum();
    let mut sum = 0.0;
    let enough = weights.iter().position(|weight| {
        sum += weight;
        sum >= sampling.top_p * all
    });
    weights.truncate(enough.map_or(weights.len(), |last| last + 1));
    let mut rest = random.f64() * weights.iter().sum::<f64>();
    let chosen = weights.iter().position(|weight| {
        rest -= weight;
        rest < 0.0
    });
    Ok(places[chosen.unwrap_or(weights.len() - 1)] as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOGITS: [f32; 4] = [0.0, 2.0, 1.0, 2.0];

    fn drawn(sampling: Sampling) -> Vec<i64> {
        let mut random = Rng::with_seed(3);
        let draw = |_| choose(&LOGITS, sampling, &mut random).expect("these are numbers");
        (0..2000).map(draw).collect()
    }

    #[test]
    fn without_a_temperature_the_likeliest_token_follows() {
        let sampling = Sampling {
            temperature: 0.0,
            top_k: 0,
            top_p: 1.0,
        };
        assert!(drawn(sampling).iter().all(|token| *token == 1));
    }

    #[test]
    fn tokens_follow_as_often_as_they_are_likely() {
        let sampling = Sampling {
            temperature: 1.0,
            top_k: 0,
            top_p: 1.0,
        };
        let drawn = drawn(sampling);
        let all: f64 = LOGITS.iter().map(|logit| f64::from(logit.exp())).sum();
        for (token, logit) in (0..).zip(LOGITS) {
            let share = drawn.iter().filter(|other| **other == token).count() as f64 / 2000.0;
            assert!(
                (share - f64::from(logit.exp()) / all).abs() < 0.03,
                "{token}: {share}"
            );
        }
    }

    #[test]
    fn only_the_likeliest_are_drawn() {
        let few = |top_k, top_p| Sampling {
            temperature: 1.0,
            top_k,
            top_p,
        };
        for sampling in [few(2, 1.0), few(0, 0.7)] {
            let drawn = drawn(sampling);
            assert!(drawn.contains(&1) && drawn.contains(&3));
            assert!(drawn.iter().all(|token| [1, 3].contains(token)));
        }
        assert!(drawn(few(0, 0.0)).iter().all(|token| *token == 1));
    }

    #[test]
    fn an_infinite_logit_is_the_likeliest() {
        let sampling = Sampling {
            temperature: 1.0,
            top_k: 0,
            top_p: 1.0,
        };
        let choose = |logits: &[f32]| choose(logits, sampling, &mut Rng::with_seed(0));
        assert_eq!(choose(&[0.0, f32::INFINITY, 1.0]), Ok(1));
        assert_eq!(choose(&[f32::NEG_INFINITY; 3]), Ok(0));
    }

    #[test]
    fn what_is_no_number_is_an_error() {
        let sampling = Sampling {
            temperature: 0.0,
            top_k: 0,
            top_p: 1.0,
        };
        assert!(choose(&[0.0, f32::NAN], sampling, &mut Rng::with_seed(0)).is_err());
        assert!(choose(&[], sampling, &mut Rng::with_seed(0)).is_err());
    }
}
