//! A cache of machine code in a folder of the user, which all compilers share.
//!
//! An entry's name is the SHA-256 of everything that its content depends on, this compiler included. An entry
//! begins with the SHA-256 of its content, so that a damaged entry is found and ignored. A reader sees a whole
//! entry or none. The time of an entry's last use is the file's time of modification. When the folder has
//! outgrown its limit, the entries that were not used for longest are deleted.
//!
//! No failure here stops a compilation: what is not in the cache is compiled.

use crate::{Target, files};
use sha2::{Digest, Sha256};
use std::{
    collections::BTreeSet,
    fmt::Write as _,
    fs,
    io::Write as _,
    path::{Path, PathBuf},
    sync::{Mutex, OnceLock, PoisonError},
    time::SystemTime,
};

/// The variable that names the cache's folder.
pub const FOLDER_VARIABLE: &str = "RELAY_CACHE_DIR";

/// What a cache may hold, in bytes.
const LIMIT: u64 = 1 << 30;

/// How much of the limit is kept when entries are deleted, in percent. Deleting a few at a time would mean
/// listing all of them often.
const KEPT_PERCENT: u64 = 80;

/// The number of folders that share the entries evenly, as a digest's first byte names an entry's folder.
const FOLDERS: u64 = 256;

/// The bytes of a digest.
const DIGEST: usize = 32;

/// The name of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key(String);

impl Key {
    /// The digest of some parts.
    pub fn of(parts: &[&[u8]]) -> Self {
        let mut digest = Sha256::new();
        for part in parts {
            digest.update((part.len() as u64).to_le_bytes());
            digest.update(part);
        }
        Self(
            digest
                .finalize()
                .iter()
                .fold(String::new(), |mut text, byte| {
                    // Writing to a string does not fail.
                    let _ = write!(text, "{byte:02x}");
                    text
                }),
        )
    }

    /// Half of the digits: enough to tell kernels apart.
    pub fn short(&self) -> &str {
        &self.0[..32]
    }
}

/// A folder of entries.
#[derive(Debug)]
pub struct Cache {
    folder: PathBuf,
    limit: u64,
    /// The folders in it that entries were added to.
    grown: Mutex<BTreeSet<PathBuf>>,
}

impl Cache {
    /// The user's cache: the folder that `RELAY_CACHE_DIR` names, or `relay-mlir` in the user's cache folder of
    /// the XDG base directory specification. `None` if there is neither.
    pub fn of_user() -> Option<Self> {
        let variable = |name: &str| {
            let path = PathBuf::from(std::env::var_os(name)?);
            path.is_absolute().then_some(path)
        };
        let folder = std::env::var_os(FOLDER_VARIABLE)
            .filter(|folder| !folder.is_empty())
            .map(PathBuf::from)
            .or_else(|| Some(variable("XDG_CACHE_HOME")?.join("relay-mlir")))
            .or_else(|| Some(variable("HOME")?.join(".cache/relay-mlir")))?;
        Some(Self::at(folder, LIMIT))
    }

    /// A cache in `folder`, of `limit` bytes. The folder is made when there is something to put into it.
    pub fn at(folder: PathBuf, limit: u64) -> Self {
        Self {
            folder,
            limit,
            grown: Mutex::default(),
        }
    }

    fn path(&self, key: &Key) -> PathBuf {
        // Folders of some hundred files at most.
        self.folder.join(&key.0[..2]).join(&key.0[2..])
    }

    /// An entry's content, if it is there and whole.
    pub fn get(&self, key: &Key) -> Option<Vec<u8>> {
        let path = self.path(key);
        let mut content = fs::read(&path).ok()?;
        let whole = content
            .split_at_checked(DIGEST)
            .is_some_and(|(digest, rest)| Sha256::digest(rest).as_slice() == digest);
        if !whole {
            tracing::warn!("{} is damaged; compiling anew", path.display());
            return None;
        }
        // A failure does no harm: the entry is deleted earlier than it need be.
        let _ = fs::File::open(&path).and_then(|file| file.set_modified(SystemTime::now()));
        content.drain(..DIGEST);
        Some(content)
    }

