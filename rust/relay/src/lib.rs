//! Models that relayc has compiled, in Rust programs.
//!
//! ```no_run
//! # fn main() -> Result<(), relay::Error> {
//! let model = relay::load("digits.so".as_ref())?;
//! let mut session = relay::Session::new(&model, 2)?;
//! let image = relay::ndarray::Array4::<f32>::zeros((1, 1, 8, 8));
//! let outputs = session.run(&[("image", (&image).into())])?;
//! println!("{}", outputs.array::<f32>("probabilities")?);
//! # Ok(())
//! # }
//! ```
//!
//! A [`Model`] may be shared by threads and cloned; a [`Session`] may move between threads, and is used by one at a time;
//! [`Shared`] runs calls of many threads. The crate `relay-build` compiles a model in a build script and writes
//! a module in which its inputs and outputs are the parameters and results of a function.

mod input;
mod scalar;
mod session;
mod shared;

pub use half;
pub use input::Input;
pub use ndarray;
pub use relay_runtime::{
    DType, Model, NodeTime, Port, RuntimeError as Error, Symbol, Tensor, dlpack,
};
pub use scalar::Scalar;
pub use session::{Outputs, Session};
pub use shared::Shared;

use std::{io::Write as _, path::Path};

/// Loads a compiled model. Its constants are mapped, not read.
///
/// # Errors
/// If the file is no library, no model, or one of another version.
pub fn load(path: &Path) -> Result<Model, Error> {
    Model::load(path)
}

/// Loads a compiled model that is in memory, such as one that the program has inside. It goes by way of a temporary file,
/// because the system loads libraries from files only.
///
/// # Errors
/// As [`load`], and if there is no place for temporary files.
pub fn load_bytes(library: &[u8]) -> Result<Model, Error> {
    let folder = std::env::temp_dir();
    let failed = |error: std::io::Error| Error::Load {
        path: folder.clone(),
        reason: format!("a temporary file: {error}"),
    };
    let mut file = tempfile::NamedTempFile::new_in(&folder).map_err(failed)?;
    file.write_all(library).map_err(failed)?;
    // What is mapped stays when the file goes.
    Model::load(file.path())
}

/// Brings in the module that relay-build has written for the model of this name.
#[macro_export]
macro_rules! include_model {
    ($name:literal) => {
        include!(concat!(env!("OUT_DIR"), "/", $name, ".rs"));
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_say_what_threads_may_share() {
        fn shared<T: Send + Sync>() {}
        fn moved<T: Send>() {}
        shared::<Model>();
        shared::<Shared>();
        shared::<Tensor>();
        shared::<Outputs>();
        shared::<Error>();
        moved::<Session>();
    }

    #[test]
    fn what_is_no_library_is_refused() {
        let error = load_bytes(b"no library")
            .map(|_| ())
            .map_err(|error| error.to_string());
        assert!(error.is_err_and(|text| text.contains("cannot load")));
    }
}
