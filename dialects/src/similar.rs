//! What was probably meant by a name that nobody knows.

/// The longest name that is compared with others: files hold names of any length.
const LONGEST: usize = 100;

/// `; did you mean 'padding'?`, for the end of a message that says that a name is not known. Empty if no known name is like
/// it: one letter in three may differ, and the part before the last point may be left out.
pub fn suggestion<'n>(unknown: &str, known: impl IntoIterator<Item = &'n str>) -> String {
    if unknown.len() > LONGEST {
        return String::new();
    }
    let distance = |name: &str| {
        let without_prefix = name.rsplit('.').next().filter(|last| *last == unknown);
        match without_prefix {
            Some(_) => 1,
            None => strsim::damerau_levenshtein(unknown, name),
        }
    };
    let near = known.into_iter().map(|name| (distance(name), name));
    let near = near.filter(|(distance, _)| *distance <= (unknown.len() / 3).max(1));
    match near.min() {
        Some((_, name)) => format!("; did you mean '{name}'?"),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_suggested_if_one_is_near() {
        let known = ["padding", "strides", "axis", "nn.relu", "nn.prelu"];
        let of = |unknown: &str| suggestion(unknown, known);
        assert_eq!(of("pading"), "; did you mean 'padding'?");
        assert_eq!(of("stirdes"), "; did you mean 'strides'?");
        assert_eq!(of("axes"), "; did you mean 'axis'?");
        assert_eq!(of("relu"), "; did you mean 'nn.relu'?");
        assert_eq!(of("dilation"), "");
        assert_eq!(of(&"padding".repeat(1000)), "");
    }
}