    /// Adds or replaces an entry.
    pub fn put(&self, key: &Key, content: &[u8]) {
        let path = self.path(key);
        if let Err(error) = write(&path, content) {
            static ONCE: OnceLock<()> = OnceLock::new();
            ONCE.get_or_init(|| {
                tracing::warn!("cannot keep kernels in {}: {error}", self.folder.display());
            });
            return;
        }
        if let Some(folder) = path.parent() {
            let mut grown = self.grown.lock().unwrap_or_else(PoisonError::into_inner);
            grown.insert(folder.into());
        }
    }

    /// Whether a folder that entries were added to has more than its share of the limit. Listing all entries of a large cache
    /// takes longer than compiling a small model.
    fn may_be_full(&self) -> bool {
        let grown = self.grown.lock().unwrap_or_else(PoisonError::into_inner);
        grown.iter().any(|folder| {
            let bytes: u64 = files_in(folder).map(|(_, bytes, _)| bytes).sum();
            bytes > self.limit / FOLDERS
        })
    }

    /// Deletes the entries that were not used for longest, if the cache is larger than its limit.
    fn shrink(&self) {
        let mut entries = entries(&self.folder);
        let mut total: u64 = entries.iter().map(|(_, bytes, _)| bytes).sum();
        if total <= self.limit {
            return;
        }
        entries.sort_by_key(|(used, _, _)| *used);
        for (_, bytes, path) in entries {
            if total <= self.limit / 100 * KEPT_PERCENT {
                return;
            }
            // Another compiler may have dropped it already.
            let _ = fs::remove_file(path);
            total -= bytes;
        }
    }
}

impl Drop for Cache {
    fn drop(&mut self) {
        if self.may_be_full() {
            self.shrink();
        }
    }
}

fn write(path: &Path, content: &[u8]) -> std::io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    files::write_whole(path, 0o600, |file| {
        file.write_all(&Sha256::digest(content))?;
        file.write_all(content)
    })
}

/// All files in a cache with their last use and size, files that a killed compiler left half written included.
fn entries(folder: &Path) -> Vec<(SystemTime, u64, PathBuf)> {
    let inner = fs::read_dir(folder).into_iter().flatten().flatten();
    inner.flat_map(|inner| files_in(&inner.path())).collect()
}

/// The same of one of its folders.
fn files_in(folder: &Path) -> impl Iterator<Item = (SystemTime, u64, PathBuf)> + use<> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| {
        let facts = entry.metadata().ok().filter(fs::Metadata::is_file)?;
        Some((facts.modified().ok()?, facts.len(), entry.path()))
    })
}

/// What a kernel's machine code depends on beside the kernel, for keys: the machine and the code generator.
pub(crate) fn kernel_identity(target: &Target) -> String {
    format!("{} {}", target.machine_identity(), kernel_compiler())
}

/// What a model's machine code depends on beside the model, for keys: the machine and the whole compiler.
pub(crate) fn identity(target: &Target) -> String {
    format!("{} {}", target.machine_identity(), compiler())
}

/// Names what turns kernels into objects, for keys: LLVM's version, and a digest of the sources of everything
/// between loops over buffers and machine code.
pub fn kernel_compiler() -> String {
    let (major, minor, patch) = inkwell::support::get_llvm_version();
    let sources = env!("RELAY_KERNEL_SOURCES");
    format!("LLVM {major}.{minor}.{patch}, sources {sources}")
}

