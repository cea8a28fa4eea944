//! A compiled model's file, read without loading it.
//!
//! The system's loader believes what a library says of itself: of a file that was cut short or damaged it reads and
//! writes at wrong addresses, which ends the process. So all tables that it goes by are checked here first
//! ([`headers`], [`dynamic`], [`symbols`], [`relocations`]), and so is what the model says of itself ([`about`]). What
//! no table speaks of cannot be checked: the code, and the values of constants.
//!
//! The same reader describes a model for people, on any machine.

mod about;
mod dynamic;
mod headers;
mod memory;
mod relocations;
mod symbols;

use crate::RuntimeError;
use object::{ReadCache, ReadRef, elf};
use std::{fs::File, path::Path};

pub use about::{About, ChipCode, Condition, Node};

/// What is wrong with a file.
#[derive(Debug)]
enum Fault {
    /// It is no library for any machine that models are made for.
    NoLibrary(String),
    /// It is a library, but no model of this version.
    NoModel(String),
    /// What it says of itself does not fit together.
    Damaged(String),
}

type Checked<T> = Result<T, Fault>;

/// A fault of a file that was changed or cut short.
fn damaged<T>(reason: impl Into<String>) -> Checked<T> {
    Err(Fault::Damaged(reason.into()))
}

/// The machines that libraries are made for: as files have them, and their names.
const MACHINES: &[(elf::Machine, &str)] =
    &[(elf::EM_X86_64, "x86_64"), (elf::EM_AARCH64, "aarch64")];

/// A compiled model's file.
#[derive(Clone, Debug)]
pub struct Image {
    /// What the model says of itself.
    pub about: About,
    /// The architecture that its code is for.
    pub architecture: &'static str,
    /// The bytes of its code.
    pub code_bytes: u64,
    /// The bytes of the file.
    pub file_bytes: u64,
}

impl Image {
    /// Reads and checks a model's file, for whatever machine it is. The constants are not read.
    ///
    /// # Errors
    /// If the file cannot be read, is no library, no model, one of another version, or damaged.
    pub fn read(path: &Path) -> Result<Self, RuntimeError> {
        let unreadable = |reason: String| RuntimeError::Load {
            path: path.into(),
            reason,
        };
        // A pipe has no size, and opening one would wait for its other end.
        let facts = std::fs::metadata(path).map_err(|error| unreadable(error.to_string()))?;
        if !facts.is_file() {
            let kind = if facts.is_dir() {
                "a folder"
            } else {
                "no regular file"
            };
            return Err(unreadable(format!("it is {kind}")));
        }
        let file = File::open(path).map_err(|error| unreadable(error.to_string()))?;
        let cache = ReadCache::new(file);
        Self::check(&cache).map_err(|fault| match fault {
            Fault::NoLibrary(reason) => unreadable(reason),
            Fault::NoModel(reason) => RuntimeError::NotAModel {
                path: path.into(),
                reason,
            },
            Fault::Damaged(reason) => RuntimeError::Damaged {
                path: path.into(),
                reason,
            },
        })
    }

    fn check<'d, R: ReadRef<'d>>(data: R) -> Checked<Self> {
        let headers = headers::read(data)?;
        let dynamic = dynamic::read(&headers)?;
        let symbols = symbols::read(&headers, &dynamic)?;
        // Other libraries have relocations that no model has, and are not damaged.
        about::find(&symbols)?;
        let pointers = relocations::read(&headers, &dynamic, &symbols)?;
        let memory = memory::Memory {
            headers: &headers,
            pointers,
        };
        Ok(Self {
            about: about::read(&memory, &symbols)?,
            architecture: headers.architecture,
            code_bytes: headers.code_bytes(),
            file_bytes: headers.length,
        })
    }

    /// Checks that the code is for this machine's architecture.
    pub(crate) fn is_for_this_machine(&self) -> Result<(), String> {
        if self.architecture == std::env::consts::ARCH {
            return Ok(());
        }
        Err(format!(
            "it is for {}, and this machine is {}",
            self.architecture,
            std::env::consts::ARCH
        ))
    }
}
