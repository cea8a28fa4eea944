//! `relayc explain`.

use crate::{DriverError, codes, output};

#[derive(clap::Args)]
pub struct Args {
    /// The code in the brackets of a message: R0104 of error[R0104]. By default, all codes are listed
    code: Option<String>,
}

impl Args {
    /// Prints the page of an error, or the titles of all.
    pub fn run(self) -> Result<(), DriverError> {
        let text = codes::explain(self.code.as_deref()).map_err(DriverError::Usage)?;
        output::print(text.as_bytes())
    }
}
