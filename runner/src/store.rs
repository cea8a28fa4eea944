//! The libraries that a runner keeps: files in a folder of its own, under the names that the tuner gives.

use crate::protocol::Pair;
use rustix::{
    fs::{Mode, OFlags, open},
    process::geteuid,
};
use std::{
    env,
    fs::{self, File, Metadata},
    io::{self, BufRead, Read},
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
};
use tempfile::TempDir;

/// What the names of folders begin with.
const PREFIX: &str = "relay-runner-";

/// The file of a folder that a runner holds locked as long as it runs. The system lets it go when the runner is killed.
const LOCK: &str = "lock";

/// Removes the folders of runners that were killed. Those of other containers and machines may be there, too: a lock is known to all of
/// them, the number of a process is not.
fn remove_left_folders(parent: &Path) {
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let is_of_runner = entry.file_name().to_string_lossy().starts_with(PREFIX);
        let folder = entry.path();
        let lock = is_of_runner.then(|| lock_of(&folder)).flatten();
        if lock.is_some_and(|lock| lock.try_lock().is_ok()) {
            // Another runner may do the same.
            let _ = fs::remove_dir_all(folder);
        }
    }
}

/// The lock of a folder that a runner of this user has made; none of anything else. Anybody may write to the folder for temporary files, and
/// so may have made a FIFO or a link of such a name: to open a FIFO waits for whoever writes to it.
fn lock_of(folder: &Path) -> Option<File> {
    let is_own = |known: &Metadata| known.uid() == geteuid().as_raw();
    let known = fs::symlink_metadata(folder).ok()?;
    if !known.is_dir() || !is_own(&known) {
        return None;
    }
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let lock = File::from(open(folder.join(LOCK), flags, Mode::empty()).ok()?);
    let known = lock.metadata().ok()?;
    (known.is_file() && is_own(&known)).then_some(lock)
}

/// Locks a folder. The file has its name when it is locked.
fn lock(folder: &Path) -> io::Result<File> {
    let new = folder.join("new");
    let lock = File::create(&new)?;
    lock.lock()?;
    fs::rename(&new, folder.join(LOCK))?;
    Ok(lock)
}

/// The libraries.
pub struct Store {
    folder: TempDir,
    /// Held as long as the folder is used.
    _lock: File,
}

impl Store {
    /// An empty one.
    ///
    /// # Errors
    /// If no folder can be made.
    pub fn new() -> io::Result<Self> {
        remove_left_folders(&env::temp_dir());
        let folder = tempfile::Builder::new().prefix(PREFIX).tempdir()?;
        let lock = lock(folder.path())?;
        Ok(Self {
            folder,
            _lock: lock,
        })
    }

