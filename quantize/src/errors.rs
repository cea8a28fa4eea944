//! The error of a tensor.

/// How far a tensor is from the exact one, summed up over its parts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Errors {
    signal: f64,
    noise: f64,
}

impl Errors {
    /// Adds a part of the tensor, and the same part of the exact one.
    pub fn add(&mut self, found: &[f32], exact: &[f32]) {
        for (found, exact) in found.iter().zip(exact) {
            let (found, exact) = (f64::from(*found), f64::from(*exact));
            self.signal += exact * exact;
            self.noise += (found - exact) * (found - exact);
        }
    }

    /// The norm of the error / the norm of the exact tensor.
    pub fn relative(&self) -> f64 {
        match (self.noise == 0.0, self.signal == 0.0) {
            (true, _) => 0.0,
            (false, true) => f64::INFINITY,
            (false, false) => (self.noise / self.signal).sqrt(),
        }
    }

    /// The ratio of signal to quantisation noise in decibels; infinite if there is no error.
    pub fn sqnr(&self) -> f64 {
        -20.0 * self.relative().log10()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tenth_is_twenty_decibels() {
        let mut errors = Errors::default();
        errors.add(&[1.1], &[1.0]);
        errors.add(&[-0.9], &[-1.0]);
        assert!((errors.relative() - 0.1).abs() < 1e-6);
        assert!((errors.sqnr() - 20.0).abs() < 1e-4);
        assert_eq!(Errors::default().sqnr(), f64::INFINITY);
    }
}
