//! Code generators of others: shared libraries with the interface of `relay_codegen.h`.

use super::{ExternalCodegen, Generated, Library as Needed, graph::Function};
use crate::{CodegenError, Target, files::TemporaryFolder};
use libloading::Library;
use std::{
    ffi::{CStr, CString, c_char, c_int, c_void},
    fs,
    path::{Path, PathBuf},
};

/// The version of the interface that this is written for.
const VERSION: u32 = 1;

/// The function that a library exports.
const ENTRY: &[u8] = b"relay_codegen";

type Put = unsafe extern "C" fn(*mut c_void, c_int, *const c_char, usize);

/// `struct relay_codegen`.
#[repr(C)]
#[derive(Clone, Copy)]
struct Description {
    version: u32,
    name: *const c_char,
    rules: *const c_char,
    generate: Option<unsafe extern "C" fn(*const c_char, *const c_char, *mut c_void, Put) -> c_int>,
}

/// A generator in a library. The library stays for as long as the process lives.
#[derive(Debug)]
pub struct Plugin {
    path: PathBuf,
    name: String,
    rules: PathBuf,
    generate: unsafe extern "C" fn(*const c_char, *const c_char, *mut c_void, Put) -> c_int,
    /// Where the rules are.
    _folder: TemporaryFolder,
}

impl Plugin {
    /// Loads a library.
    ///
    /// # Errors
    /// If it cannot be loaded, or is no generator of this version of the interface.
    pub fn load(path: &Path) -> Result<Self, CodegenError> {
        let wrong = |reason: &str| CodegenError::External(format!("{}: {reason}", path.display()));
        let whole = path
            .canonicalize()
            .map_err(|error| wrong(&error.to_string()))?;
        // SAFETY: loading runs the library's initialisers. Who names it trusts it.
        let library = unsafe { Library::new(&whole) }.map_err(|error| wrong(&error.to_string()))?;
        // It is never unloaded: what it describes is in it.
        let library: &'static Library = Box::leak(Box::new(library));
        // SAFETY: the interface defines what the function of this name is.
        let entry = unsafe { library.get::<unsafe extern "C" fn() -> *const Description>(ENTRY) };
        let entry = entry
            .map_err(|_| wrong("is no code generator: it exports no function relay_codegen"))?;
        // SAFETY: the function takes nothing; what it returns is checked.
        let description = unsafe { entry().as_ref() };
        let description = description.ok_or_else(|| wrong("describes no code generator"))?;
        if description.version != VERSION {
            return Err(wrong(&format!(
                "is made for version {} of the interface, and relayc has {VERSION}; build it with this relay_codegen.h",
                description.version
            )));
        }
        // SAFETY: the interface says that both are C strings, or null, that stay.
        let [name, rules] = [description.name, description.rules].map(|text| unsafe { own(text) });
        let name = name.filter(|name| is_name(name));
        let name = name.ok_or_else(|| wrong("has no name of letters, digits and _"))?;
        let rules = rules.ok_or_else(|| wrong("has no rules of what it takes"))?;
        let generate = description
            .generate
            .ok_or_else(|| wrong("has no function generate"))?;
        let folder = TemporaryFolder::new().map_err(|error| wrong(&error.to_string()))?;
        let file = folder.path().join(format!("{name}.pat"));
        fs::write(&file, rules).map_err(|error| wrong(&error.to_string()))?;
        Ok(Self {
            path: whole,
            name,
            rules: file,
            generate,
            _folder: folder,
        })
    }
}

impl ExternalCodegen for Plugin {
    fn name(&self) -> &str {
        &self.name
    }

    fn rules(&self) -> String {
        format!("rules={}", self.rules.display())
    }

    fn library(&self) -> Option<&Path> {
        Some(&self.path)
    }

    fn generate(&self, functions: &[Function], target: &Target) -> Result<Generated, CodegenError> {
        let wrong = |reason: &str| {
            CodegenError::External(format!(
                "'{}' of {}: {reason}",
                self.name,
                self.path.display()
            ))
        };
        let text = serde_json::to_string(functions).map_err(|error| wrong(&error.to_string()))?;
        let text = CString::new(text).map_err(|error| wrong(&error.to_string()))?;
        let cpu = CString::new(target.cpu.as_str()).map_err(|error| wrong(&error.to_string()))?;
        let mut given: Vec<(c_int, Vec<u8>)> = Vec::new();
        let state: *mut Vec<(c_int, Vec<u8>)> = &mut given;
        // SAFETY: the interface says what the function is; both texts end with a NUL and outlive the call, and `put` gets
        // its state, which nothing else touches meanwhile.
        let status = unsafe { (self.generate)(text.as_ptr(), cpu.as_ptr(), state.cast(), put) };
        let mut generated = Generated::default();
        let mut errors = Vec::new();
        for (kind, bytes) in given {
            let text = || String::from_utf8_lossy(&bytes).into_owned();
            match kind {
                0 => generated.sources.push(text()),
                1 => generated.objects.push(bytes),
                2 => generated.libraries.push(Needed {
                    name: text(),
                    remedy: format!("the code generator '{}' needs it: install it", self.name),
                }),
                3 => errors.push(text()),
                kind => {
                    return Err(wrong(&format!(
                        "hands over something of kind {kind}, which there is not"
                    )));
                }
            }
        }
        match (status, errors.is_empty()) {
            (0, true) => Ok(generated),
            (_, false) => Err(wrong(&errors.join("; "))),
            (status, true) => Err(wrong(&format!(
                "fails with status {status}, and does not say why"
            ))),
        }
    }
}

/// Keeps what a generator hands over.
///
/// # Safety
/// `state` is what `generate` was given, `bytes` points to `count` bytes.
unsafe extern "C" fn put(state: *mut c_void, kind: c_int, bytes: *const c_char, count: usize) {
    // SAFETY: by the contract above, `state` is the list in the caller, which does not touch it meanwhile.
    let Some(given) = (unsafe { state.cast::<Vec<(c_int, Vec<u8>)>>().as_mut() }) else {
        return;
    };
    let bytes = match bytes.is_null() || count == 0 {
        true => &[],
        // SAFETY: by the contract above, there are `count` bytes.
        false => unsafe { std::slice::from_raw_parts(bytes.cast::<u8>(), count) },
    };
    given.push((kind, bytes.to_vec()));
}

/// A copy of a C string; `None` for null.
///
/// # Safety
/// `text` is null or points to a C string.
unsafe fn own(text: *const c_char) -> Option<String> {
    // SAFETY: by the contract above.
    let text = (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) });
    text.map(|text| text.to_string_lossy().into_owned())
}

fn is_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text
            .chars()
            .all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}
