//! Which axes of a stage are an axis of another description of the same computation. A layout may have an axis in two, of blocks and
//! of what is in one, and axes in another order.

/// More axes are not looked at.
const MOST_AXES: usize = 10;

/// For each axis of one description, by its extent, the axes of the other one of which it is made, the outermost first. Of several answers
/// the one that leaves fewest axes without any, and turns round fewest pairs. None if there is none.
pub fn groups(whole: &[i64], parts: &[i64]) -> Option<Vec<Vec<usize>>> {
    if parts.len() > MOST_AXES || whole.len() > MOST_AXES {
        return None;
    }
    let mut search = Search {
        parts,
        chosen: Vec::new(),
        best: None,
    };
    search.go_on(whole.to_vec());
    let (_, chosen) = search.best?;
    let of_axis = |axis: usize| {
        let parts = (0..parts.len()).filter(|part| chosen[*part] == axis);
        parts.collect()
    };
    Some((0..whole.len()).map(of_axis).collect())
}

struct Search<'a> {
    parts: &'a [i64],
    /// For the first parts, the axis that each belongs to.
    chosen: Vec<usize>,
    /// The best answer, and how bad it is.
    best: Option<((usize, usize), Vec<usize>)>,
}

impl Search<'_> {
    /// Chooses for the next part, `left` being what is missing of each axis.
    fn go_on(&mut self, left: Vec<i64>) {
        let Some(extent) = self.parts.get(self.chosen.len()).copied() else {
            if left.iter().all(|extent| *extent == 1) {
                self.keep(left.len());
            }
            return;
        };
        for axis in 0..left.len() {
            if left[axis] % extent == 0 {
                let mut left = left.clone();
                left[axis] /= extent;
                self.chosen.push(axis);
                self.go_on(left);
                self.chosen.pop();
            }
        }
    }

    fn keep(&mut self, axes: usize) {
        let empty = (0..axes).filter(|axis| !self.chosen.contains(axis)).count();
        let pairs = self.chosen.iter().enumerate();
        let turned = pairs.map(|(place, axis)| {
            let later = self.chosen[place..].iter();
            later.filter(|other| *other < axis).count()
        });
        let badness = (empty, turned.sum());
        if self.best.as_ref().is_none_or(|(known, _)| badness < *known) {
            self.best = Some((badness, self.chosen.clone()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::groups;

    #[test]
    fn axes_are_found_in_other_layouts() {
        assert_eq!(
            groups(&[512, 512], &[512, 512]),
            Some(vec![vec![0], vec![1]])
        );
        // NCHW and NHWC, in blocks of channels.
        let packed = [1, 4, 14, 14, 16];
        let planar = [vec![0], vec![1, 4], vec![2], vec![3]];
        assert_eq!(groups(&[1, 64, 14, 14], &packed), Some(planar.to_vec()));
        let last = [vec![0], vec![2], vec![3], vec![1, 4]];
        assert_eq!(groups(&[1, 14, 14, 64], &packed), Some(last.to_vec()));
        // An axis of one element may be missing.
        assert_eq!(
            groups(&[1, 7, 8], &[7, 8]),
            Some(vec![vec![], vec![0], vec![1]])
        );
        assert_eq!(groups(&[7, 8], &[7, 9]), None);
        assert_eq!(groups(&[], &[]), Some(vec![]));
    }
}
