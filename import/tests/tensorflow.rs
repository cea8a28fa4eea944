//! Damaged models of TensorFlow end in errors, whatever is wrong with them.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on says where")]

use proptest::prelude::*;
use relay_import::{graph::options::Options, model::Model, source::Source, tensorflow::Tensorflow};
use std::{
    fs,
    path::{Path, PathBuf},
};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../test/tensorflow/programs");

/// What is said of a model when it is imported; nothing if all is right.
fn said(path: &Path, bytes: Vec<u8>) -> String {
    let source = Source {
        path: path.into(),
        bytes: bytes.into(),
        folder: path.parent().map(Into::into),
        data_root: None,
        choice: Default::default(),
    };
    let model = match Tensorflow::read(source) {
        Ok(model) => model,
        Err(error) => return error.to_string(),
    };
    model.inspect();
    let context = relay_dialects::context();
    let imported = model.import(&context, &Options::default());
    imported.map_or_else(|error| error.to_string(), |_| String::new())
}

fn program(name: &str) -> PathBuf {
    Path::new(FOLDER).join(name)
}

/// The files of a folder.
const FILES: [&str; 3] = [
    "saved_model.pb",
    "variables/variables.index",
    "variables/variables.data-00000-of-00001",
];

/// What is said of a folder in which a file is changed.
fn said_of_folder(name: &str, file: &str, change: impl FnOnce(&mut Vec<u8>)) -> String {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("variables")).unwrap();
    for file in FILES {
        fs::copy(program(name).join(file), folder.path().join(file)).unwrap();
    }
    let changed = folder.path().join(file);
    let mut bytes = fs::read(&changed).unwrap();
    change(&mut bytes);
    fs::write(changed, bytes).unwrap();
    let path = folder.path().join(FILES[0]);
    let bytes = fs::read(&path).unwrap();
    said(&path, bytes)
}

#[test]
fn whole_models_are_imported() {
    for file in FILES {
        assert_eq!(said_of_folder("module", file, |_| ()), "");
    }
}

#[test]
fn files_end_where_they_end() {
    for file in &FILES[1..] {
        let whole = fs::read(program("module").join(file)).unwrap().len();
        // Behind the variables, the data have a description that nothing reads.
        let ends = match file.contains("data-") {
            true => vec![0, 1],
            false => vec![0, 1, whole / 2, whole - 1],
        };
        for end in ends {
            let error = said_of_folder("module", file, |bytes| bytes.truncate(end));
            assert!(!error.is_empty(), "{file} until {end}");
        }
    }
    let graph = program("unary.pb");
    let bytes = fs::read(&graph).unwrap();
    for end in [1, bytes.len() / 2, bytes.len() - 1] {
        assert!(
            !said(&graph, bytes[..end].to_vec()).is_empty(),
            "until {end}"
        );
    }
}

#[test]
fn texts_are_no_models() {
    assert!(said(Path::new("model.pb"), b"node { name: 'x' }".to_vec()).contains("model.pb"));
    assert!(said(Path::new("saved_model.pb"), Vec::new()).contains("holds no graph"));
}

fn changed(bytes: &mut [u8], changes: &[(usize, u8)]) {
    for (at, byte) in changes {
        let at = at % bytes.len();
        bytes[at] = *byte;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn changed_graphs_do_not_panic(
        name in prop::sample::select(vec!["binary.pb", "shapes.pb", "selections.pb", "lowered.pb"]),
        changes in prop::collection::vec((any::<usize>(), any::<u8>()), 1..6),
    ) {
        let path = program(name);
        let mut bytes = fs::read(&path).unwrap();
        changed(&mut bytes, &changes);
        said(&path, bytes);
    }

    #[test]
    fn changed_folders_do_not_panic(
        name in prop::sample::select(vec!["module", "recurrent"]),
        file in prop::sample::select(FILES.to_vec()),
        changes in prop::collection::vec((any::<usize>(), any::<u8>()), 1..6),
    ) {
        said_of_folder(name, file, |bytes| changed(bytes, &changes));
    }
}
