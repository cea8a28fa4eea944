//! Processes that answer a line with a line: started when they are needed, ended when they take too long, and started again.

use crate::{input::Input, protocol::Trouble};
use std::{
    ffi::OsString,
    io::{self, BufRead, BufReader, Read, Write},
    process::{Child, Command, Stdio},
    sync::mpsc::{self, Receiver, RecvTimeoutError},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

/// Somebody who is asked: a command, and its process while there is one.
#[derive(Debug)]
pub struct Answerer {
    command: Vec<OsString>,
    process: Option<Process>,
}

/// What came of a question.
#[derive(Debug)]
pub enum Answered {
    /// The answer.
    Line(String),
    /// None in time. The process was ended.
    Late,
    /// None, as the process has ended.
    Ended(Ended),
    /// Nobody waits for it any more. The process was ended.
    Stopped,
}

/// A process that has ended.
#[derive(Debug)]
pub struct Ended {
    /// How: its status.
    status: String,
    /// The end of what it said on the way out.
    said: String,
}

/// So many questions a process answers at most. Each may load a library, which stays until the process ends, and of whose kind the
/// system has keys for 1024 (`PTHREAD_KEYS_MAX`).
const MOST_ANSWERS: usize = 400;

impl Answerer {
    /// Somebody who is started when something is asked. The first word of the command is the program.
    pub fn new(command: Vec<OsString>) -> Self {
        Self {
            command,
            process: None,
        }
    }

    /// The program.
    pub fn program(&self) -> OsString {
        self.command.first().cloned().unwrap_or_default()
    }

    /// Whether its process was started and has not ended since it was asked last.
    pub fn is_started(&self) -> bool {
        self.process.is_some()
    }

    /// Asks, and waits for the answer for so long, while it `goes_on`. `question` is a line, and what belongs to it.
    ///
    /// # Errors
    /// If the process cannot be started.
    pub fn ask(
        &mut self,
        question: &[u8],
        limit: Duration,
        goes_on: &dyn Fn() -> bool,
    ) -> io::Result<Answered> {
        let mut process = match self.process.take() {
            Some(process) => process,
            None => Process::start(&self.command)?,
        };
        // A process that has ended does not read; then it does not answer either.
        if let Some(questions) = &mut process.questions {
            let _ = questions.write_all(question);
        }
        Ok(match process.answer(limit, goes_on) {
            Some(Ok(line)) => {
                process.answers += 1;
                self.process = Some(process);
                Answered::Line(line)
            }
            Some(Err(RecvTimeoutError::Timeout)) => {
                process.end();
                Answered::Late
            }
            Some(Err(RecvTimeoutError::Disconnected)) => Answered::Ended(process.end()),
            None => Answered::Stopped,
        })
    }

    /// Has another process answer the next question if this one has loaded as many libraries as it may.
    pub fn relieve(&mut self) {
        self.process
            .take_if(|process| process.answers >= MOST_ANSWERS);
    }

    /// Ends the process, which said something that is no answer.
    pub fn end(&mut self) -> Ended {
        match self.process.take() {
            Some(process) => process.end(),
            None => Ended {
                status: "it has ended".into(),
                said: String::new(),
            },
        }
    }
}

impl Ended {
    /// What the end means for what was run.
    pub fn trouble(&self) -> Trouble {
        match self.said.contains("memory allocation") || self.said.contains("out of memory") {
            true => Trouble::Memory,
            false => Trouble::Crash,
        }
    }

    /// The status, and what was said.
    pub fn reason(&self) -> String {
        match &self.said[..] {
            "" => self.status.clone(),
            said => format!("{}: {said}", self.status),
        }
    }

    /// What was said; the status if that is nothing.
    pub fn words(&self) -> &str {
        match &self.said[..] {
            "" => &self.status,
            said => said,
        }
    }
}

/// A process.
#[derive(Debug)]
struct Process {
    child: Child,
    /// Closed when it is to end.
    questions: Option<Input>,
    answered: Receiver<String>,
    /// What it says on its way out.
    complaints: Option<JoinHandle<String>>,
    /// How many questions it has answered.
    answers: usize,
}

/// How long a process is waited for between two looks at whether it goes on.
const POLL: Duration = Duration::from_millis(50);

/// The most bytes of complaints that are kept.
const MOST_COMPLAINTS: usize = 2000;

impl Process {
    fn start(command: &[OsString]) -> io::Result<Self> {
        let (program, arguments) = command
            .split_first()
            .ok_or_else(|| io::Error::other("no program is named"))?;
        let (questions, stdin) = Input::new()?;
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(stdin)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let (Some(output), Some(errors)) = (child.stdout.take(), child.stderr.take()) else {
            return Err(io::Error::other("a process has no pipes"));
        };
        let (sender, answered) = mpsc::channel();
        thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let complaints = thread::spawn(move || last_of(errors));
        Ok(Self {
            child,
            questions: Some(questions),
            answered,
            complaints: Some(complaints),
            answers: 0,
        })
    }

    /// The next line that it writes within a time, or why there is none; nothing if nobody waits any more.
    fn answer(
        &self,
        limit: Duration,
        goes_on: &dyn Fn() -> bool,
    ) -> Option<Result<String, RecvTimeoutError>> {
        let start = Instant::now();
        loop {
            let left = limit.saturating_sub(start.elapsed());
            match self.answered.recv_timeout(left.min(POLL)) {
                Err(RecvTimeoutError::Timeout) if left > POLL => {
                    if !goes_on() {
                        return None;
                    }
                }
                answer => return Some(answer),
            }
        }
    }

    /// Ends it, and says why it did not answer.
    fn end(mut self) -> Ended {
        // What it has started itself ends when nobody asks any more.
        drop(self.questions.take());
        // One that has ended already cannot be ended.
        let _ = self.child.kill();
        let status = self.child.wait();
        let said = self.complaints.take().and_then(|thread| thread.join().ok());
        Ended {
            status: status.map_or_else(|error| error.to_string(), |status| status.to_string()),
            said: said.unwrap_or_default(),
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // A process ends when nobody asks any more; one that hangs does not.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The end of what is said.
fn last_of(mut errors: impl Read) -> String {
    let mut text = Vec::new();
    let _ = errors.read_to_end(&mut text);
    let text = String::from_utf8_lossy(&text);
    let text = text.trim();
    let mut from = text.len().saturating_sub(MOST_COMPLAINTS);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    text[from..].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(command: &[&str], limit: Duration) -> (Answered, Answerer) {
        let mut asked = Answerer::new(command.iter().map(OsString::from).collect());
        let answered = asked.ask(b"question\n", limit, &|| true);
        (answered.expect("the program is there"), asked)
    }

    #[test]
    fn an_answer_comes_in_time_or_not_at_all() {
        let minute = Duration::from_secs(60);
        let (answered, asked) = ask(&["cat"], minute);
        assert!(matches!(answered, Answered::Line(line) if line == "question"));
        assert!(asked.is_started());
        let (answered, asked) = ask(&["sleep", "60"], Duration::from_millis(10));
        assert!(matches!(answered, Answered::Late));
        assert!(!asked.is_started());
        let (answered, _) = ask(&["sh", "-c", "echo out of memory >&2; exit 3"], minute);
        let Answered::Ended(ended) = answered else {
            panic!("{answered:?} is no end");
        };
        assert_eq!(ended.trouble(), Trouble::Memory);
        assert_eq!(ended.reason(), "exit status: 3: out of memory");
    }
}
