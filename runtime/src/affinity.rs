//! Where the workers of a pool may run: not behind the thread that wakes them.
//!
//! Linux may put a thread that is woken on the processor of the thread that wakes it, though another one is idle:
//! in a virtual machine it takes a processor that sleeps for one that the host has lent to others. The worker then
//! waits until the loop that it was woken for is over. A model that runs for less than the scheduler's period, some
//! milliseconds, then runs on one processor for as many runs as fit into it. So the caller keeps a worker that it
//! wakes off its own processor.

use rustix::thread::{CpuSet, Pid, gettid, sched_getaffinity, sched_getcpu, sched_setaffinity};

/// A thread, and the processors that it may run on.
pub struct Affinity {
    thread: Pid,
    /// What others allow: the thread that started it, or whoever changed it later.
    allowed: CpuSet,
    /// What was last seen or set here.
    chosen: CpuSet,
}

impl Affinity {
    /// That of the calling thread; none where the system does not tell.
    pub fn of_this_thread() -> Option<Self> {
        let allowed = sched_getaffinity(None).ok()?;
        Some(Self {
            thread: gettid(),
            allowed,
            chosen: allowed,
        })
    }

    /// Keeps the thread off the processor that makes this call, if it may run on another one. This is a matter of
    /// speed alone, so that a system that does not let us changes nothing.
    pub fn leave_this_processor(&mut self) {
        let Ok(now) = sched_getaffinity(Some(self.thread)) else {
            return;
        };
        if now != self.chosen {
            self.allowed = now;
        }
        let mut others = self.allowed;
        others.unset(sched_getcpu());
        let moves = others != now && others.count() > 0;
        self.chosen = if moves && sched_setaffinity(Some(self.thread), &others).is_ok() {
            others
        } else {
            now
        };
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on says where")]
mod tests {
    use super::*;
    use std::{sync::mpsc::channel, thread};

    /// The processors of a list such as `0-2,7`, as the kernel writes it.
    fn parsed(list: &str) -> Vec<usize> {
        let ends = |range: &str| {
            let (first, last) = range.split_once('-').unwrap_or((range, range));
            (first.parse().unwrap(), last.parse().unwrap())
        };
        let ranges = list.trim().split(',').map(ends);
        ranges
            .flat_map(|(first, last): (usize, usize)| first..=last)
            .collect()
    }

    /// The processors that a thread of this process may run on, as the kernel tells.
    fn processors(thread: Pid) -> Vec<usize> {
        let path = format!("/proc/self/task/{}/status", thread.as_raw_nonzero());
        let status = std::fs::read_to_string(path).unwrap();
        let prefix = "Cpus_allowed_list:";
        let line = status.lines().find_map(|line| line.strip_prefix(prefix));
        parsed(line.unwrap())
    }

    /// Calls `test` with the affinity of a thread that sleeps, while this thread stays on the first of the
    /// processors that it may use; they are passed, too.
    fn with_sleeper(test: impl FnOnce(&mut Affinity, &[usize])) {
        let (tell, told) = channel();
        let (end, ended) = channel::<()>();
        let sleeper = thread::spawn(move || {
            tell.send(Affinity::of_this_thread().unwrap()).unwrap();
            let _ = ended.recv();
        });
        let mut affinity = told.recv().unwrap();
        let all = processors(affinity.thread);
        sched_setaffinity(None, &set(&all[..1])).unwrap();
        test(&mut affinity, &all);
        drop(end);
        sleeper.join().unwrap();
    }

    fn set(processors: &[usize]) -> CpuSet {
        let mut set = CpuSet::new();
        processors.iter().for_each(|processor| set.set(*processor));
        set
    }

    #[test]
    fn a_thread_leaves_the_processor_of_the_caller() {
        with_sleeper(|affinity, all| {
            affinity.leave_this_processor();
            let others = if all.len() > 1 { &all[1..] } else { all };
            assert_eq!(processors(affinity.thread), others);
        });
    }

    #[test]
    fn a_thread_may_come_back_when_the_caller_has_moved() {
        with_sleeper(|affinity, all| {
            affinity.leave_this_processor();
            let last = all.len() - 1;
            sched_setaffinity(None, &set(&all[last..])).unwrap();
            affinity.leave_this_processor();
            let others = if all.len() > 1 { &all[..last] } else { all };
            assert_eq!(processors(affinity.thread), others);
        });
    }

    #[test]
    fn what_others_allow_stays() {
        with_sleeper(|affinity, all| {
            affinity.leave_this_processor();
            // Nothing but the processor of the caller.
            sched_setaffinity(Some(affinity.thread), &set(&all[..1])).unwrap();
            affinity.leave_this_processor();
            assert_eq!(processors(affinity.thread), &all[..1]);
        });
    }
}
