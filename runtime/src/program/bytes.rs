//! Programs as bytes, which a library holds.
//!
//! There is a mark, the version of the format, and then the parts of a [`Program`] in their order, as postcard writes them:
//! numbers in as few bytes as they need, lists after their lengths. Where TVM's executable differs by its host, this is the
//! same everywhere.

use super::{Program, check::check};

/// What the bytes begin with.
pub const MAGIC: [u8; 8] = *b"\x7fRELAYVM";

/// The version of the format. It changes with [`Program`] and [`Instruction`](super::Instruction).
pub const VERSION: u32 = 1;

/// The bytes of a program.
///
/// # Errors
/// If there is no memory for them.
pub fn write(program: &Program) -> Result<Vec<u8>, String> {
    let mut bytes = [MAGIC.as_slice(), &VERSION.to_le_bytes()].concat();
    let body = postcard::to_allocvec(program).map_err(|error| error.to_string())?;
    bytes.extend(body);
    Ok(bytes)
}

/// The program that bytes hold. It is checked: whatever it does, it reads and writes no memory but its own.
///
/// # Errors
/// If they are of another format or version, end too early or too late, or the program is wrong in itself.
pub fn read(bytes: &[u8]) -> Result<Program, String> {
    let rest = bytes.strip_prefix(&MAGIC).ok_or("it is no bytecode")?;
    let (version, body) = rest
        .split_first_chunk()
        .ok_or("the bytecode ends too early")?;
    let version = u32::from_le_bytes(*version);
    if version != VERSION {
        return Err(format!(
            "the bytecode is of version {version}, and this runtime reads version {VERSION}"
        ));
    }
    let (program, rest): (Program, &[u8]) = postcard::take_from_bytes(body)
        .map_err(|error| format!("the bytecode is damaged: {error}"))?;
    if !rest.is_empty() {
        return Err(format!("{} bytes follow the bytecode", rest.len()));
    }
    check(&program)?;
    Ok(program)
}
