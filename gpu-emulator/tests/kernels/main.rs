//! Kernels in Rust, run on grids without the driver's functions.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on says where")]

use relay_gpu_emulator::{
    block::Launch,
    grid,
    kernel::{
        Kernel, relay_emulator_barrier, relay_emulator_index, relay_emulator_shared,
        relay_emulator_shuffle,
    },
    options::Order,
    status::{Failure, Status},
};
use std::{
    ffi::c_void,
    ptr,
    sync::atomic::{AtomicU32, Ordering},
};

/// All orders of threads that a kernel without faults gives the same results in.
const ORDERS: [Order; 4] = [
    Order::Forward,
    Order::Backward,
    Order::Shuffled(1),
    Order::Shuffled(99),
];

/// Runs a kernel whose only parameter is a pointer to these numbers.
fn run(
    kernel: Kernel,
    numbers: &mut [i64],
    grid: [u32; 3],
    block: [u32; 3],
    shared: u32,
    order: Order,
) -> Result<(), Failure> {
    let mut pointer: *mut c_void = numbers.as_mut_ptr().cast();
    let arguments = [(&raw mut pointer).cast::<c_void>()];
    let launch = Launch {
        kernel,
        arguments: arguments.as_ptr(),
        grid,
        block,
        shared,
        warp: 32,
        order,
    };
    // SAFETY: each kernel below writes only numbers of its own threads.
    unsafe { grid::run(&launch) }
}

/// The numbers that a kernel is launched with.
///
/// # Safety
/// Called by a kernel with its arguments.
unsafe fn numbers(arguments: *const *mut c_void) -> *mut i64 {
    // SAFETY: as the caller promises.
    unsafe { *(*arguments).cast::<*mut i64>() }
}

fn index(what: i32) -> i64 {
    relay_emulator_index(what)
}

/// The number of a thread of a grid along x.
fn global() -> i64 {
    index(3) * index(6) + index(0)
}

/// Each thread writes all its indices.
unsafe extern "C-unwind" fn write_indices(arguments: *const *mut c_void) {
    let (thread, block) = (
        index(0) + index(6) * (index(1) + index(7) * index(2)),
        index(3) + index(9) * (index(4) + index(10) * index(5)),
    );
    let threads = index(6) * index(7) * index(8);
    let at = 13 * (block * threads + thread);
    for what in 0..13 {
        // SAFETY: the test has so many numbers.
        unsafe { *numbers(arguments).offset((at + what) as isize) = index(what as i32) };
    }
}

#[test]
fn threads_have_their_indices() {
    let (grid, block) = ([3, 2, 2], [5, 4, 3]);
    let mut found = vec![-1; 12 * 60 * 13];
    run(write_indices, &mut found, grid, block, 0, Order::Forward).unwrap();
    let mut expected = Vec::new();
    let places = |[x, y, z]: [i64; 3]| {
        (0..z).flat_map(move |c| (0..y).flat_map(move |b| (0..x).map(move |a| [a, b, c])))
    };
    for at in places([3, 2, 2]) {
        for (number, thread) in places([5, 4, 3]).enumerate() {
            expected.extend([thread, at, [5, 4, 3], [3, 2, 2]].into_iter().flatten());
            expected.push(number as i64 % 32);
        }
    }
    assert_eq!(found, expected);
}

/// Reverses the numbers of a block, through shared memory.
unsafe extern "C-unwind" fn reverse(arguments: *const *mut c_void) {
    // SAFETY: the test has a number for each thread, in shared memory, too.
    unsafe {
        let (own, other) = (8 * index(0), 8 * (index(6) - 1 - index(0)));
        let place = numbers(arguments).offset(global() as isize);
        *relay_emulator_shared(own).cast::<i64>() = *place;
        relay_emulator_barrier();
        *place = *relay_emulator_shared(other).cast::<i64>();
    }
}

#[test]
fn a_barrier_parts_writes_from_reads() {
    for order in ORDERS {
        let mut found: Vec<i64> = (0..700).collect();
        run(reverse, &mut found, [7, 1, 1], [100, 1, 1], 800, order).unwrap();
        let expected: Vec<i64> = (0..7)
            .flat_map(|block| (0..100).rev().map(move |thread| 100 * block + thread))
            .collect();
        assert_eq!(found, expected, "{order:?}");
    }
}

/// As `reverse`, without the barrier.
unsafe extern "C-unwind" fn race(arguments: *const *mut c_void) {
    // SAFETY: as for `reverse`.
    unsafe {
        let (own, other) = (8 * index(0), 8 * (index(6) - 1 - index(0)));
        let place = numbers(arguments).offset(global() as isize);
        *relay_emulator_shared(own).cast::<i64>() = *place;
        *place = *relay_emulator_shared(other).cast::<i64>();
    }
}

#[test]
fn a_missing_barrier_shows() {
    let results = ORDERS.map(|order| {
        let mut found: Vec<i64> = (0..100).collect();
        run(race, &mut found, [1, 1, 1], [100, 1, 1], 800, order).unwrap();
        found
    });
    assert_ne!(results[0], results[1]);
    // What was not written is filled with ones.
    assert!(results.iter().all(|found| found.contains(&-1)));
}

/// Sums the numbers of each warp by a tree of shuffles, the numbers of each group of eight by another, and takes that of lane 5.
unsafe extern "C-unwind" fn sum(arguments: *const *mut c_void) {
    // SAFETY: the test has four numbers for each thread.
    unsafe {
        let place = numbers(arguments).offset(4 * global() as isize);
        let own = *place as i32;
        let (mut warp, mut eight) = (own, own);
        for offset in [16, 8, 4, 2, 1] {
            warp += relay_emulator_shuffle(warp, 0, offset, 32);
        }
        for offset in [4, 2, 1] {
            eight += relay_emulator_shuffle(eight, 2, offset, 8);
        }
        *place = i64::from(warp);
        *place.add(1) = i64::from(eight);
        *place.add(2) = i64::from(relay_emulator_shuffle(own, 3, 5, 32));
        *place.add(3) = i64::from(relay_emulator_shuffle(own, 1, 1, 32));
    }
}