    /// Takes in a library of so many bytes. What cannot be written is read to its end nevertheless: requests come behind it.
    ///
    /// # Errors
    /// If the name is none, the bytes end early, or they cannot be written.
    pub fn keep(&self, name: &str, bytes: u64, from: &mut impl BufRead) -> io::Result<()> {
        let mut content = from.take(bytes);
        let written = self.path(Path::new(name)).and_then(|path| {
            let mut file = File::create(path)?;
            io::copy(&mut content, &mut file)
        });
        io::copy(&mut content, &mut io::sink())?;
        match content.limit() {
            0 => written.map(|_| ()),
            _ => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }

    /// Removes libraries. One that is not there is no error.
    pub fn forget(&self, names: &[String]) {
        for path in names
            .iter()
            .filter_map(|name| self.path(Path::new(name)).ok())
        {
            let _ = fs::remove_file(path);
        }
    }

    /// A pair of names as one of files.
    ///
    /// # Errors
    /// If a name is none.
    pub fn files(&self, pair: &Pair) -> io::Result<Pair> {
        Ok(Pair {
            incumbent: self.path(&pair.incumbent)?,
            candidate: self.path(&pair.candidate)?,
            ..pair.clone()
        })
    }

    /// The file of a name. What is no name of letters and digits may be a path to somewhere else.
    fn path(&self, name: &Path) -> io::Result<PathBuf> {
        let text = name.to_str().unwrap_or_default();
        let is_name = !text.is_empty() && text.chars().all(|it| it.is_ascii_alphanumeric());
        match is_name {
            true => Ok(self.folder.path().join(format!("{text}.so"))),
            false => Err(io::Error::other(format!(
                "'{}' is no name of a library: letters and digits",
                name.display()
            ))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::fs::{CWD, mkfifoat};
    use std::os::unix::fs::{chown, symlink};

    #[test]
    fn what_was_left_is_removed() {
        let parent = tempfile::tempdir().expect("there is a folder for temporary files");
        let folder = |name: String| {
            let folder = parent.path().join(name);
            fs::create_dir(&folder).expect("it is made");
            folder
        };
        let [left, used, new, other] = ["a", "b", "c", "other"].map(|name| match name {
            "other" => folder(name.into()),
            _ => folder(format!("{PREFIX}{name}")),
        });
        File::create(left.join(LOCK)).expect("it is made");
        let held = lock(&used).expect("it is locked");
        remove_left_folders(parent.path());
        assert!(!left.exists() && used.exists() && new.exists() && other.exists());
        drop(held);
        remove_left_folders(parent.path());
        assert!(!used.exists());
    }

    #[test]
    fn what_no_runner_made_is_left_alone() {
        let parent = tempfile::tempdir().expect("there is a folder for temporary files");
        let folder = |name: &str| {
            let folder = parent.path().join(format!("{PREFIX}{name}"));
            fs::create_dir(&folder).expect("it is made");
            folder
        };
        let fifo = folder("fifo");
        mkfifoat(CWD, fifo.join(LOCK), Mode::RUSR | Mode::WUSR).expect("it is made");
        let elsewhere = parent.path().join("elsewhere");
        File::create(&elsewhere).expect("it is made");
        let [linked, linked_fifo] = ["linked", "linked_fifo"].map(folder);
        symlink(&elsewhere, linked.join(LOCK)).expect("it is made");
        symlink(fifo.join(LOCK), linked_fifo.join(LOCK)).expect("it is made");
        let link_to_folder = parent.path().join(format!("{PREFIX}link"));
        let target = parent.path().join("target");
        fs::create_dir(&target).expect("it is made");
        File::create(target.join(LOCK)).expect("it is made");
        symlink(&target, &link_to_folder).expect("it is made");
        // It would wait for ever.
        remove_left_folders(parent.path());
        for kept in [fifo, linked, linked_fifo, link_to_folder, target.join(LOCK)] {
            assert!(kept.exists(), "{}", kept.display());
        }
    }

    #[test]
    fn folders_of_others_are_left_alone() {
        let parent = tempfile::tempdir().expect("there is a folder for temporary files");
        let other = parent.path().join(format!("{PREFIX}other"));
        fs::create_dir(&other).expect("it is made");
        File::create(other.join(LOCK)).expect("it is made");
        // Only who may do everything can give a file away.
        if chown(&other, Some(12345), None).is_ok() {
            remove_left_folders(parent.path());
            assert!(other.exists());
        }
    }

    #[test]
    fn a_library_ends_where_it_says() {
        let store = Store::new().expect("there is a folder for temporary files");
        let mut stream = &b"abcdef\n"[..];
        store.keep("a1", 3, &mut stream).expect("it is kept");
        store.keep("../a1", 2, &mut stream).expect_err("no name");
        assert_eq!(stream, b"f\n", "what is not kept is read");
        store.keep("b", 9, &mut stream).expect_err("it is cut off");
        let kept = fs::read(store.path(Path::new("a1")).expect("a name"));
        assert_eq!(kept.expect("it is there"), b"abc");
        store.forget(&["a1".into(), "c".into()]);
        assert!(!store.path(Path::new("a1")).expect("a name").exists());
    }
}
