//! Processes that answer a line with a line: started when they are needed, ended when they take too long, and started again.

use crate::{input::Input, protocol::Trouble};
use rustix::process::{Pid, Signal, kill_process_group};
use std::{
    ffi::OsString,
    io::{self, BufRead, BufReader, Read},
    os::unix::process::CommandExt as _,
    process::{Child, Command, ExitStatus, Stdio},
    sync::mpsc::{self, Receiver, RecvTimeoutError, Sender},
    thread,
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
    /// How: its status, or what it said that is no answer.
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

    /// Whether its process was started, and has neither ended since it was asked last nor said what nobody asked for. One that has is ended.
    pub fn is_started(&mut self) -> bool {
        self.process.take_if(|process| !process.is_silent());
        self.process.is_some()
    }

    /// Asks, and waits for the answer for so long, while it `goes_on`. `question` is a line, and what belongs to it; sending it may take
    /// as long again.
    ///
    /// # Errors
    /// If the process cannot be started.
    pub fn ask(
        &mut self,
        question: &[u8],
        limit: Duration,
        goes_on: &dyn Fn() -> bool,
    ) -> io::Result<Answered> {
        self.is_started();
        let mut process = match self.process.take() {
            Some(process) => process,
            None => Process::start(&self.command)?,
        };
        Ok(match process.ask(question, limit, goes_on) {
            Ok(line) => {
                process.answers += 1;
                self.process = Some(process);
                Answered::Line(line)
            }
            Err(Unanswered::Late) => Answered::Late,
            Err(Unanswered::Stopped) => Answered::Stopped,
            Err(Unanswered::Ended) => Answered::Ended(process.end()),
        })
    }

    /// Has another process answer the next question if this one has loaded as many libraries as it may.
    pub fn relieve(&mut self) {
        self.process
            .take_if(|process| process.answers >= MOST_ANSWERS);
    }

    /// Ends the process, which said a line that is no answer. Its end says so: that it was killed tells nobody anything.
    pub fn refuse(&mut self, line: &str) -> Ended {
        let line: String = line.chars().take(MOST_OF_LINE).collect();
        Ended {
            status: format!("it says '{line}', which is no answer"),
            ..self.end()
        }
    }

    /// Ends the process.
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

/// A process. It leads a group of its own: the signals of a terminal, such as Ctrl-C, are for who asks, and what the process has started
/// ends with it.
#[derive(Debug)]
struct Process {
    /// Nothing once it was ended.
    child: Option<Child>,
    /// Closed when it is to end.
    questions: Option<Input>,
    answered: Receiver<String>,
    /// What it says on its way out.
    complaints: Receiver<String>,
    /// How many questions it has answered.
    answers: usize,
}

/// Why a process gives no answer.
enum Unanswered {
    /// The time is over.
    Late,
    /// Nobody waits any more.
    Stopped,
    /// It has ended.
    Ended,
}

/// How long a process is waited for.
struct Wait<'g> {
    start: Instant,
    limit: Duration,
    goes_on: &'g dyn Fn() -> bool,
}

impl Wait<'_> {
    fn left(&self) -> Duration {
        self.limit.saturating_sub(self.start.elapsed())
    }

    /// How long to wait until the next look at whether it goes on.
    fn pause(&self) -> Duration {
        self.left().min(POLL)
    }

    /// Says whether to wait on.
    fn check(&self) -> Result<(), Unanswered> {
        if self.left().is_zero() {
            Err(Unanswered::Late)
        } else if (self.goes_on)() {
            Ok(())
        } else {
            Err(Unanswered::Stopped)
        }
    }
}

/// How long a process is waited for between two looks at whether it goes on.
const POLL: Duration = Duration::from_millis(50);

/// How long the last words of a process that was ended are waited for. They end when nobody holds its pipe any more; what has left its group
/// may hold it on.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// The most bytes of complaints that are kept.
const MOST_COMPLAINTS: usize = 2000;

