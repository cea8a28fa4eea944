//! How good an order is.

/// Spearman's coefficient of rank correlation: 1 if both put all in the same order, -1 if in the opposite one. Equal values share the
/// mean of their ranks. None for fewer than two values, or if all values of a side are equal.
pub fn spearman(a: &[f64], b: &[f64]) -> Option<f64> {
    let (a, b) = (ranks(a), ranks(b));
    let mean = (a.len() as f64 - 1.0) / 2.0;
    let product = |x: &[f64], y: &[f64]| -> f64 {
        let pairs = x.iter().zip(y);
        pairs.map(|(x, y)| (x - mean) * (y - mean)).sum()
    };
    let scale = (product(&a, &a) * product(&b, &b)).sqrt();
    (scale > 0.0).then(|| product(&a, &b) / scale)
}

/// The ranks from 0 on.
fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    let mut ranks = vec![0.0; values.len()];
    let mut from = 0;
    while from < order.len() {
        let is_equal = |place: &&usize| values[**place].total_cmp(&values[order[from]]).is_eq();
        let equal = order[from..].iter().take_while(is_equal).count();
        for place in &order[from..from + equal] {
            ranks[*place] = from as f64 + (equal as f64 - 1.0) / 2.0;
        }
        from += equal;
    }
    ranks
}

/// Whether the least of `measured` is among the `count` least of `predicted`; of equal predictions the first come first.
pub fn finds_best(predicted: &[f64], measured: &[f64], count: usize) -> bool {
    chosen(predicted, count).any(|place| measured[place] == least(measured))
}

/// How many times as long as the fastest of all the fastest of the `count` that are predicted to be so takes.
pub fn regret(predicted: &[f64], measured: &[f64], count: usize) -> f64 {
    let found = chosen(predicted, count).map(|place| measured[place]);
    found.fold(f64::INFINITY, f64::min) / least(measured)
}

fn chosen(predicted: &[f64], count: usize) -> impl Iterator<Item = usize> {
    let mut order: Vec<usize> = (0..predicted.len()).collect();
    order.sort_by(|a, b| predicted[*a].total_cmp(&predicted[*b]));
    order.into_iter().take(count)
}

fn least(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spearman_of_orders() {
        assert_eq!(spearman(&[1.0, 2.0, 9.0], &[0.1, 0.2, 0.3]), Some(1.0));
        assert_eq!(spearman(&[1.0, 2.0, 3.0], &[3.0, 2.0, 1.0]), Some(-1.0));
        assert_eq!(spearman(&[1.0, 1.0], &[3.0, 2.0]), None);
        assert_eq!(spearman(&[1.0], &[3.0]), None);
        // What is no number comes last, and ends.
        assert_eq!(spearman(&[1.0, 2.0, f64::NAN], &[1.0, 2.0, 3.0]), Some(1.0));
        // scipy.stats.spearmanr([1, 2, 2, 4], [1, 3, 2, 4])
        let tied = spearman(&[1.0, 2.0, 2.0, 4.0], &[1.0, 3.0, 2.0, 4.0]);
        assert!((tied.unwrap_or_default() - 0.948_683_298_050_513_8).abs() < 1e-12);
    }

    #[test]
    fn what_is_found_among_the_first() {
        let (predicted, measured) = ([3.0, 1.0, 2.0], [1.0, 4.0, 2.0]);
        assert!(!finds_best(&predicted, &measured, 2));
        assert!(finds_best(&predicted, &measured, 3));
        assert_eq!(regret(&predicted, &measured, 2), 2.0);
    }
}