#[test]
fn lanes_exchange_values() {
    for order in ORDERS {
        let mut found = vec![0; 4 * 128];
        for (thread, numbers) in found.chunks_mut(4).enumerate() {
            numbers[0] = thread as i64;
        }
        run(sum, &mut found, [2, 1, 1], [64, 1, 1], 0, order).unwrap();
        for (thread, numbers) in (0_i64..).zip(found.chunks(4)) {
            let (warp, lane) = (thread / 32 * 32, thread % 32);
            assert_eq!(numbers[0], 32 * warp + 31 * 16, "{order:?}");
            if lane % 8 == 0 {
                assert_eq!(numbers[1], 8 * thread + 28, "{order:?}");
            }
            assert_eq!(numbers[2], warp + 5, "{order:?}");
            assert_eq!(numbers[3], warp + (lane - 1).max(0), "{order:?}");
        }
    }
}

/// The first half of the block waits, the other half ends.
unsafe extern "C-unwind" fn skip_barrier(_arguments: *const *mut c_void) {
    if index(0) < index(6) / 2 {
        relay_emulator_barrier();
    }
}

/// Half of a warp shuffles, the other half waits for the block.
unsafe extern "C-unwind" fn skip_shuffle(_arguments: *const *mut c_void) {
    if index(0) < 16 {
        relay_emulator_shuffle(0, 0, 1, 32);
    } else {
        relay_emulator_barrier();
    }
}

/// Asks for shared memory that the launch has not.
unsafe extern "C-unwind" fn exceed_shared(_arguments: *const *mut c_void) {
    relay_emulator_shared(64);
}

unsafe extern "C-unwind" fn shuffle_seven(_arguments: *const *mut c_void) {
    relay_emulator_shuffle(0, 0, 1, 7);
}

unsafe extern "C-unwind" fn panic_in_thread_3(_arguments: *const *mut c_void) {
    relay_emulator_barrier();
    assert_ne!(index(0), 3);
}

unsafe extern "C-unwind" fn do_nothing(_arguments: *const *mut c_void) {}

#[test]
fn faults_of_kernels_are_errors() {
    let cases: [(Kernel, &str); 5] = [
        (
            skip_barrier,
            "thread (0, 0, 0) of block (0, 0, 0) waits at a barrier, and thread (32, 0, 0) of block (0, 0, 0) has ended without it",
        ),
        (
            skip_shuffle,
            "thread (0, 0, 0) of block (0, 0, 0) waits at a shuffle, and thread (16, 0, 0) of block (0, 0, 0) of its warp waits at a \
             barrier",
        ),
        (
            exceed_shared,
            "thread (0, 0, 0) of block (0, 0, 0) asks for byte 64 of the shared memory, which has 64",
        ),
        (
            shuffle_seven,
            "thread (0, 0, 0) of block (0, 0, 0) shuffles by mode 0 in groups of 7 lanes",
        ),
        (
            panic_in_thread_3,
            "thread (3, 0, 0) of block (0, 0, 0) panicked",
        ),
    ];
    for (kernel, reason) in cases {
        let failure = run(kernel, &mut [], [1, 1, 1], [64, 1, 1], 64, Order::Forward);
        let expected = Failure::new(Status::LaunchFailed, reason);
        assert_eq!(failure, Err(expected));
    }
}

#[test]
fn sizes_have_limits() {
    let cases = [
        ([1, 1, 1], [1025, 1, 1], 0, "1024 threads"),
        ([1, 1, 1], [33, 32, 1], 0, "1024 threads"),
        ([1, 1, 1], [1, 1, 65], 0, "1024 threads"),
        ([0, 1, 1], [1, 1, 1], 0, "blocks"),
        ([1, 65536, 1], [1, 1, 1], 0, "blocks"),
        ([1, 1, 1], [1, 1, 1], (227 << 10) + 1, "232448 bytes"),
    ];
    for (grid, block, shared, reason) in cases {
        let failure = run(do_nothing, &mut [], grid, block, shared, Order::Forward);
        let failure = failure.unwrap_err();
        assert_eq!(failure.status, Status::InvalidValue);
        assert!(failure.reason.contains(reason), "{failure:?}");
    }
    let most = run(
        do_nothing,
        &mut [],
        [1, 1, 1],
        [32, 32, 1],
        227 << 10,
        Order::Forward,
    );
    assert_eq!(most, Ok(()));
}

/// Each block counts itself.
unsafe extern "C-unwind" fn count(arguments: *const *mut c_void) {
    // SAFETY: the first number is a counter, and is used as one only.
    let counter = unsafe { &*numbers(arguments).cast::<AtomicU32>() };
    counter.fetch_add(1, Ordering::Relaxed);
}

#[test]
fn each_thread_of_each_block_runs_once() {
    let mut counter = [0];
    run(
        count,
        &mut counter,
        [1000, 3, 2],
        [8, 2, 2],
        0,
        Order::Backward,
    )
    .unwrap();
    assert_eq!(counter, [6000 * 32]);
}

#[test]
fn outside_of_a_kernel_there_are_no_indices() {
    assert_eq!(relay_emulator_index(0), -1);
    assert_eq!(relay_emulator_shared(0), ptr::null_mut());
    relay_emulator_barrier();
    assert_eq!(relay_emulator_shuffle(7, 0, 1, 32), 7);
}
