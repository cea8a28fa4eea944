//! What a process reads from us.

use rustix::net::{SendFlags, send};
use std::{
    io::{self, Write},
    os::{fd::OwnedFd, unix::net::UnixStream},
    process::Stdio,
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
}

impl Write for Input {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(send(&self.0, bytes, SendFlags::NOSIGNAL)?)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
