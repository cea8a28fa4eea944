//! Text that a compiled language model writes.

mod sampling;
mod split;
mod tokenizer;

pub use sampling::Sampling;
pub use tokenizer::Tokenizer;

use crate::DriverError;
use fastrand::Rng;
use relay_import::gguf::{LOGITS, POSITION, TOKENS, WANTED};
use relay_runtime::{Model, Session, Tensor};
use std::{
    io::Write,
    time::{Duration, Instant},
};

/// What is to be written.
#[derive(Clone, Copy, Debug)]
pub struct Request<'p> {
    /// The text that it follows.
    pub prompt: &'p str,
    /// The most tokens.
    pub tokens: usize,
    /// The most tokens of the prompt and what follows together; none for as many as there is memory for.
    pub context: Option<usize>,
    /// How tokens are chosen.
    pub sampling: Sampling,
    /// The seed of what is random.
    pub seed: u64,
}

/// How long it took.
#[derive(Clone, Copy, Debug)]
pub struct Speed {
    /// The tokens of the prompt, and the time to read them.
    pub prompt: (usize, Duration),
    /// The tokens behind the first one that was written, and the time that they took.
    pub written: (usize, Duration),
}

/// A decoder that is run word by word.
struct Decoder<'s> {
    session: &'s mut dyn Session,
    /// What each input is.
    inputs: Vec<Input>,
    /// The caches, of the inputs that are none of words, in their order.
    caches: Vec<Tensor>,
    /// The number of the output of logits.
    logits: usize,
    /// How many words were read.
    read: usize,
}

/// What an input of a decoder is.
#[derive(Clone, Copy)]
enum Input {
    Tokens,
    Position,
    Wanted,
    /// A cache, which lies in the memory of an output.
    Cache(usize),
}

/// Writes text behind a prompt as it comes, until an end token, the number of tokens, or the end of the context.
///
/// # Errors
/// If the model is no decoder of a file of GGUF, the prompt is too long, or the text cannot be written.
pub fn generate(
    model: &Model,
    session: &mut dyn Session,
    (tokenizer, request): (&Tokenizer<'_>, Request<'_>),
    write: &mut dyn Write,
) -> Result<Speed, DriverError> {
    let prompt = tokenizer
        .encode(request.prompt)
        .map_err(DriverError::Usage)?;
    let room = room(model, prompt.len(), request)?;
    let mut decoder = Decoder::new(model, session, room)?;
    let mut random = Rng::with_seed(request.seed);
    let start = Instant::now();
    let mut now = prompt.clone();
    let mut speed = Speed {
        prompt: (prompt.len(), Duration::ZERO),
        written: (0, Duration::ZERO),
    };
    for number in 0..request.tokens {
        let logits = decoder.read(&now)?;
        if number == 0 {
            speed.prompt.1 = start.elapsed();
        }
        let token = sampling::choose(&logits, request.sampling, &mut random);
        let token = token.map_err(DriverError::Usage)?;
        speed.written = (number, start.elapsed() - speed.prompt.1);
        if tokenizer.is_end(token) {
            break;
        }
        let written = write.write_all(&tokenizer.bytes(token));
        let written = written.and_then(|()| write.flush());
        written.map_err(DriverError::io("standard output"))?;
        if decoder.read >= room {
            break;
        }
        now = vec![token];
    }
    Ok(speed)
}

/// How many words the caches are to hold.
fn room(model: &Model, prompt: usize, request: Request<'_>) -> Result<usize, DriverError> {
    if prompt == 0 {
        return Err(DriverError::Usage(
            "the prompt has no words, and the model has no token to begin with; give it a word"
                .into(),
        ));
    }
    let caches = model.inputs().iter().filter(|port| port.donated.is_some());
    let fixed = caches
        .filter_map(|port| usize::try_from(*port.shape.get(2)?).ok())
        .min();
    let most = [fixed, request.context].into_iter().flatten().min();
    if let Some(most) = most.filter(|most| prompt > *most) {
        return Err(DriverError::Usage(format!(
            "the prompt has {prompt} tokens, and the model's context {most}; shorten it"
        )));
    }
    let wanted = prompt.saturating_add(request.tokens);
    Ok(fixed.unwrap_or_else(|| most.map_or(wanted, |most| wanted.min(most))))
}

impl<'s> Decoder<'s> {
    fn new(model: &Model, session: &'s mut dyn Session, room: usize) -> Result<Self, DriverError> {
        let foreign = || {
            DriverError::Usage(format!(
                "'{}' is no decoder that relayc compiled of a .gguf file: it lacks the inputs {TOKENS}, {POSITION} and {WANTED}, or caches",
                model.name()
            ))
        };
        let mut inputs = Vec::new();
        let mut caches = Vec::new();
        for port in model.inputs() {
            inputs.push(match (port.name.as_str(), port.donated) {
                (TOKENS, _) => Input::Tokens,
                (POSITION, _) => Input::Position,
                (WANTED, _) => Input::Wanted,
                (_, Some(output)) => {
                    let open = |extent: &i64| if *extent < 0 { room as i64 } else { *extent };
                    let shape: Vec<i64> = port.shape.iter().map(open).collect();
                    caches.push(Tensor::try_zeros(port.dtype, &shape)?);
                    Input::Cache(output)
                }
                _ => return Err(foreign()),
            });
        }
        let mut outputs = model.outputs().iter();
        let logits = outputs.position(|port| port.name == LOGITS);
        let logits = logits.filter(|_| inputs.len() == caches.len() + 3 && !caches.is_empty());
        Ok(Self {
            session,
            inputs,
            caches,
            logits: logits.ok_or_else(foreign)?,
            read: 0,
        })
    }

    /// Reads words behind those that were read; the logits of the word that follows.
    fn read(&mut self, tokens: &[i64]) -> Result<Vec<f32>, DriverError> {
        let ints = |shape: &[i64], values: &[i64]| {
            let tensor = Tensor::from_slice(shape, values);
            tensor.ok_or_else(|| {
                DriverError::Usage("there is not enough memory for the words".into())
            })
        };
        let mut caches = std::mem::take(&mut self.caches).into_iter();
        let mut inputs = Vec::new();
        for input in &self.inputs {
            inputs.push(match input {
                Input::Tokens => ints(&[1, tokens.len() as i64], tokens)?,
                Input::Position => ints(&[], &[self.read as i64])?,
                Input::Wanted => ints(&[1], &[-1])?,
                Input::Cache(_) => caches
                    .next()
                    .ok_or_else(|| DriverError::Usage("a run before this one failed".into()))?,
            });
        }
        let outputs = self.session.run_donating(inputs)?;
        self.read += tokens.len();
        let logits = outputs.get(self.logits).and_then(Tensor::to_f32);
        let mut outputs: Vec<Option<Tensor>> = outputs.into_iter().map(Some).collect();
        let caches = self.inputs.iter().filter_map(|input| match input {
            Input::Cache(output) => outputs.get_mut(*output)?.take(),
            _ => None,
        });
        self.caches = caches.collect();
        logits.ok_or_else(|| DriverError::Usage("the logits are no numbers of 32 bits".into()))
    }
}
