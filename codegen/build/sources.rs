//! Digests of the sources that machine code depends on. They name the compiler in the keys of its cache, so that
//! an edit elsewhere, or building the same sources again, keeps what is in the cache.

use sha2::{Digest, Sha256};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// The sources that turn a kernel of loops over buffers into an object. `passes` has the order of the passes.
const KERNEL: &[&str] = &[
    "../dialects/build",
    "../dialects/cpp",
    "../dialects/src",
    "../dialects/td",
    "../loops/src",
    "../machine/src",
    "../passes/src/pipeline",
    "build",
    "src",
];

/// The sources that turn a model into a library, beside those in [`KERNEL`].
const LIBRARY: &[&str] = &[
    "../machine/machines",
    "../passes/rules",
    "../passes/src",
    "../runtime/src",
    "../topi/src",
    "../tune/src",
];

/// The packages of others that translate to machine code.
const TRANSLATORS: &[&str] = &["inkwell", "llvm-sys", "melior", "mlir-sys"];

/// Hands the digests to the crate as environment variables.
pub fn digest_sources() -> Result<(), String> {
    let lock = read(Path::new("../Cargo.lock"))?;
    let versions = versions(&String::from_utf8_lossy(&lock));
    let kernel = digest(&versions, KERNEL)?;
    println!("cargo:rustc-env=RELAY_KERNEL_SOURCES={kernel}");
    println!(
        "cargo:rustc-env=RELAY_LIBRARY_SOURCES={}",
        digest(&kernel, LIBRARY)?
    );
    Ok(())
}

/// The entries of a lock file for [`TRANSLATORS`].
fn versions(lock: &str) -> String {
    let entries = lock.split("[[package]]");
    let is_ours = |entry: &&str| {
        let mut names = TRANSLATORS
            .iter()
            .map(|name| format!("name = \"{name}\"\n"));
        names.any(|name| entry.contains(&name))
    };
    entries.filter(is_ours).collect()
}

/// The digest of a text, and of the names and contents of all files in some folders.
fn digest(text: &str, folders: &[&str]) -> Result<String, String> {
    let mut digest = Sha256::new();
    let mut add = |bytes: &[u8]| {
        digest.update((bytes.len() as u64).to_le_bytes());
        digest.update(bytes);
    };
    add(text.as_bytes());
    for folder in folders {
        println!("cargo:rerun-if-changed={folder}");
        for file in files(Path::new(folder))? {
            add(file.to_string_lossy().as_bytes());
            add(&read(&file)?);
        }
    }
    let bytes = digest.finalize();
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// All files below a folder, in order.
fn files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let fail = |error: std::io::Error| format!("{}: {error}", folder.display());
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(fail)? {
        let path = entry.map_err(fail)?.path();
        if path.is_dir() {
            found.extend(files(&path)?);
        } else {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

fn read(file: &Path) -> Result<Vec<u8>, String> {
    fs::read(file).map_err(|error| format!("{}: {error}", file.display()))
}
