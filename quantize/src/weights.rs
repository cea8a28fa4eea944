//! Scales of weights: their numbers are known, and need no histogram.

use crate::{Grid, Method, Range};

/// The candidates for the greatest magnitude of a channel.
const CANDIDATES: u32 = 40;

/// The scale of each group of numbers. [`Method::Mse`] searches the least squared error; the other methods cover all numbers, because
/// the large weights matter most.
pub fn scales_of_weight(groups: &[Vec<f32>], method: Method, is_power_of_two: bool) -> Vec<f64> {
    let scale = |group: &Vec<f32>| {
        let largest = group.iter().fold(0.0_f32, |most, x| most.max(x.abs()));
        let grid = |largest: f64| {
            let range = Range {
                low: -largest,
                high: largest,
            };
            match is_power_of_two {
                true => Grid::signed(range).with_power_of_two(),
                false => Grid::signed(range),
            }
        };
        let all = grid(largest.into());
        if method != Method::Mse {
            return all.scale;
        }
        let half = CANDIDATES / 2;
        let parts = (half..=CANDIDATES).rev();
        let grids =
            parts.map(|part| grid(f64::from(largest) * f64::from(part) / f64::from(CANDIDATES)));
        let best = grids.min_by(|a, b| error(group, *a).total_cmp(&error(group, *b)));
        best.unwrap_or(all).scale
    };
    groups.iter().map(scale).collect()
}

fn error(group: &[f32], grid: Grid) -> f64 {
    let error = |number: &f32| {
        let distance = grid.round(f64::from(*number)) - f64::from(*number);
        distance * distance
    };
    group.iter().map(error).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_group_has_its_scale() {
        let groups = [vec![1.0, -12.7], vec![0.0, 0.0], vec![2.54]];
        let scales = scales_of_weight(&groups, Method::MinMax, false);
        let near = |scale: f64, expected: f64| assert!((scale - expected).abs() < 1e-6 * expected);
        near(scales[0], 0.1);
        near(scales[1], 1.0);
        near(scales[2], 0.02);
        assert_eq!(
            scales_of_weight(&groups[..1], Method::MinMax, true),
            [0.125]
        );
    }

    #[test]
    fn the_least_error_may_clip() {
        let mut group: Vec<f32> = (0..1000).map(|i| (i as f32 * 0.37).sin()).collect();
        group.push(1.2);
        let clipped = scales_of_weight(std::slice::from_ref(&group), Method::Mse, false)[0];
        let all = scales_of_weight(std::slice::from_ref(&group), Method::MinMax, false)[0];
        let error = |scale| {
            let range = Range {
                low: 0.0,
                high: scale * 127.0,
            };
            error(&group, Grid::signed(range))
        };
        assert!(clipped <= all && error(clipped) <= error(all));
    }
}
