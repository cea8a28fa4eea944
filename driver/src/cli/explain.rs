//! `relayc explain`.

use crate::{DriverError, codes};

#[derive(clap::Args)]
pub struct Args {
    /// The code that stands in the brackets of a message: R0104 of error[R0104]. Without one, all codes are listed
    code: Option<String>,
}

impl Args {
    /// Prints the page of an error, or the titles of all.
    pub fn run(self) -> Result<(), DriverError> {
        match &self.code {
            None => {
                for (code, _) in codes::PAGES {
                    println!("{}", codes::title(code).unwrap_or(code));
                }
            }
            Some(code) => match codes::page(code) {
                Some(page) => print!("{page}"),
                None => {
                    let reason = format!("there is no error '{code}'; relayc explain lists all");
                    return Err(DriverError::Usage(reason));
                }
            },
        }
        Ok(())
    }
}
