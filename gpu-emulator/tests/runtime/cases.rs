//! The cases. Each is run by a test, in a process with the right environment.

use crate::{
    IN_CASE,
    driver::{Allocation, taken},
    model::{
        COUNT, Changes, Loaded, WEIGHTS, argument, descriptor, expected, image, launch, ramp,
        run_on, run_pointers,
    },
};
use relay_runtime::{device::Image, ffi::device::relay_rt_device_variant, instance::Instance};
use std::{
    env,
    ffi::c_void,
    ptr,
    sync::{
        OnceLock,
        atomic::{AtomicI32, Ordering},
    },
    thread,
};

/// Defines cases, which do nothing where no test runs them.
macro_rules! cases {
    ($($name:ident $body:block)*) => {
        $(
            #[test]
            #[ignore = "a test runs it with an environment"]
            fn $name() {
                if env::var_os(IN_CASE).is_some() {
                    $body
                }
            }
        )*
    };
}

fn instance(changes: Changes) -> Result<Instance, String> {
    Instance::new(descriptor(changes), 1)
}

/// An instance of the model as it is.
fn usual() -> Instance {
    instance(Changes::default()).unwrap()
}

/// The number of the variant that the graph of an instance runs.
fn variant() -> i32 {
    static FOUND: AtomicI32 = AtomicI32::new(-1);
    unsafe extern "C" fn ask(
        _inputs: *const *const c_void,
        _outputs: *const *mut c_void,
        _arena: *mut c_void,
        _weights: *const u8,
        instance: *const c_void,
        _symbols: *const i64,
    ) -> i32 {
        // SAFETY: the runtime calls it with the instance.
        FOUND.store(
            unsafe { relay_rt_device_variant(instance) },
            Ordering::Relaxed,
        );
        0
    }
    let changes = Changes {
        run: ask,
        ..Changes::default()
    };
    let (x, mut y) = (ramp(COUNT), vec![0.0; COUNT]);
    run_on(&instance(changes).unwrap(), &x, &mut y).unwrap();
    FOUND.load(Ordering::Relaxed)
}

/// Why there is no instance.
fn refusal(changes: Changes) -> String {
    instance(changes).err().unwrap()
}

fn contains(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "{text}\nhas no\n{part}");
    }
}

/// Why a run of a graph fails. It leaves the output as it was, and the instance can run again.
fn failure(run: relay_runtime::descriptor::RunGraph) -> String {
    let changes = Changes {
        run,
        ..Changes::default()
    };
    let instance = instance(changes).unwrap();
    let (x, mut y) = (ramp(COUNT), vec![7.0; COUNT]);
    let reason = run_on(&instance, &x, &mut y).unwrap_err();
    assert_eq!(y, vec![7.0; COUNT]);
    assert_eq!(run_on(&instance, &x, &mut y), Err(reason.clone()));
    reason
}

/// A graph that launches one kernel of an image, with the output as both tensors, and a number of elements.
macro_rules! graph {
    ($name:ident, $image:expr, $kernel:expr, $sizes:expr) => {
        graph!($name, $image, $kernel, $sizes, 0);
    };
    ($name:ident, $image:expr, $kernel:expr, $sizes:expr, $count:expr) => {
        unsafe extern "C" fn $name(
            _inputs: *const *const c_void,
            outputs: *const *mut c_void,
            _arena: *mut c_void,
            _weights: *const u8,
            instance: *const c_void,
            _symbols: *const i64,
        ) -> i32 {
            // SAFETY: the runtime calls it with an output; the kernels write to no other memory.
            unsafe {
                let (mut y, mut n) = (*outputs, $count as i64);
                let arguments = [argument(&mut y), argument(&mut y), argument(&mut n)];
                launch(instance, $image, $kernel, $sizes, &arguments);
                // After an error nothing is launched.
                launch(instance, image(), c"reverse", (1, 1, 4), &arguments);
            }
            0
        }
    };
}

graph!(launch_missing, image(), c"no_such_kernel", (1, 1, 0));
graph!(launch_failing, image(), c"skip", (64, 64, 0));
graph!(launch_many, image(), c"reverse", (2048, 2048, 0));
graph!(
    launch_beyond,
    image(),
    c"reverse",
    (8 * 256, 256, 1024),
    8 * 256
);
graph!(launch_text, text_image(), c"scale", (1, 1, 0));

/// An image that the emulated driver refuses: text for a GPU.
fn text_image() -> &'static Image {
    static TEXT: OnceLock<Loaded> = OnceLock::new();
    let text = || Loaded::new(b".version 8.0\n.target sm_80".to_vec());
    &TEXT.get_or_init(text).image
}

