//! Files that are written whole or not at all, and temporary folders of which nothing is left.

use rustix::{
    fs::{AtFlags, CWD, Mode, OFlags, RenameFlags, linkat, open, renameat_with},
    io::Errno,
};
use std::{
    collections::BTreeSet,
    fs::{self, File, Permissions},
    io::{self, BufWriter, Write},
    os::{fd::AsRawFd as _, unix::fs::PermissionsExt as _},
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
    thread,
    time::Duration,
};
use tempfile::TempDir;

/// What is written to a file: called again where a file system needs another way.
type Content<'a> = &'a mut dyn FnMut(&mut BufWriter<&File>) -> io::Result<()>;

/// Writes a file that is there with all of its content, or not at all: an error, a full disk or a signal leaves
/// what was there before. A file that a process has mapped is not changed, but replaced. Devices and pipes are
/// written as they are.
///
/// # Errors
/// If `content` fails, or nothing can be written to the file's folder.
pub fn write_whole(
    path: &Path,
    mode: u32,
    mut content: impl FnMut(&mut BufWriter<&File>) -> io::Result<()>,
) -> io::Result<()> {
    let known = fs::metadata(path).ok();
    if known.as_ref().is_some_and(|known| !known.is_file()) {
        return fill(&File::create(path)?, &mut content);
    }
    // A link stays one: what it leads to is replaced.
    let path = &fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let mode = known.map_or(mode, |known| known.permissions().mode() & 0o777);
    let folder = folder_of(path);
    match open(
        folder,
        OFlags::TMPFILE | OFlags::WRONLY | OFlags::CLOEXEC,
        Mode::from_bits_truncate(mode),
    ) {
        Ok(file) => {
            let file = File::from(file);
            fill(&file, &mut content)?;
            match place(&file, folder, path) {
                // Without /proc a file without a name cannot get one.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                placed => return placed,
            }
        }
        // Some file systems, those over a network above all, have no files without names.
        Err(Errno::OPNOTSUPP | Errno::ISDIR | Errno::INVAL | Errno::NOENT) => {}
        Err(error) => return Err(error.into()),
    }
    let file = temporary_name()
        .permissions(Permissions::from_mode(mode))
        .tempfile_in(folder)?;
    fill(file.as_file(), &mut content)?;
    replace(&file.into_temp_path(), path)
}

/// As [`write_whole`], of text or bytes that are there already, to a file that nobody executes.
///
/// # Errors
/// As [`write_whole`].
pub fn write_bytes(path: &Path, content: &[u8]) -> io::Result<()> {
    write_whole(path, 0o666, |file| file.write_all(content))
}

/// The folder that a file is in.
pub fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

fn fill(file: &File, content: Content<'_>) -> io::Result<()> {
    let mut buffer = BufWriter::new(file);
    content(&mut buffer)?;
    buffer.flush()
}

/// Gives a whole file without a name its name. What bears the name already is replaced: the new file has a
/// name of its own for a moment.
fn place(file: &File, folder: &Path, path: &Path) -> io::Result<()> {
    let open_file = format!("/proc/self/fd/{}", file.as_raw_fd());
    let link = |name: &Path| linkat(CWD, &open_file, CWD, name, AtFlags::SYMLINK_FOLLOW);
    match link(path) {
        Err(Errno::EXIST) => {}
        linked => return Ok(linked?),
    }
    let part = temporary_name().make_in(folder, |name| Ok(link(name)?))?;
    replace(&part.into_temp_path(), path)
}

fn temporary_name() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".relay");
    builder
}

/// Gives a new file the name of an older one. The names are exchanged where the file system can do it: a file that
/// replaces another by renaming is written to disk at once, to be safe from a crash, which takes as long as all
/// other work of a small model.
fn replace(part: &Path, path: &Path) -> io::Result<()> {
    renameat_with(CWD, part, CWD, path, RenameFlags::EXCHANGE).or_else(|_| fs::rename(part, path))
}

