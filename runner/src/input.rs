//! What a process reads from us.

use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    io::Errno,
    net::{SendFlags, send},
};
use std::{
    io::{self, Write},
    os::{fd::OwnedFd, unix::net::UnixStream},
    process::Stdio,
    time::Duration,
};

/// A stream into a process's standard input. Writing to a process that has ended is an error, and no signal that ends this one, as a
/// pipe's would be.
#[derive(Debug)]
pub struct Input(UnixStream);

impl Input {
    /// A stream, and its end for the process.
    ///
    /// # Errors
    /// If the system has no more files.
    pub fn new() -> io::Result<(Self, Stdio)> {
        let (ours, theirs) = UnixStream::pair()?;
        Ok((Self(ours), OwnedFd::from(theirs).into()))
    }

    /// Writes the first of some bytes: as many as there is room for. Waits so long for room; where there is none then, it writes none.
    ///
    /// # Errors
    /// If the process has ended.
    pub fn write_some(&mut self, bytes: &[u8], wait: Duration) -> io::Result<usize> {
        let wait = Timespec::try_from(wait).map_err(io::Error::other)?;
        let mut room = [PollFd::new(&self.0, PollFlags::OUT)];
        // Whether there is room, sending says.
        let _ = poll(&mut room, Some(&wait));
        match send(&self.0, bytes, SendFlags::NOSIGNAL | SendFlags::DONTWAIT) {
            Err(Errno::AGAIN) => Ok(0),
            sent => Ok(sent?),
        }
    }
}

impl Write for Input {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(send(&self.0, bytes, SendFlags::NOSIGNAL)?)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