/// A graph that writes the numbers of threads in their warps.
unsafe extern "C" fn run_lanes(
    _inputs: *const *const c_void,
    outputs: *const *mut c_void,
    _arena: *mut c_void,
    _weights: *const u8,
    instance: *const c_void,
    _symbols: *const i64,
) -> i32 {
    // SAFETY: the runtime calls it with an output of more numbers than there are threads.
    unsafe {
        let mut y = *outputs;
        launch(
            instance,
            image(),
            c"lane",
            (256, 256, 0),
            &[argument(&mut y)],
        );
    }
    0
}

/// The lanes of the first threads.
fn lanes() -> Vec<f32> {
    let instance = instance(Changes {
        run: run_lanes,
        ..Changes::default()
    })
    .unwrap();
    let (x, mut y) = (ramp(COUNT), vec![7.0; COUNT]);
    run_on(&instance, &x, &mut y).unwrap();
    y.truncate(256);
    y
}

/// A graph that computes sines of its input.
unsafe extern "C" fn run_sine(
    inputs: *const *const c_void,
    outputs: *const *mut c_void,
    _arena: *mut c_void,
    _weights: *const u8,
    instance: *const c_void,
    _symbols: *const i64,
) -> i32 {
    // SAFETY: the runtime calls it with an input and an output of so many numbers.
    unsafe {
        let (mut x, mut y, mut n) = (*inputs, *outputs, COUNT as i64);
        let arguments = [argument(&mut y), argument(&mut x), argument(&mut n)];
        launch(instance, image(), c"sine", (n, 128, 0), &arguments);
    }
    0
}

/// A graph that reads its input as if that were memory of the host.
unsafe extern "C" fn touch_input(
    inputs: *const *const c_void,
    _outputs: *const *mut c_void,
    _arena: *mut c_void,
    _weights: *const u8,
    _instance: *const c_void,
    _symbols: *const i64,
) -> i32 {
    // SAFETY: the address is mapped; that this ends the process is what the test wants.
    unsafe { (*inputs).cast::<i32>().read_volatile() }
}

