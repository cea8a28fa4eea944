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
        match &self.code {
            None => {
                let titles = codes::PAGES
                    .iter()
                    .map(|(code, _)| codes::title(code).unwrap_or(code));
                let titles: Vec<&str> = titles.collect();
                output::print(format!("{}\n", titles.join("\n")).as_bytes())
            }
            Some(code) => match codes::page(code) {
                Some(page) => output::print(page.as_bytes()),
                None => {
                    let reason = format!("there is no error '{code}'; relayc explain lists all");
                    Err(DriverError::Usage(reason))
                }
            },
        }
    }
}
