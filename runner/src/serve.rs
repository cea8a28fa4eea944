//! Answering a tuner on another machine.
//!
//! Two processes do so. The one that holds the connection keeps the libraries and the time; the other one runs them, and may end
//! while it does. So a library that crashes or hangs costs no connection, and nothing is left running when the connection ends: a tuner
//! that asks waits for the answer, and one that has closed the connection is gone.

use crate::{
    describe::this_machine,
    memory,
    process::{Answered, Answerer},
    protocol::{Answer, Ask, Pair, Question, Trouble},
    store::Store,
    timer::Timer,
};
use serde::Serialize;
use std::{
    ffi::OsString,
    io::{self, BufRead, Write},
    time::Duration,
};

/// Answers questions until there are no more. `timer` is the command of a process that [times](time) while somebody waits for it, as
/// `goes_on` says.
///
/// # Errors
/// If nothing can be read or written any more.
pub fn serve(
    mut questions: impl BufRead,
    mut answers: impl Write,
    timer: Vec<OsString>,
    goes_on: &dyn Fn() -> bool,
) -> io::Result<()> {
    let mut runner = Runner {
        store: Store::new()?,
        timer: Answerer::new(timer),
        goes_on,
    };
    let mut line = String::new();
    while questions.read_line(&mut line)? > 0 {
        let answer = match serde_json::from_str::<Question>(&line) {
            Ok(question) => runner.answer(question, &mut questions),
            Err(error) => no_question(error),
        };
        write_line(&mut answers, &answer)?;
        line.clear();
    }
    Ok(())
}

/// Times what a runner's other process asks for, until there is nothing more, with so many bytes of memory at most.
///
/// # Errors
/// If nothing can be read or written any more.
pub fn time(questions: impl BufRead, mut answers: impl Write, bytes: u64) -> io::Result<()> {
    memory::limit(bytes);
    let mut timer = Timer::default();
    for line in questions.lines() {
        let answer = match serde_json::from_str::<Ask>(&line?) {
            Ok(Ask::Time(pair)) => timer.time(&pair),
            Ok(Ask::Network(pair)) => timer.network(&pair),
            Ok(Ask::Profile(pair)) => timer.profile(&pair),
            Ok(Ask::Describe | Ask::Keep { .. }) => no_question("nothing is to be timed"),
            Err(error) => no_question(error),
        };
        write_line(&mut answers, &answer)?;
    }
    Ok(())
}

fn no_question(error: impl ToString) -> Answer {
    Answer::failed(
        Trouble::Crash,
        format!("not a question: {}", error.to_string()),
    )
}

fn write_line(to: &mut impl Write, content: &impl Serialize) -> io::Result<()> {
    to.write_all(&line_of(content)?)?;
    to.flush()
}

/// A line of JSON.
///
/// # Errors
/// If it cannot be written as JSON.
pub fn line_of(content: &impl Serialize) -> io::Result<Vec<u8>> {
    let mut text = serde_json::to_vec(content)?;
    text.push(b'\n');
    Ok(text)
}

/// What holds the connection.
struct Runner<'g> {
    store: Store,
    timer: Answerer,
    goes_on: &'g dyn Fn() -> bool,
}

impl Runner<'_> {
    fn answer(&mut self, question: Question, rest: &mut impl BufRead) -> Answer {
        let limit = Duration::try_from_secs_f64(question.limit).unwrap_or_default();
        let answer = match question.ask {
            Ask::Describe => Ok(Answer::Described(this_machine())),
            Ask::Keep {
                library,
                bytes,
                forget,
            } => {
                self.store.forget(&forget);
                let kept = self.store.keep(&library, bytes, rest);
                kept.map(|()| Answer::Kept)
            }
            Ask::Time(pair) => self.time(&pair, Ask::Time, limit),
            Ask::Network(pair) => self.time(&pair, Ask::Network, limit),
            Ask::Profile(pair) => self.time(&pair, Ask::Profile, limit),
        };
        answer.unwrap_or_else(|error| Answer::failed(Trouble::Crash, error))
    }

    /// Has the other process time a pair of libraries.
    fn time(&mut self, pair: &Pair, ask: fn(Pair) -> Ask, limit: Duration) -> io::Result<Answer> {
        let asked = ask(self.store.files(pair)?);
        ask_timer(&mut self.timer, &asked, limit, self.goes_on)
    }
}

/// Asks a process that [times](time), and waits for the answer for so long, while it `goes_on`. That it ends, or says nothing in time, is an
/// answer, too.
///
/// # Errors
/// If the process cannot be started, or it does not go on.
pub fn ask_timer(
    timer: &mut Answerer,
    ask: &Ask,
    limit: Duration,
    goes_on: &dyn Fn() -> bool,
) -> io::Result<Answer> {
    let question = line_of(ask)?;
    timer.relieve();
    let ended = match timer.ask(&question, limit, goes_on)? {
        Answered::Line(line) => match serde_json::from_str(&line) {
            Ok(answer) => return Ok(answer),
            Err(_) => timer.refuse(&line),
        },
        Answered::Late => {
            let seconds = limit.as_secs_f64();
            let reason = format!("it took more than {seconds:.0} s");
            return Ok(Answer::failed(Trouble::Time, reason));
        }
        // Nobody reads this.
        Answered::Stopped => return Err(io::Error::other("the connection has ended")),
        Answered::Ended(ended) => ended,
    };
    Ok(Answer::failed(ended.trouble(), ended.reason()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_timed_when_the_connection_has_ended() {
        let pair = Pair {
            incumbent: "a1".into(),
            candidate: "b1".into(),
            weights: Vec::new(),
            footprint: 0,
            seed: 0,
            threads: 1,
            rounds: 1,
            turn: 0.001,
        };
        let question = Question {
            ask: Ask::Time(pair),
            limit: 60.0,
        };
        let question = line_of(&question).expect("it is JSON");
        let timer = ["sleep", "60"].map(OsString::from).to_vec();
        let mut answers = Vec::new();
        serve(&question[..], &mut answers, timer, &|| false).expect("it reads and writes");
        let answer: Answer = serde_json::from_slice(&answers).expect("it is JSON");
        let Answer::Failed { reason, .. } = answer else {
            panic!("{answer:?} is no failure");
        };
        assert_eq!(reason, "the connection has ended");
    }
}
