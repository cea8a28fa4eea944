//! Models for GPUs. `gpu-emulator/tests` runs some.

use crate::support::{self, Options};
use relay_runtime::Model;
use std::{fs, path::Path};

/// Whether a library has the code of devices.
fn has_driver(library: &Path) -> bool {
    let bytes = fs::read(library).unwrap();
    let name = b"cuLaunchKernel";
    bytes.windows(name.len()).any(|bytes| bytes == name)
}

#[test]
fn a_model_says_the_kind_of_its_device() {
    let folder = support::folder();
    let path = support::device_model(folder.path(), true);
    assert_eq!(Model::load(&path).unwrap().device(), Some("cuda"));
    assert!(has_driver(&path));
}

#[test]
fn a_device_without_a_name_is_damage() {
    let folder = support::folder();
    let path = support::device_model(folder.path(), false);
    let reason = Model::load(&path).unwrap_err().to_string();
    assert!(
        reason.contains("it opens a device that has no name"),
        "{reason}"
    );
}

#[test]
fn a_model_for_processors_has_no_code_of_devices() {
    let folder = support::folder();
    let path = support::model(folder.path(), &Options::default());
    assert_eq!(Model::load(&path).unwrap().device(), None);
    assert!(!has_driver(&path));
}