cases! {
    numbers {
        let instance = usual();
        for factor in [1.0, -2.0] {
            let x: Vec<f32> = ramp(COUNT).iter().map(|x| factor * x).collect();
            let mut y = vec![0.0; COUNT];
            run_on(&instance, &x, &mut y).unwrap();
            assert_eq!(y, expected(&x));
        }
    }

    mathematics {
        let instance = instance(Changes { run: run_sine, ..Changes::default() }).unwrap();
        let (x, mut y) = (ramp(COUNT), vec![0.0; COUNT]);
        run_on(&instance, &x, &mut y).unwrap();
        for (x, y) in x.iter().zip(y) {
            assert!((x.sin().abs() - y).abs() < 1e-6);
        }
    }

    at_once {
        let threads: Vec<_> = (0..4).map(|number| thread::spawn(move || {
            let instance = usual();
            for run in 0..20 {
                let x: Vec<f32> = ramp(COUNT).iter().map(|x| x + (number * 100 + run) as f32).collect();
                let mut y = vec![0.0; COUNT];
                run_on(&instance, &x, &mut y).unwrap();
                assert_eq!(y, expected(&x));
            }
        })).collect();
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    }

    sharing {
        let about = descriptor(Changes::default());
        let (arena, weights) = (4 * COUNT, size_of_val(&WEIGHTS));
        let first = Instance::new(about, 1).unwrap();
        assert_eq!(taken(), arena + weights);
        let second = Instance::new(about, 1).unwrap();
        assert_eq!(taken(), 2 * arena + weights);
        drop(first);
        let (x, mut y) = (ramp(COUNT), vec![0.0; COUNT]);
        run_on(&second, &x, &mut y).unwrap();
        assert_eq!(y, expected(&x));
        // The input, the output and the workspace stay for the next run.
        assert_eq!(taken(), 4 * arena + weights);
        drop(second);
        assert_eq!(taken(), 0);
    }

    on_device {
        let instance = usual();
        let before = taken();
        let x = ramp(COUNT);
        let (from, to) = (Allocation::new(&x, 0), Allocation::new(&x, 0));
        let places = taken();
        run_pointers(&instance, from.pointer(), to.pointer()).unwrap();
        assert_eq!(to.read(COUNT), expected(&x));
        // Tensors of the device are not copied: the workspace alone is new.
        assert_eq!(taken(), places + 4 * COUNT);
        assert!(before < places);
        // Those that kernels cannot use where they are, are.
        let (from, to) = (Allocation::new(&x, 4), Allocation::new(&x, 12));
        run_pointers(&instance, from.pointer(), to.pointer()).unwrap();
        assert_eq!(to.read(COUNT), expected(&x));
        // One on the device, one on the host.
        let mut y = vec![0.0; COUNT];
        run_pointers(&instance, from.pointer(), y.as_mut_ptr().cast()).unwrap();
        assert_eq!(y, expected(&x));
    }

    open_sizes {
        let instance = instance(Changes { is_open: true, ..Changes::default() }).unwrap();
        for count in [1_usize, 5, 0, 3000, 257] {
            let (shape, mut filled) = (count as i64, 0_i64);
            let (given, wanted) = (&raw const shape, &raw mut filled);
            // SAFETY: both shapes have one dimension.
            unsafe { instance.prepare(&raw const given, &raw const wanted) }.unwrap();
            assert_eq!(filled, shape);
            let (x, mut y) = (ramp(count), vec![0.0; count]);
            run_on(&instance, &x, &mut y).unwrap();
            assert_eq!(y, expected(&x));
        }
    }

    zero_size {
        let instance = instance(Changes { is_open: true, ..Changes::default() }).unwrap();
        let shape = 0_i64;
        let given = &raw const shape;
        // SAFETY: the shape has one dimension.
        unsafe { instance.prepare(&raw const given, ptr::null()) }.unwrap();
        run_pointers(&instance, ptr::null(), ptr::null_mut()).unwrap();
    }

    donation {
        let instance = instance(Changes { donated: true, ..Changes::default() }).unwrap();
        let x = ramp(COUNT);
        let mut y = vec![0.0; COUNT];
        run_on(&instance, &x, &mut y).unwrap();
        assert_eq!((y, &x), (expected(&x), &ramp(COUNT)));
        let mut both = x.clone();
        let pointer: *mut c_void = both.as_mut_ptr().cast();
        run_pointers(&instance, pointer, pointer).unwrap();
        assert_eq!(both, expected(&x));
        let mut both = x.clone();
        run_pointers(&instance, both.as_mut_ptr().cast(), ptr::null_mut()).unwrap();
        assert_eq!(both, expected(&x));
        let place = Allocation::new(&x, 0);
        run_pointers(&instance, place.pointer(), ptr::null_mut()).unwrap();
        assert_eq!(place.read(COUNT), expected(&x));
    }

    profile {
        let instance = usual();
        let (x, mut y) = (ramp(COUNT), vec![0.0; COUNT]);
        run_on(&instance, &x, &mut y).unwrap();
        run_on(&instance, &x, &mut y).unwrap();
        let times = instance.node(0).unwrap();
        assert_eq!(times.calls, 2);
        assert!(times.nanoseconds > 0);
    }

    no_driver {
        contains(&refusal(Changes::default()), &[
            "no CUDA driver: /nonexistent/libcuda.so", "No such file", "check the path in RELAY_CUDA_DRIVER",
        ]);
    }

    no_functions {
        contains(&refusal(Changes::default()), &["libm.so.6 has no function cuInit; install a newer one"]);
    }

    no_device {
        contains(&refusal(Changes::default()), &["there is no GPU 3: the CUDA driver finds 1", "RELAY_CUDA_DEVICE"]);
    }

    no_number {
        contains(&refusal(Changes::default()), &["RELAY_CUDA_DEVICE is 'first', and must be the number of a GPU"]);
    }

    no_start {
        contains(&refusal(Changes::default()), &["cannot start the CUDA driver: cuInit returned CUDA_ERROR_INVALID_VALUE"]);
    }

    text {
        contains(&failure(launch_text), &[
            "kernel 'scale': cannot load the model's kernels to GPU 0 (Relay's emulated GPU",
            "cuModuleLoadDataEx returned CUDA_ERROR_NO_BINARY_FOR_GPU (no kernel image is available for execution on the device)",
            "the model has no code for this GPU; compile it for this one",
            "The driver says: the image is no shared object for this processor",
        ]);
    }

    text_of_model {
        let changes = Changes { image: text_image, ..Changes::default() };
        contains(&refusal(changes), &[
            "cannot load the model's kernels to GPU 0 (Relay's emulated GPU", "CUDA_ERROR_NO_BINARY_FOR_GPU", "The driver says: the image is no shared object",
        ]);
    }

    warp_of_64 {
        assert_eq!(lanes(), ramp(256).iter().map(|thread| thread % 64.0).collect::<Vec<f32>>());
    }

    warp_of_32 {
        assert_eq!(lanes(), ramp(256).iter().map(|thread| thread % 32.0).collect::<Vec<f32>>());
    }

    first_code {
        assert_eq!(variant(), 0);
    }

    second_code {
        assert_eq!(variant(), 1);
    }

    third_code {
        assert_eq!(variant(), 2);
    }

    no_code {
        contains(&refusal(Changes::default()), &[
            "GPU 0 (Relay's emulated GPU", "has the chip sm_75, and the model has code for sm_90, sm_80, gfx942",
            "--target \"cuda -arch=sm_75,sm_90,sm_80,gfx942\"",
        ]);
    }

    no_code_of_hip {
        contains(&refusal(Changes::default()), &["has the chip gfx1100, and the model has code for"]);
    }

    no_hip {
        contains(&refusal(Changes::default()), &[
            "no HIP runtime: /nonexistent/libamdhip64.so", "No such file", "check the path in RELAY_HIP_DRIVER",
        ]);
    }

    no_functions_of_hip {
        contains(&refusal(Changes::default()), &["the HIP runtime libm.so.6 has no function hipInit; install a newer one"]);
    }

    no_device_of_hip {
        contains(&refusal(Changes::default()), &[
            "there is no GPU 3: the HIP runtime finds 1; check RELAY_HIP_DEVICE and HIP_VISIBLE_DEVICES",
        ]);
    }

    failures_of_hip {
        contains(&failure(launch_missing), &[
            "kernel 'no_such_kernel': the model's image has no kernel 'no_such_kernel': hipModuleGetFunction returned hipErrorNotFound",
        ]);
        contains(&failure(launch_failing), &["hipModuleLaunchKernel returned hipErrorLaunchFailure", "AMD_SERIALIZE_KERNEL=3"]);
    }

    missing_kernel {
        contains(&failure(launch_missing), &[
            "kernel 'no_such_kernel': the model's image has no kernel 'no_such_kernel': cuModuleGetFunction returned \
             CUDA_ERROR_NOT_FOUND",
        ]);
    }

    failing_kernel {
        contains(&failure(launch_failing), &[
            "kernel 'skip': cannot run it on GPU 0", "a grid of 1 x 1 x 1 blocks of 64 x 1 x 1 threads",
            "cuLaunchKernel returned CUDA_ERROR_LAUNCH_FAILED",
        ]);
    }

    too_many_threads {
        contains(&failure(launch_many), &["blocks of 2048 x 1 x 1 threads", "CUDA_ERROR_INVALID_VALUE"]);
    }

    no_memory_for_constants {
        contains(&refusal(Changes::default()), &[
            "cannot allocate 4000 bytes on GPU 0", "cuMemAlloc_v2 returned CUDA_ERROR_OUT_OF_MEMORY (out of memory)",
            "make fewer instances or a smaller batch",
        ]);
        assert_eq!(taken(), 0);
    }

    no_memory_for_tensors {
        let instance = usual();
        let (x, mut y) = (ramp(COUNT), vec![7.0; COUNT]);
        let reason = run_on(&instance, &x, &mut y).unwrap_err();
        contains(&reason, &["cannot allocate 4000 bytes on GPU 0", "CUDA_ERROR_OUT_OF_MEMORY"]);
        assert_eq!(y, vec![7.0; COUNT]);
    }

    on_processor {
        let instance = instance(Changes { is_on_processor: true, ..Changes::default() }).unwrap();
        let (x, mut y) = (ramp(COUNT), vec![7.0; COUNT]);
        let reason = run_on(&instance, &x, &mut y).unwrap_err();
        contains(&reason, &["the model launches kernels on a device, and its descriptor names none"]);
    }

    fork {
        let instance = usual();
        let (x, mut y) = (ramp(COUNT), vec![0.0; COUNT]);
        run_on(&instance, &x, &mut y).unwrap();
        // SAFETY: the child calls the runtime and ends.
        let child = unsafe { libc::fork() };
        if child == 0 {
            let said = run_on(&instance, &x, &mut y).err().unwrap_or_default();
            let refused = self::instance(Changes::default()).err().unwrap_or_default();
            drop(instance);
            let is_right = |text: &str| text.contains("a process that was forked cannot use the GPU");
            let status = i32::from(!(is_right(&said) && is_right(&refused)));
            // SAFETY: nothing of the parent's ends with the child.
            unsafe { libc::_exit(status) };
        }
        let mut status = -1;
        // SAFETY: the child is this process's.
        assert_eq!(unsafe { libc::waitpid(child, &raw mut status, 0) }, child);
        assert_eq!(status, 0);
        run_on(&instance, &x, &mut y).unwrap();
        assert_eq!(y, expected(&x));
    }

    overrun {
        let instance = instance(Changes { run: launch_beyond, ..Changes::default() }).unwrap();
        let _ = run_on(&instance, &ramp(COUNT), &mut [0.0; COUNT]);
    }

    touch {
        let instance = instance(Changes { run: touch_input, ..Changes::default() }).unwrap();
        let _ = run_on(&instance, &ramp(COUNT), &mut [0.0; COUNT]);
    }
}
