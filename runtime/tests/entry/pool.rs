//! The pool alone.

use relay_runtime::pool::{Pool, available_threads};
use std::{
    collections::HashSet,
    ffi::c_void,
    sync::{
        Mutex,
        atomic::{AtomicU32, Ordering},
    },
    thread::ThreadId,
    time::{Duration, Instant},
};

unsafe extern "C" fn count(closure: *const c_void, begin: i64, end: i64) {
    // SAFETY: the test passes a list of as many counters as the loop has iterations.
    let counters = unsafe { &*closure.cast::<Vec<AtomicU32>>() };
    for index in begin..end {
        counters[index as usize].fetch_add(1, Ordering::Relaxed);
    }
}

fn check(pool: &Pool, extent: usize, most: i64) {
    let counters: Vec<AtomicU32> = (0..extent).map(|_| AtomicU32::new(0)).collect();
    // SAFETY: the counters outlive the loop and can be changed by many threads.
    unsafe { pool.parallel_for(count, (&raw const counters).cast(), extent as i64, most) };
    let counts: Vec<u32> = counters.into_iter().map(AtomicU32::into_inner).collect();
    assert_eq!(counts, vec![1; extent], "{} threads", pool.threads());
}

#[test]
fn every_iteration_runs_once() {
    for threads in [1, 2, 3, 8] {
        let pool = Pool::new(threads).unwrap();
        assert_eq!(pool.threads(), threads);
        for extent in [0, 1, 2, 3, 7, 8, 9, 64, 1023] {
            for most in [0, 1, 2, 100] {
                check(&pool, extent, most);
            }
        }
    }
}

/// Every part waits for all others: it ends if they run at the same time.
unsafe extern "C" fn meet(closure: *const c_void, begin: i64, end: i64) {
    // SAFETY: the test passes a counter of iterations that have begun, and the extent.
    let (begun, extent) = unsafe { &*closure.cast::<(AtomicU32, u32)>() };
    begun.fetch_add((end - begin) as u32, Ordering::SeqCst);
    let start = Instant::now();
    while begun.load(Ordering::SeqCst) < *extent && start.elapsed() < Duration::from_secs(20) {
        std::thread::yield_now();
    }
}

#[test]
fn parts_run_at_the_same_time() {
    for threads in [2_u32, 5] {
        let pool = Pool::new(threads as usize).unwrap();
        for pause in [0, 1, 5] {
            std::thread::sleep(Duration::from_millis(pause));
            let closure = (AtomicU32::new(0), threads);
            let start = Instant::now();
            // SAFETY: the counter outlives the loop and can be changed by many threads.
            unsafe { pool.parallel_for(meet, (&raw const closure).cast(), i64::from(threads), 0) };
            assert!(
                start.elapsed() < Duration::from_secs(10),
                "{threads} threads did not meet"
            );
        }
    }
}

/// Notes the thread of each iteration.
unsafe extern "C" fn note(closure: *const c_void, begin: i64, end: i64) {
    // SAFETY: the test passes a list that is locked.
    let threads = unsafe { &*closure.cast::<Mutex<HashSet<ThreadId>>>() };
    for _ in begin..end {
        threads.lock().unwrap().insert(std::thread::current().id());
        std::thread::sleep(Duration::from_micros(100));
    }
}

#[test]
fn a_loop_has_no_more_threads_than_it_says() {
    let pool = Pool::new(4).unwrap();
    for most in [1, 2, 3] {
        let threads: Mutex<HashSet<ThreadId>> = Mutex::default();
        // SAFETY: the list outlives the loop and is locked by each thread.
        unsafe { pool.parallel_for(note, (&raw const threads).cast(), 64, most) };
        let found = threads.into_inner().unwrap();
        assert!(found.len() <= most as usize, "{found:?} of {most}");
        if most == 1 {
            assert!(found.contains(&std::thread::current().id()));
        }
    }
}

/// Iterations take long on the pool's own thread, and it counts them.
unsafe extern "C" fn linger(closure: *const c_void, begin: i64, end: i64) {
    let thread = std::thread::current();
    if thread.name() == Some("relay-1") {
        // SAFETY: the test passes a counter.
        let counter = unsafe { &*closure.cast::<AtomicU32>() };
        counter.fetch_add((end - begin) as u32, Ordering::Relaxed);
        std::thread::sleep(Duration::from_millis((end - begin) as u64));
    }
}

#[test]
fn slow_threads_are_helped() {
    let pool = Pool::new(2).unwrap();
    let (slow, extent) = (AtomicU32::new(0), 200_u32);
    // SAFETY: the counter outlives the loop and can be changed by many threads.
    unsafe { pool.parallel_for(linger, (&raw const slow).cast(), i64::from(extent), 0) };
    let slow = slow.into_inner();
    assert!(slow < extent / 2, "{slow} of {extent} on the slow thread");
}

#[test]
fn instances_share_processors() {
    // More pools at once than there are processors, each with as many threads as there are.
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let pool = Pool::new(0).unwrap();
                (0..500).for_each(|extent| check(&pool, extent % 50, 0));
            });
        }
    });
}

#[test]
fn no_loop_is_lost_around_falling_asleep() {
    let pool = Pool::new(available_threads()).unwrap();
    for pause in (0..300).map(Duration::from_micros) {
        check(&pool, 5, 0);
        std::thread::sleep(pause);
    }
}

#[test]
fn many_short_loops() {
    for threads in [2, 3] {
        let pool = Pool::new(threads).unwrap();
        for extent in 0..20_000 {
            check(&pool, extent % 5, 0);
        }
    }
}

#[test]
fn callers_may_share_a_pool() {
    let pool = Pool::new(2).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| (0..2000).for_each(|extent| check(&pool, extent % 9, 0)));
        }
    });
}

/// How often the threads of this process with that name have gone to sleep, as the kernel counts.
fn sleeps(name: &str) -> u32 {
    let tasks = std::fs::read_dir("/proc/self/task").unwrap();
    // A thread that ends meanwhile has no file any more.
    let statuses =
        tasks.filter_map(|task| std::fs::read_to_string(task.unwrap().path().join("status")).ok());
    let count = |status: String| {
        let field = |name: &str| {
            let value = status.lines().find_map(|line| line.strip_prefix(name));
            value.unwrap().trim().to_owned()
        };
        (field("Name:") == name).then(|| field("voluntary_ctxt_switches:").parse::<u32>().unwrap())
    };
    statuses.filter_map(count).sum()
}

/// Iterations take about a microsecond.
unsafe extern "C" fn work(_: *const c_void, begin: i64, end: i64) {
    for _ in 0..100 * (end - begin) {
        std::hint::spin_loop();
    }
}

#[test]
fn a_worker_stays_awake_between_loops() {
    // No other loop of this process takes processors; each test has a process of its own with nextest.
    if available_threads() < 2 {
        return;
    }
    let (pool, loops) = (Pool::new(2).unwrap(), 10_000);
    let before = sleeps("relay-1");
    for _ in 0..loops {
        // SAFETY: the body uses nothing.
        unsafe { pool.parallel_for(work, std::ptr::null(), 4, 0) };
    }
    let slept = sleeps("relay-1") - before;
    // A busy system takes the processor from the caller now and then, for longer than a worker waits.
    assert!(slept < loops / 50, "{slept} times in {loops} loops");
}
