//! Which of a library's chips a GPU has.

/// What a driver says of a GPU's chip.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Chip {
    /// Nothing, as the emulator whose kernels are code for no chip.
    Unknown,
    /// NVIDIA's compute capability, times 10. Code runs on the chip that it is for and on later ones.
    Capability(u32),
    /// AMD's name, without its settings: `gfx90a`. Code runs on this chip alone.
    Name(String),
}

/// What NVIDIA's chips are called before their compute capability.
const CAPABILITY: &str = "sm_";

impl Chip {
    /// The chip of a compute capability; 0.0 stands for none.
    pub(super) fn of_capability(major: u32, minor: u32) -> Self {
        match 10 * major + minor {
            0 => Self::Unknown,
            capability => Self::Capability(capability),
        }
    }

    /// The chip of a name with its settings: `gfx90a:sramecc+:xnack-`.
    pub(super) fn of_name(text: &str) -> Self {
        match text.split(':').next().unwrap_or_default() {
            "" => Self::Unknown,
            name => Self::Name(name.into()),
        }
    }

    /// The place of the chip whose code runs best here, if there is one. Of several that run on NVIDIA's GPUs it is the newest.
    pub(super) fn choose(&self, chips: &[String]) -> Option<usize> {
        let places = chips.iter().enumerate();
        match self {
            Self::Unknown => (!chips.is_empty()).then_some(0),
            Self::Name(own) => places
                .clone()
                .find(|(_, chip)| *chip == own)
                .map(|(place, _)| place),
            Self::Capability(own) => {
                let known =
                    places.filter_map(|(place, chip)| Some((capability(chip, *own)?, place)));
                known.max().map(|(_, place)| place)
            }
        }
    }

    /// The chip's name.
    pub(super) fn name(&self) -> Option<String> {
        match self {
            Self::Unknown => None,
            Self::Capability(capability) => Some(format!("{CAPABILITY}{capability}")),
            Self::Name(name) => Some(name.clone()),
        }
    }
}

/// The compute capability of a chip whose code runs on GPUs of another one. Code for `sm_90a` runs on GPUs of 9.0 alone.
fn capability(chip: &str, own: u32) -> Option<u32> {
    let digits = chip.strip_prefix(CAPABILITY)?;
    let is_exact = digits.ends_with(|letter: char| letter.is_ascii_alphabetic());
    let digits = digits.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let capability: u32 = digits.parse().ok()?;
    let runs = if is_exact {
        capability == own
    } else {
        capability <= own
    };
    runs.then_some(capability)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(chip: &Chip, chips: &str) -> Option<String> {
        let chips: Vec<String> = chips.split_whitespace().map(str::to_owned).collect();
        chip.choose(&chips).map(|place| chips[place].clone())
    }

    #[test]
    fn nvidia_runs_the_newest_code_that_is_no_newer() {
        for (major, minor, best) in [
            (7, 0, None),
            (7, 5, Some("sm_75")),
            (8, 6, Some("sm_80")),
            (9, 0, Some("sm_90")),
            (10, 0, Some("sm_90")),
        ] {
            let chip = Chip::of_capability(major, minor);
            assert_eq!(chosen(&chip, "sm_90 sm_80 sm_75").as_deref(), best);
        }
        let blackwell = Chip::of_capability(12, 0);
        assert_eq!(chosen(&blackwell, "sm_90a sm_80").as_deref(), Some("sm_80"));
        let hopper = Chip::of_capability(9, 0);
        assert_eq!(chosen(&hopper, "sm_90a sm_80").as_deref(), Some("sm_90a"));
        assert_eq!(chosen(&hopper, "gfx942"), None);
    }

    #[test]
    fn amd_runs_code_for_its_chip_alone() {
        let chip = Chip::of_name("gfx90a:sramecc+:xnack-");
        assert_eq!(chosen(&chip, "gfx942 gfx90a").as_deref(), Some("gfx90a"));
        assert_eq!(chosen(&chip, "gfx942 gfx908"), None);
        assert_eq!(chip.name().as_deref(), Some("gfx90a"));
    }

    #[test]
    fn a_driver_that_names_no_chip_runs_the_first() {
        for chip in [Chip::of_name(""), Chip::of_capability(0, 0)] {
            assert_eq!(chosen(&chip, "sm_90 sm_80").as_deref(), Some("sm_90"));
            assert_eq!(chosen(&chip, ""), None);
        }
    }
}