/// The most characters that are told of a line which is no answer: enough to see what speaks.
const MOST_OF_LINE: usize = 200;

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
            .process_group(0)
            .spawn()?;
        let pipes = (child.stdout.take(), child.stderr.take());
        let (sender, answered) = mpsc::channel();
        let (last, complaints) = mpsc::channel();
        let process = Self {
            child: Some(child),
            questions: Some(questions),
            answered,
            complaints,
            answers: 0,
        };
        let (Some(output), Some(errors)) = pipes else {
            return Err(io::Error::other("a process has no pipes"));
        };
        thread::Builder::new().spawn(move || pass_on(output, &sender))?;
        // Who has ended the process may have waited long enough.
        thread::Builder::new().spawn(move || last.send(last_of(errors)).ok())?;
        Ok(process)
    }

    /// Whether it has said nothing since its last answer. What it said would be taken for the answer to the next question.
    fn is_silent(&self) -> bool {
        self.answered.try_recv().is_err()
    }

    /// Asks it; the next line that it writes.
    fn ask(
        &mut self,
        question: &[u8],
        limit: Duration,
        goes_on: &dyn Fn() -> bool,
    ) -> Result<String, Unanswered> {
        let wait = || Wait {
            start: Instant::now(),
            limit,
            goes_on,
        };
        self.send(question, &wait())?;
        self.answer(&wait())
    }

    /// Sends a question. What does not read it may have answered nevertheless, or has ended.
    fn send(&mut self, mut question: &[u8], wait: &Wait<'_>) -> Result<(), Unanswered> {
        let Some(questions) = &mut self.questions else {
            return Ok(());
        };
        while let Ok(sent) = questions.write_some(question, wait.pause()) {
            question = &question[sent..];
            if question.is_empty() {
                break;
            }
            wait.check()?;
        }
        Ok(())
    }

    /// The next line that it writes.
    fn answer(&self, wait: &Wait<'_>) -> Result<String, Unanswered> {
        loop {
            match self.answered.recv_timeout(wait.pause()) {
                Ok(line) => return Ok(line),
                Err(RecvTimeoutError::Disconnected) => return Err(Unanswered::Ended),
                Err(RecvTimeoutError::Timeout) => wait.check()?,
            }
        }
    }

    /// Ends it, and says why it did not answer.
    fn end(mut self) -> Ended {
        let status = match self.kill() {
            Some(Ok(status)) => status.to_string(),
            Some(Err(error)) => error.to_string(),
            None => "it was ended".into(),
        };
        let said = self.complaints.recv_timeout(LAST_WORDS);
        Ended {
            status,
            said: said.unwrap_or_default(),
        }
    }

    /// Ends it, and what it has started, unless that was done before. Its status.
    fn kill(&mut self) -> Option<io::Result<ExitStatus>> {
        let mut child = self.child.take()?;
        // What has left its group ends when nobody asks any more.
        drop(self.questions.take());
        // The number is the group's until the process was waited for. One that has ended already cannot be ended; one that has joined
        // another group can, by itself.
        let _ = kill_process_group(Pid::from_child(&child), Signal::KILL);
        let _ = child.kill();
        Some(child.wait())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // A process ends when nobody asks any more; one that hangs does not.
        self.kill();
    }
}

/// Passes on the lines that a process writes, while somebody waits for them.
fn pass_on(output: impl Read, to: &Sender<String>) {
    let lines = BufReader::new(output).lines().map_while(Result::ok);
    for line in lines {
        if to.send(line).is_err() {
            break;
        }
    }
}