/// The temporary folders that are in use.
static FOLDERS: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn folders() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    FOLDERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A temporary folder, deleted with all that is in it when it is dropped or [`remove_temporary_folders`] is called.
#[derive(Debug)]
pub struct TemporaryFolder(TempDir);

impl TemporaryFolder {
    /// Makes one.
    ///
    /// # Errors
    /// If the folder for temporary files (`TMPDIR`, or `/tmp`) is missing, or nothing can be written to it.
    pub fn new() -> io::Result<Self> {
        let mut folders = folders();
        let folder = tempfile::Builder::new().prefix("relay").tempdir()?;
        folders.insert(folder.path().to_path_buf());
        Ok(Self(folder))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.0.path()
    }
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        // A signal that comes meanwhile waits until the folder is gone: it would not find it in the list.
        let mut folders = folders();
        remove(self.0.path());
        folders.remove(self.0.path());
    }
}

/// How often a folder is deleted while a program that this process has started writes to it.
const ATTEMPTS: usize = 100;

/// Deletes a folder with all that is in it.
fn remove(folder: &Path) {
    for _ in 0..ATTEMPTS {
        // What cannot be deleted is left: nobody is there to be told.
        let _ = fs::remove_dir_all(folder);
        if !folder.exists() {
            return;
        }
        thread::sleep(Duration::from_millis(1));
    }
}

/// Deletes all temporary folders that are in use: for a process that a signal is about to end. No other folder is made
/// from here on.
pub fn remove_temporary_folders() {
    let folders = folders();
    folders.iter().for_each(|folder| remove(folder));
    // Who waits for the list waits until the process has ended.
    std::mem::forget(folders);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let files = fs::read_dir(folder).expect("it is read").flatten();
        files
            .map(|file| file.file_name().to_string_lossy().into_owned())
            .collect()
    }

    #[test]
    fn a_file_is_replaced_whole_or_stays() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let path = folder.path().join("a");
        write_bytes(&path, b"one").expect("it is written");
        let mapped = File::open(&path).expect("it is there");
        write_bytes(&path, b"two").expect("it is written again");
        assert_eq!(fs::read(&path).expect("it is read"), b"two");
        let old = io::read_to_string(mapped).expect("it is read");
        assert_eq!(old, "one", "who has the older file open keeps it");
        write_whole(&path, 0o666, |file| {
            file.write_all(b"three")?;
            Err(io::ErrorKind::StorageFull.into())
        })
        .expect_err("the disk is full");
        assert_eq!(fs::read(&path).expect("it is read"), b"two");
        assert_eq!(names(folder.path()), ["a"], "nothing else is left");
    }

    #[test]
    fn a_link_and_permissions_stay() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let (path, link) = (folder.path().join("a"), folder.path().join("link"));
        write_bytes(&path, b"one").expect("it is written");
        fs::set_permissions(&path, Permissions::from_mode(0o600)).expect("it is ours");
        std::os::unix::fs::symlink("a", &link).expect("a link can be made");
        write_bytes(&link, b"two").expect("it is written");
        assert_eq!(fs::read_link(&link).expect("it is a link"), Path::new("a"));
        assert_eq!(fs::read(&path).expect("it is read"), b"two");
        let mode = fs::metadata(&path)
            .expect("it is there")
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600);
    }

    #[test]
    fn a_folder_goes_while_something_is_written_to_it() {
        let folder = TemporaryFolder::new().expect("a folder can be made");
        let path = folder.path().to_path_buf();
        let inside = path.clone();
        let writer = thread::spawn(move || {
            // Until the folder is gone.
            for number in 0.. {
                if fs::write(inside.join(number.to_string()), "x").is_err() {
                    break;
                }
                thread::sleep(Duration::from_micros(100));
            }
        });
        while names(&path).is_empty() {
            thread::yield_now();
        }
        drop(folder);
        writer.join().expect("it ends");
        assert!(!path.exists());
    }

    #[test]
    fn devices_stay_devices() {
        write_bytes(Path::new("/dev/null"), b"one").expect("it takes anything");
        let error = write_bytes(Path::new("/dev/full"), b"one").expect_err("it is full");
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
    }
}
