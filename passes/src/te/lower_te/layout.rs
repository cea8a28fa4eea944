//! Whether a layout gives each element a place of its own.

use relay_dialects::{
    index,
    ir::{AffineExpr, AffineMap},
};
use std::collections::HashSet;

/// A map whose form tells nothing is checked point by point, on shapes with at most so many elements.
const CHECKED_ELEMENTS: i64 = 1 << 22;

/// Whether a map takes each index of a shape to a place of its own.
///
/// # Errors
/// Names an index that it takes elsewhere, or to another one's place.
pub fn check(map: &AffineMap, shape: &[i64]) -> Result<(), String> {
    if map.results.is_empty() {
        return Err("the map has no results".into());
    }
    if shape.contains(&0) || holds_digits(map, shape) {
        return Ok(());
    }
    check_points(map, shape)
}

/// `coefficient * ((x mod modulus) floordiv divisor)` of an index along a dimension. Without a modulus it is all of the index.
#[derive(Clone, Copy)]
struct Digit {
    dim: usize,
    modulus: Option<i64>,
    divisor: i64,
    coefficient: i64,
}

impl Digit {
    /// How many values the digit has.
    fn count(&self, shape: &[i64]) -> i64 {
        let extent = shape[self.dim];
        let extent = self.modulus.map_or(extent, |modulus| modulus.min(extent));
        index::ceil_div(extent, self.divisor)
    }

    fn divided(self, by: i64) -> Option<Self> {
        let divisor = self.divisor.checked_mul(by)?;
        (by > 0 && self.coefficient == 1).then_some(Self { divisor, ..self })
    }

    fn remainder(self, by: i64) -> Option<Self> {
        let modulus = self
            .divisor
            .checked_mul(by)
            .filter(|_| by > 0 && self.coefficient == 1)?;
        let fits = self
            .modulus
            .is_none_or(|known| known % modulus == 0 || modulus % known == 0);
        let modulus = self.modulus.map_or(modulus, |known| known.min(modulus));
        fits.then_some(Self {
            modulus: Some(modulus),
            ..self
        })
    }
}

/// Whether the results are sums of digits of the indices, from which the digits, and so the indices, can be told.
fn holds_digits(map: &AffineMap, shape: &[i64]) -> bool {
    let mut all = Vec::new();
    for result in &map.results {
        let Some(mut digits) = digits(result) else {
            return false;
        };
        digits.retain(|digit| digit.count(shape) > 1);
        digits.sort_by_key(|digit| digit.coefficient);
        // Each digit steps further than all smaller ones together.
        let mut reach: i64 = 0;
        for digit in &digits {
            if digit.coefficient <= reach {
                return false;
            }
            let most = digit.coefficient.saturating_mul(digit.count(shape) - 1);
            reach = reach.saturating_add(most);
        }
        if reach == i64::MAX {
            return false;
        }
        all.extend(digits);
    }
    (0..shape.len()).all(|dim| {
        let mut own: Vec<Digit> = all
            .iter()
            .copied()
            .filter(|digit| digit.dim == dim)
            .collect();
        own.sort_by_key(|digit| digit.divisor);
        // Each digit begins where the one before it ends.
        let known = own.iter().try_fold(1, |known, digit| {
            let end = digit.modulus.unwrap_or(i64::MAX);
            (digit.divisor == known).then_some(end)
        });
        known.is_some_and(|known| known >= shape[dim])
    })
}