/// The end of what is said.
fn last_of(mut errors: impl Read) -> String {
    let (mut text, mut part) = (Vec::new(), [0; 4096]);
    loop {
        match errors.read(&mut part) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Ok(0) | Err(_) => break,
            Ok(count) => text.extend_from_slice(&part[..count]),
        }
        // Blanks at the end are not counted.
        let excess = text.len().saturating_sub(2 * MOST_COMPLAINTS);
        text.drain(..excess);
    }
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

    /// What no answer of a process that works takes.
    const MINUTE: Duration = Duration::from_secs(60);

    /// What a pipe or a stream has no room for.
    const LARGE: usize = 1 << 24;

    fn answerer(command: &[&str]) -> Answerer {
        Answerer::new(command.iter().map(OsString::from).collect())
    }

    fn ask(command: &[&str], limit: Duration) -> (Answered, Answerer) {
        let mut asked = answerer(command);
        let answered = asked.ask(b"question\n", limit, &|| true);
        (answered.expect("the program is there"), asked)
    }

    /// What a script of the shell answers.
    fn line_of(script: &str) -> (String, Answerer) {
        match ask(&["sh", "-c", script], MINUTE) {
            (Answered::Line(line), asked) => (line, asked),
            (answered, _) => panic!("{answered:?} is no line"),
        }
    }

    #[test]
    fn an_answer_comes_in_time_or_not_at_all() {
        let (answered, mut asked) = ask(&["cat"], MINUTE);
        assert!(matches!(answered, Answered::Line(line) if line == "question"));
        assert!(asked.is_started());
        let (answered, mut asked) = ask(&["sleep", "60"], Duration::from_millis(10));
        assert!(matches!(answered, Answered::Late));
        assert!(!asked.is_started());
        let (answered, _) = ask(&["sh", "-c", "echo out of memory >&2; exit 3"], MINUTE);
        let Answered::Ended(ended) = answered else {
            panic!("{answered:?} is no end");
        };
        assert_eq!(ended.trouble(), Trouble::Memory);
        assert_eq!(ended.reason(), "exit status: 3: out of memory");
    }

    #[test]
    fn a_question_is_read_in_time_or_not_at_all() {
        let question = vec![b'x'; LARGE];
        let mut asked = answerer(&["sleep", "60"]);
        let answered = asked.ask(&question, Duration::from_millis(100), &|| true);
        assert!(matches!(answered, Ok(Answered::Late)));
        let answered = asked.ask(&question, MINUTE, &|| false);
        assert!(matches!(answered, Ok(Answered::Stopped)));
        let count = format!("sleep 0.2; head -c {LARGE} | wc -c");
        let mut asked = answerer(&["sh", "-c", &count]);
        let answered = asked.ask(&question, MINUTE, &|| true);
        let expected = LARGE.to_string();
        assert!(matches!(answered, Ok(Answered::Line(line)) if line.trim() == expected));
    }

    #[test]
    fn what_nobody_asked_for_is_no_answer() {
        let mut asked = answerer(&[
            "sh",
            "-c",
            "while read line; do echo $line; echo more; done",
        ]);
        for question in ["one\n", "two\n"] {
            let answered = asked.ask(question.as_bytes(), MINUTE, &|| true);
            assert!(matches!(answered, Ok(Answered::Line(line)) if line == question.trim()));
            thread::sleep(Duration::from_millis(100));
        }
    }

    #[test]
    fn the_end_of_complaints_is_kept() {
        let said = format!("{}last\n\n", "x".repeat(LARGE));
        let kept = last_of(said.as_bytes());
        assert!(kept.len() == MOST_COMPLAINTS && kept.ends_with("xlast"));
    }

    #[test]
    fn what_a_process_has_started_ends_with_it() {
        let (leads, _) = line_of("set -- $(cat /proc/$$/stat); echo $(($5 - $$))");
        assert_eq!(leads, "0", "its group has its number");
        // Whatever holds the pipe of complaints ends: it has an end.
        let (said, mut asked) = line_of("echo last words >&2; sleep 60 & echo hello");
        let reason = asked.refuse(&said).reason();
        assert_eq!(reason, "it says 'hello', which is no answer: last words");
        // One in another group does not, and is not waited for.
        let start = Instant::now();
        let (_, mut asked) = line_of("setsid sleep 20 & echo hello");
        asked.end();
        assert!(start.elapsed() < Duration::from_secs(15));
    }
}
