//! `relayc run --prompt`.

use super::log::Voice;
use crate::{
    DriverError,
    compile::CompileOptions,
    frontend::Unsaid,
    generate::{self, Request, Sampling, Speed, Tokenizer},
    run,
};
use relay_import::{
    gguf::{Gguf, Vocabulary},
    source::Source,
};
use std::{
    io::{self, IsTerminal, Write},
    path::{Path, PathBuf},
    time::Duration,
};

#[derive(clap::Args)]
pub struct GenerateArgs {
    /// The text that a language model (.gguf) continues. What it writes is printed as it comes. The text is read as it is:
    /// relayc runs no chat template, so write a model's marks of turns into the text yourself
    #[arg(long, value_name = "TEXT", conflicts_with_all = ["inputs", "outputs", "print_time", "json", "dump", "watch", "executor"])]
    prompt: Option<String>,
    /// The most tokens to write; the model may end earlier
    #[arg(long, default_value_t = 256, requires = "prompt")]
    tokens: usize,
    /// Choose tokens at random, by logits divided by this; 0 takes the likeliest one
    #[arg(long, value_name = "T", default_value_t = 0.0, requires = "prompt", value_parser = parse_temperature)]
    temperature: f64,
    /// Choose one of the K likeliest tokens; 0 for all
    #[arg(long, value_name = "K", default_value_t = 0, requires = "temperature")]
    top_k: usize,
    /// Choose one of the likeliest tokens that have this probability together
    #[arg(long, value_name = "P", default_value_t = 1.0, requires = "temperature", value_parser = parse_probability)]
    top_p: f64,
    /// The .gguf file with the vocabulary of a compiled model (.so)
    #[arg(long, value_name = "FILE", requires = "prompt")]
    vocabulary: Option<PathBuf>,
}

fn parse_temperature(text: &str) -> Result<f64, String> {
    let number = text.parse().ok();
    let number = number.filter(|number: &f64| number.is_finite() && *number >= 0.0);
    number.ok_or_else(|| "expected a number from 0 on".into())
}

fn parse_probability(text: &str) -> Result<f64, String> {
    let number = text.parse().ok();
    let number = number.filter(|number: &f64| (0.0..=1.0).contains(number));
    number.ok_or_else(|| "expected a number from 0 to 1".into())
}

impl GenerateArgs {
    /// Whether text is to be written.
    pub fn is_wanted(&self) -> bool {
        self.prompt.is_some()
    }

    /// Compiles a model, if it is not compiled, and prints what it writes.
    pub fn run(
        &self,
        model: &Path,
        mut options: CompileOptions,
        (threads, seed, voice): (usize, u64, Voice),
    ) -> Result<(), DriverError> {
        let file = self.vocabulary_file(model)?;
        let source = Source::open(file, None)?;
        let vocabulary = Vocabulary::read(&source)?;
        let context = Gguf::read(source)?.context();
        let wrong = |reason| DriverError::Model {
            path: file.into(),
            reason,
        };
        let tokenizer = Tokenizer::of(&vocabulary).map_err(wrong)?;
        options.reading.unsaid = Unsaid::Open;
        let library = run::load_or_compile(model, &options)?;
        let mut session = library.instance(threads)?;
        let request = Request {
            prompt: self.prompt.as_deref().unwrap_or_default(),
            tokens: self.tokens,
            context: context.and_then(|context| usize::try_from(context).ok()),
            sampling: Sampling {
                temperature: self.temperature,
                top_k: self.top_k,
                top_p: self.top_p,
            },
            seed,
        };
        let mut output = Output {
            is_terminal: io::stdout().is_terminal(),
        };
        let work = (&tokenizer, request);
        let speed = generate::generate(&library, &mut session, work, &mut output)?;
        output
            .write_all(b"\n")
            .map_err(DriverError::io("standard output"))?;
        voice.say(shown(speed));
        Ok(())
    }

    /// The file that has the vocabulary.
    fn vocabulary_file<'p>(&'p self, model: &'p Path) -> Result<&'p Path, DriverError> {
        match &self.vocabulary {
            Some(file) => Ok(file),
            None if run::is_library(model) => Err(DriverError::Usage(format!(
                "{} has no vocabulary; name the file that it was compiled of: --vocabulary MODEL.gguf",
                model.display()
            ))),
            None => Ok(model),
        }
    }
}

/// The standard output. A terminal gets no letters that change more than what is shown.
struct Output {
    is_terminal: bool,
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut output = io::stdout().lock();
        if !self.is_terminal {
            return output.write(bytes);
        }
        let is_shown = |byte: &&u8| !byte.is_ascii_control() || matches!(byte, b'\n' | b'\t');
        let shown: Vec<u8> = bytes.iter().filter(is_shown).copied().collect();
        output.write_all(&shown)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stdout().flush()
    }
}

/// `prompt: 9 tokens, 120.0 tokens/s; text: 31 tokens, 24.1 tokens/s`
fn shown(speed: Speed) -> String {
    let rate = |(count, time): (usize, Duration)| match time.is_zero() {
        true => format!("{count} tokens"),
        false => format!(
            "{count} tokens, {:.1} tokens/s",
            count as f64 / time.as_secs_f64()
        ),
    };
    format!(
        "prompt: {}; text: {}",
        rate(speed.prompt),
        rate(speed.written)
    )
}
