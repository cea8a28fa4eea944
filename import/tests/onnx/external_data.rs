//! Weights in files beside the model, and nowhere else.

use crate::support::*;
use prost::Message;
use relay_import::{
    graph::options::Options,
    model::Model,
    onnx::{Onnx, proto},
    source::Source,
};
use std::{fs, path::Path};

fn entry(key: &str, value: &str) -> proto::StringPair {
    proto::StringPair {
        key: key.into(),
        value: value.into(),
    }
}

/// Writes and imports `y = x + w`, with `w` in external data.
fn import_in(folder: &Path, entries: Vec<proto::StringPair>) -> Result<String, String> {
    import_below(folder, entries, None)
}

/// As [`import_in`], with links allowed to what is below `root`.
fn import_below(
    folder: &Path,
    entries: Vec<proto::StringPair>,
    root: Option<&Path>,
) -> Result<String, String> {
    let mut graph = relu_graph();
    graph.node = vec![node("Add", &["x", "w"], &["y"])];
    let mut tensor = floats("w", &[4], &[]);
    tensor.data_location = 1;
    tensor.external_data = entries;
    graph.initializer = vec![tensor];
    let path = folder.join("m.onnx");
    fs::write(&path, model(13, graph).encode_to_vec()).unwrap();
    let context = relay_dialects::context();
    let source = Source::open(&path, root).map_err(|error| error.to_string())?;
    let onnx = Onnx::read(source).map_err(|error| error.to_string())?;
    let module = onnx
        .import(&context, &Options::default())
        .map_err(|error| error.to_string())?;
    Ok(relay_dialects::ir::Op::of_module(&module).to_text(false))
}

fn weights() -> Vec<u8> {
    [9.0f32, 1.0, 2.0, 3.0, 4.0]
        .iter()
        .flat_map(|x| x.to_le_bytes())
        .collect()
}

#[test]
fn is_read_from_the_models_folder() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("w.bin"), weights()).unwrap();
    let entries = vec![
        entry("location", "w.bin"),
        entry("offset", "4"),
        entry("length", "16"),
    ];
    let text = import_in(folder.path(), entries).unwrap();
    assert!(
        text.contains("1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00"),
        "{text}"
    );
}

#[test]
fn stays_in_the_folder() {
    let outside = tempfile::tempdir().unwrap();
    let secret = outside.path().join("w.bin");
    fs::write(&secret, weights()).unwrap();
    let folder = outside.path().join("model");
    fs::create_dir(&folder).unwrap();
    std::os::unix::fs::symlink(&secret, folder.join("link.bin")).unwrap();
    for (location, expected) in [
        ("../w.bin", "is not below the model's folder"),
        (secret.to_str().unwrap(), "is not below the model's folder"),
        ("link.bin", "leaves the model's folder through a link"),
        ("none.bin", "cannot read external data 'none.bin'"),
        (".", "cannot read external data"),
    ] {
        let message = import_in(&folder, vec![entry("location", location)]).unwrap_err();
        assert!(message.contains(expected), "{location}: {message}");
    }
}

#[test]
fn stays_in_the_file() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("w.bin"), weights()).unwrap();
    for (offset, length, expected) in [
        ("8", "16", "beyond the end of 'w.bin' (20 bytes)"),
        ("18446744073709551615", "16", "beyond the end"),
        ("0", "18446744073709551615", "beyond the end"),
        (
            "-4",
            "16",
            "offset '-4' of its external data is not a number",
        ),
        ("0", "20", "asks for 16 bytes, the tensor holds 20"),
    ] {
        let entries = vec![
            entry("location", "w.bin"),
            entry("offset", offset),
            entry("length", length),
        ];
        let message = import_in(folder.path(), entries).unwrap_err();
        assert!(message.contains(expected), "{offset}: {message}");
    }
}

/// To open a pipe waits for a writer: forever.
#[test]
fn is_not_read_from_a_pipe() {
    let folder = tempfile::tempdir().unwrap();
    let made = std::process::Command::new("mkfifo")
        .arg(folder.path().join("w.bin"))
        .status();
    assert!(made.unwrap().success());
    let (sender, receiver) = std::sync::mpsc::channel();
    let path = folder.path().to_path_buf();
    std::thread::spawn(move || sender.send(import_in(&path, vec![entry("location", "w.bin")])));
    let result = receiver.recv_timeout(std::time::Duration::from_secs(20));
    let message = result.expect("the import ends").unwrap_err();
    assert!(message.contains("not a regular file"), "{message}");
}

/// A model hub's cache has a folder of links for each version of a model, to files that are named after their content.
#[test]
fn a_hubs_links_are_followed_below_a_root() {
    let hub = tempfile::tempdir().unwrap();
    let (blobs, snapshot) = (hub.path().join("blobs"), hub.path().join("snapshots/1"));
    fs::create_dir(&blobs).unwrap();
    fs::create_dir_all(&snapshot).unwrap();
    fs::write(blobs.join("0d4f"), &weights()[..16]).unwrap();
    std::os::unix::fs::symlink("../../blobs/0d4f", snapshot.join("w.bin")).unwrap();
    let entries = || vec![entry("location", "w.bin")];
    let from = |root: &Path| import_below(&snapshot, entries(), Some(root));
    for root in [hub.path(), &blobs] {
        let text = from(root).unwrap();
        assert!(text.contains("9.000000e+00, 1.000000e+00"), "{text}");
    }
    let refused = [
        (
            import_in(&snapshot, entries()),
            "name a folder above that as the data root",
        ),
        (
            from(&hub.path().join("snapshots")),
            "leaves the model's folder through a link",
        ),
        (
            from(&hub.path().join("none")),
            "none': No such file or directory",
        ),
        (
            import_below(
                &snapshot,
                vec![entry("location", "../../blobs/0d4f")],
                Some(hub.path()),
            ),
            "is not below the model's folder",
        ),
    ];
    for (result, expected) in refused {
        let message = result.unwrap_err();
        assert!(message.contains(expected), "{message}");
    }
    // Neither devices nor folders hold weights.
    std::os::unix::fs::symlink("/dev/zero", snapshot.join("zero")).unwrap();
    let message = import_below(
        &snapshot,
        vec![entry("location", "zero")],
        Some(Path::new("/")),
    );
    let message = message.unwrap_err();
    assert!(message.contains("not a regular file"), "{message}");
}