/// The digits that an expression is a sum of; none if it is something else.
fn digits(expr: &AffineExpr) -> Option<Vec<Digit>> {
    let number = |expr: &AffineExpr| match expr {
        AffineExpr::Constant(number) => Some(*number),
        _ => None,
    };
    let single = |expr: &AffineExpr| match digits(expr)?[..] {
        [digit] => Some(digit),
        _ => None,
    };
    match expr {
        AffineExpr::Constant(0) => Some(Vec::new()),
        AffineExpr::Constant(_) | AffineExpr::CeilDiv(..) => None,
        AffineExpr::Dim(dim) => Some(vec![Digit {
            dim: *dim,
            modulus: None,
            divisor: 1,
            coefficient: 1,
        }]),
        AffineExpr::Add(lhs, rhs) => Some([digits(lhs)?, digits(rhs)?].concat()),
        AffineExpr::Mul(lhs, rhs) => {
            let by = number(rhs).filter(|by| *by > 0)?;
            let scaled = digits(lhs)?.into_iter().map(|digit| {
                let coefficient = digit.coefficient.checked_mul(by)?;
                Some(Digit {
                    coefficient,
                    ..digit
                })
            });
            scaled.collect()
        }
        AffineExpr::FloorDiv(lhs, rhs) => Some(vec![single(lhs)?.divided(number(rhs)?)?]),
        AffineExpr::Mod(lhs, rhs) => Some(vec![single(lhs)?.remainder(number(rhs)?)?]),
    }
}

/// Whether a map takes each index of a shape to a place of its own, tried for all of them.
fn check_points(map: &AffineMap, shape: &[i64]) -> Result<(), String> {
    if index::product(shape) > CHECKED_ELEMENTS {
        return Err(format!(
            "the stage has more than {CHECKED_ELEMENTS} elements, too many to check the map"
        ));
    }
    let mut seen = HashSet::new();
    let mut point = vec![0; shape.len()];
    loop {
        let place = map.results.iter().map(|expr| expr.value(&point));
        let Some(place) = place.collect::<Option<Vec<i64>>>() else {
            return Err(format!(
                "the map gives {point:?} no place: it divides by what is not positive, or passes \
                 64 bits"
            ));
        };
        if place.iter().any(|at| *at < 0) {
            return Err(format!("the map takes {point:?} to {place:?}"));
        }
        if !seen.insert(place) {
            return Err(format!(
                "the map takes {point:?} to a place that another index is taken to"
            ));
        }
        let Some(dim) = (0..shape.len())
            .rev()
            .find(|dim| point[*dim] + 1 < shape[*dim])
        else {
            return Ok(());
        };
        point[dim] += 1;
        point[dim + 1..].fill(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both ways to check agree where the form of a map tells that it is right; where it does not, points decide.
    #[test]
    fn digits_and_points_agree() {
        let row = || AffineExpr::Dim(0);
        let column = || AffineExpr::Dim(1);
        let lane = || {
            row()
                .modulo(8)
                .times(4)
                .plus(column().modulo(8).floor_div(2))
        };
        let register = || {
            let halves = row().modulo(16).floor_div(8).times(2);
            halves.plus(column().modulo(2))
        };
        let matrices = || {
            vec![
                row().floor_div(16),
                column().floor_div(8),
                lane(),
                register(),
            ]
        };
        let cases = [
            (matrices(), [40, 20], true),
            (matrices()[1..].to_vec(), [40, 20], false),
            (vec![row().times(24).plus(column())], [7, 20], true),
            (vec![row().times(24).plus(column())], [7, 25], false),
            (vec![column(), row()], [1 << 40, 1 << 40], true),
            (
                vec![row().floor_div(4), column(), row().modulo(8)],
                [32, 3],
                false,
            ),
        ];
        for (results, shape, is_right) in cases {
            let map = AffineMap { dims: 2, results };
            assert_eq!(holds_digits(&map, &shape), is_right, "{map:?} {shape:?}");
            if shape[0] < 1 << 20 && is_right {
                assert!(check_points(&map, &shape).is_ok());
            }
        }
        // Points find what the form does not tell.
        let overlapping = AffineMap {
            dims: 2,
            results: vec![row().floor_div(4), column(), row().modulo(8)],
        };
        assert!(check(&overlapping, &[32, 3]).is_ok());
    }
}
