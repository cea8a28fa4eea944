//! Models for GPUs. `gpu-emulator/tests` runs some.

use crate::support::{self, Options};
use relay_runtime::{Model, image::Image};
use std::{fs, path::Path};

/// Which drivers a library has the names of.
fn drivers(library: &Path) -> Vec<&'static str> {
    let bytes = fs::read(library).unwrap();
    let has = |name: &[u8]| bytes.windows(name.len()).any(|bytes| bytes == name);
    let drivers = [
        ("cuda", "cuLaunchKernel"),
        ("rocm", "hipModuleLaunchKernel"),
    ];
    let drivers = drivers.into_iter();
    drivers
        .filter(|(_, function)| has(function.as_bytes()))
        .map(|(driver, _)| driver)
        .collect()
}

#[test]
fn a_model_says_the_kind_of_its_device() {
    let folder = support::folder();
    for (kind, variant) in [("cuda", None), ("rocm", Some("ROCM"))] {
        let path = support::device_model(folder.path(), variant);
        assert_eq!(Model::load(&path).unwrap().device(), Some(kind));
        assert_eq!(drivers(&path), [kind]);
    }
}

#[test]
fn a_file_says_the_chips_that_it_has_code_for() {
    let folder = support::folder();
    let path = support::device_model(folder.path(), None);
    let codes = Image::read(&path).unwrap().about.codes.into_iter();
    let codes: Vec<_> = codes
        .map(|code| (code.chip, code.images, code.bytes))
        .collect();
    assert_eq!(codes, [("sm_90".into(), 1, 4), ("sm_80".into(), 0, 0)]);
}

#[test]
fn what_a_device_lacks_is_damage() {
    let cases = [
        ("UNNAMED", "it opens a device that has no name"),
        ("CODES=0", "it opens a device, and has code for no chip"),
        (
            "IMAGE=123456789",
            "there are no 123456789 bytes of an image at",
        ),
    ];
    for (variant, expected) in cases {
        let folder = support::folder();
        let path = support::device_model(folder.path(), Some(variant));
        let reason = Model::load(&path).unwrap_err().to_string();
        assert!(reason.contains(expected), "{reason}");
    }
}

#[test]
fn a_model_for_processors_has_no_code_of_devices() {
    let folder = support::folder();
    let path = support::model(folder.path(), &Options::default());
    assert_eq!(Model::load(&path).unwrap().device(), None);
    assert!(drivers(&path).is_empty());
}
