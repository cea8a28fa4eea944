//! How many threads a process takes whose control group has a quota.

use relay_runtime::pool::available_threads;
use std::{env, fs, path::PathBuf, process::Command};

/// Names the group that the process which this test starts is to join.
const GROUP: &str = "RELAY_TEST_CGROUP";

/// A control group, until it is dropped.
struct Group(PathBuf);

impl Group {
    /// One whose processes may use one processor of all there are; `None` where none can be made,
    /// which takes rights.
    fn of_one_processor() -> Option<Self> {
        let name = format!("relay-test-{}", std::process::id());
        let make = |root: &str, quota: &[(&str, &str)]| {
            let group = Self(PathBuf::from(root).join(&name));
            fs::create_dir(&group.0).ok()?;
            // In a folder that is no control group, these files would have to be made.
            let set = |(file, text): &(&str, &str)| {
                let file = fs::OpenOptions::new().write(true).open(group.0.join(file));
                file.is_ok_and(|mut file| {
                    std::io::Write::write_all(&mut file, text.as_bytes()).is_ok()
                })
            };
            quota.iter().all(set).then_some(group)
        };
        let old = [
            ("cpu.cfs_period_us", "100000"),
            ("cpu.cfs_quota_us", "100000"),
        ];
        make("/sys/fs/cgroup", &[("cpu.max", "100000 100000")])
            .or_else(|| make("/sys/fs/cgroup/cpu", &old))
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // The processes in it have ended.
        let _ = fs::remove_dir(&self.0);
    }
}

#[test]
fn a_quota_of_one_processor_is_one_thread() {
    if let Some(group) = env::var_os(GROUP) {
        fs::write(PathBuf::from(group).join("cgroup.procs"), "0").unwrap();
        assert_eq!(available_threads(), 1);
        return;
    }
    let Some(group) = Group::of_one_processor() else {
        eprintln!("not tested: this user cannot make a control group with a quota");
        return;
    };
    if available_threads() < 2 {
        eprintln!("not tested: this process may use one processor only");
        return;
    }
    let child = Command::new(env::current_exe().unwrap())
        .args(["--exact", "cgroup::a_quota_of_one_processor_is_one_thread"])
        .env(GROUP, &group.0)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&child.stdout);
    assert!(
        child.status.success() && text.contains("1 passed"),
        "{text}"
    );
}
