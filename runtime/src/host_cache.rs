//! The size of this machine's second-level cache, from what Linux reports.

use std::{fs, path::Path};

/// Where Linux describes processors.
const PROCESSORS: &str = "/sys/devices/system/cpu";

/// The bytes of the smallest second-level cache of a core; `None` if the system does not say.
pub fn bytes() -> Option<i64> {
    smallest(Path::new(PROCESSORS))
}

fn smallest(processors: &Path) -> Option<i64> {
    let folders = fs::read_dir(processors).ok()?.flatten();
    let caches = folders.flat_map(|processor| {
        let caches = fs::read_dir(processor.path().join("cache"));
        caches.into_iter().flatten().flatten()
    });
    caches.filter_map(|cache| of_core(&cache.path())).min()
}

/// The size of a cache, if it is a second-level one for data.
fn of_core(cache: &Path) -> Option<i64> {
    let read = |name: &str| fs::read_to_string(cache.join(name)).ok();
    let is_wanted = read("level")?.trim() == "2" && read("type")?.trim() != "Instruction";
    if !is_wanted {
        return None;
    }
    let size = read("size")?;
    let kibibytes: i64 = size.trim().strip_suffix('K')?.parse().ok()?;
    (kibibytes > 0).then_some(kibibytes << 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes what Linux says of a cache.
    fn write(root: &Path, place: &str, [level, kind, size]: [&str; 3]) {
        let folder = root.join(place);
        fs::create_dir_all(&folder).expect("a folder can be made");
        for (name, text) in [("level", level), ("type", kind), ("size", size)] {
            fs::write(folder.join(name), format!("{text}\n")).expect("a file can be written");
        }
    }

    #[test]
    fn cores_may_differ() {
        let root = tempfile::tempdir().expect("a folder can be made");
        assert_eq!(smallest(root.path()), None);
        write(root.path(), "cpu0/cache/index0", ["1", "Data", "48K"]);
        write(
            root.path(),
            "cpu0/cache/index1",
            ["2", "Instruction", "64K"],
        );
        assert_eq!(smallest(root.path()), None);
        write(root.path(), "cpu0/cache/index2", ["2", "Unified", "2048K"]);
        write(root.path(), "cpu1/cache/index2", ["2", "Unified", "1280K"]);
        write(
            root.path(),
            "cpu0/cache/index3",
            ["3", "Unified", "266240K"],
        );
        write(
            root.path(),
            "cpuidle/cache/index0",
            ["2", "Unified", "none"],
        );
        assert_eq!(smallest(root.path()), Some(1280 << 10));
    }
}
