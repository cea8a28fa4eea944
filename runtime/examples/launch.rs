//! How long it takes to start and end a parallel loop that does nothing: one right after the other,
//! and after a pause in which the workers fell asleep.
//!
//! `cargo run --release -p relay-runtime --example launch`

use relay_runtime::pool::{Pool, available_threads};
use std::{
    ffi::c_void,
    ptr, thread,
    time::{Duration, Instant},
};

unsafe extern "C" fn nothing(_: *const c_void, _: i64, _: i64) {}

/// The median and the 99th percentile of `count` launches, in microseconds.
fn measure(pool: &Pool, count: u32, pause: Duration) -> (f64, f64) {
    let mut times: Vec<f64> = (0..count)
        .map(|_| {
            if !pause.is_zero() {
                thread::sleep(pause);
            }
            let start = Instant::now();
            // SAFETY: the body uses nothing.
            unsafe { pool.parallel_for(nothing, ptr::null(), 64, 0) };
            start.elapsed().as_secs_f64() * 1e6
        })
        .collect();
    times.sort_by(f64::total_cmp);
    let at = |percent: usize| times[times.len() * percent / 100];
    (at(50), at(99))
}

fn main() {
    println!("threads  awake: median, p99 us  asleep: median, p99 us");
    for threads in 1..=available_threads() {
        let pool = match Pool::new(threads) {
            Ok(pool) => pool,
            Err(error) => return println!("{error}"),
        };
        let awake = measure(&pool, 20_000, Duration::ZERO);
        let asleep = measure(&pool, 300, Duration::from_millis(2));
        println!(
            "{threads:7}  {:13.2}  {:7.2}  {:14.2}  {:7.2}",
            awake.0, awake.1, asleep.0, asleep.1
        );
    }
}
