//! Who is at the other end of a stream, such as this process's standard input or output.

use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    io::Errno,
};
use std::{io, os::fd::AsFd};

/// Whether somebody may still write to a stream. Nobody may where all who could have ended, or have closed it; what they wrote before may
/// still wait to be read. A file counts as one to which somebody writes.
pub fn has_writer(stream: impl AsFd) -> bool {
    let mut end = [PollFd::new(&stream, PollFlags::RDHUP)];
    // What cannot be asked says nothing.
    let _ = poll(&mut end, Some(&Timespec::default()));
    let gone = PollFlags::HUP | PollFlags::RDHUP;
    !end[0].revents().intersects(gone)
}

/// Waits until nobody can read what is written to a stream: all who could have ended, or have closed it. A file is read for ever.
///
/// # Errors
/// If the stream is closed on this side.
pub fn wait_while_read(stream: impl AsFd) -> io::Result<()> {
    let mut end = [PollFd::new(&stream, PollFlags::empty())];
    while let Err(error) = poll(&mut end, None) {
        if error != Errno::INTR {
            return Err(error.into());
        }
    }
    let gone = PollFlags::ERR | PollFlags::HUP;
    match end[0].revents().intersects(gone) {
        true => Ok(()),
        false => Err(Errno::BADF.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{fs::File, io::Write, net::Shutdown, os::unix::net::UnixStream};

    #[test]
    fn who_writes_may_have_gone_before_all_is_read() {
        let (reader, mut writer) = io::pipe().expect("there are files left");
        assert!(has_writer(&reader));
        writer.write_all(b"a question").expect("there is room");
        drop(writer);
        assert!(!has_writer(&reader));
        let (ours, theirs) = UnixStream::pair().expect("there are files left");
        assert!(has_writer(&ours));
        theirs.shutdown(Shutdown::Write).expect("it is open");
        assert!(!has_writer(&ours));
        assert!(has_writer(File::open("/dev/null").expect("it is there")));
    }

    #[test]
    fn the_last_reader_is_waited_for() {
        let (reader, writer) = io::pipe().expect("there are files left");
        drop(reader);
        wait_while_read(writer).expect("nobody reads a pipe");
        let (ours, theirs) = UnixStream::pair().expect("there are files left");
        drop(theirs);
        wait_while_read(ours).expect("nobody reads a stream");
    }
}