/// Names the whole compiler, for keys of what more than the code generator decides: as [`kernel_compiler`], with
/// the passes, the schedules and the runtime.
pub fn compiler() -> String {
    format!("{}, {}", kernel_compiler(), env!("RELAY_LIBRARY_SOURCES"))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on says where")]
mod tests {
    use super::*;
    use std::time::Duration;

    fn key(name: &str) -> Key {
        Key::of(&[name.as_bytes()])
    }

    #[test]
    fn keys_tell_parts_apart() {
        assert_eq!(Key::of(&[b"ab", b"c"]), Key::of(&[b"ab", b"c"]));
        assert_ne!(Key::of(&[b"ab", b"c"]), Key::of(&[b"a", b"bc"]));
        // The expected digest is that of `printf | sha256sum` of the length and the part.
        assert_eq!(key("a").short(), "ae6121c88ba555f64c3d812123eb799d");
    }

    #[test]
    fn entries_come_back() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(folder.path().join("made"), LIMIT);
        assert_eq!(cache.get(&key("a")), None);
        cache.put(&key("a"), b"one");
        cache.put(&key("b"), b"");
        cache.put(&key("a"), b"two");
        let other = Cache::at(folder.path().join("made"), LIMIT);
        assert_eq!(other.get(&key("a")).unwrap(), b"two");
        assert_eq!(other.get(&key("b")).unwrap(), b"");
    }

    #[test]
    fn damaged_entries_are_none_until_written_again() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(folder.path().into(), LIMIT);
        cache.put(&key("a"), b"content");
        let path = cache.path(&key("a"));
        let whole = fs::read(&path).unwrap();
        for length in 0..whole.len() {
            fs::write(&path, &whole[..length]).unwrap();
            assert_eq!(cache.get(&key("a")), None, "cut to {length}");
        }
        for index in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[index] ^= 1;
            fs::write(&path, bytes).unwrap();
            assert_eq!(cache.get(&key("a")), None, "changed at {index}");
        }
        cache.put(&key("a"), b"content");
        assert_eq!(cache.get(&key("a")).unwrap(), b"content");
    }

    #[test]
    fn the_longest_unused_go_first() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(folder.path().into(), 1000);
        let bytes = vec![0; 100 - DIGEST];
        let now = SystemTime::now();
        for index in 0..10_u64 {
            let name = key(&index.to_string());
            cache.put(&name, &bytes);
            let file = fs::File::open(cache.path(&name)).unwrap();
            file.set_modified(now - Duration::from_secs(1000 - index))
                .unwrap();
        }
        cache.shrink();
        assert!(cache.get(&key("0")).is_some(), "full is not too much");
        cache.put(&key("10"), &bytes);
        drop(cache);
        let cache = Cache::at(folder.path().into(), 1000);
        let left: Vec<u64> = (0..11)
            .filter(|index| cache.get(&key(&index.to_string())).is_some())
            .collect();
        assert_eq!(
            left,
            [0, 4, 5, 6, 7, 8, 9, 10],
            "0 was used last but for 10"
        );
    }

    #[test]
    fn a_cache_stays_near_its_limit_and_is_not_listed_while_it_is_small() {
        let folder = tempfile::tempdir().unwrap();
        let bytes = vec![0; 100 - DIGEST];
        // Eight entries are a folder's share.
        let limit = FOLDERS * 8 * 100;
        for run in 0..160 {
            let cache = Cache::at(folder.path().into(), limit);
            for index in 0..16 {
                cache.put(&key(&format!("{run}.{index}")), &bytes);
            }
            assert!(run >= 32 || !cache.may_be_full(), "a quarter of the limit");
            drop(cache);
        }
        let left = entries(folder.path());
        let total: u64 = left.iter().map(|(_, bytes, _)| bytes).sum();
        assert!(
            total <= limit && total > limit / 2,
            "{total} bytes are left"
        );
    }

    #[test]
    fn many_compilers_may_share_a_folder() {
        let folder = tempfile::tempdir().unwrap();
        let content = |name: usize| vec![name as u8; 10_000 + name];
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for round in 0..200_usize {
                        let cache = Cache::at(folder.path().into(), 60_000);
                        let name = round % 8;
                        if let Some(found) = cache.get(&key(&name.to_string())) {
                            assert_eq!(found, content(name));
                        }
                        cache.put(&key(&name.to_string()), &content(name));
                    }
                });
            }
        });
        let left = entries(folder.path());
        let total: u64 = left.iter().map(|(_, bytes, _)| bytes).sum();
        assert!(total <= 60_000, "{total} bytes are left");
    }

    #[test]
    fn a_folder_that_cannot_be_made_is_no_cache() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        let cache = Cache::at(file, LIMIT);
        cache.put(&key("a"), b"one");
        assert_eq!(cache.get(&key("a")), None);
    }
}
