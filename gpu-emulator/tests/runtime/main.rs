//! The runtime's code for CUDA and HIP with the emulator in the place of the drivers. Each case runs in a process of its own, because the driver and
//! its options are those of a process.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on says where")]

mod cases;
mod driver;
mod model;

use std::{
    env,
    os::unix::process::ExitStatusExt,
    process::{Command, Output},
};

/// Says that a process runs one case.
const IN_CASE: &str = "RELAY_TEST_CASE";

/// Says that the model is for HIP.
const BY_HIP: &str = "RELAY_TEST_HIP";

/// Runs a case with the emulator and further variables of the environment.
fn run(case: &str, variables: &[(&str, &str)]) -> Output {
    let mut command = Command::new(env::current_exe().unwrap());
    command.args([
        "--exact",
        &format!("cases::{case}"),
        "--ignored",
        "--nocapture",
    ]);
    command.env(IN_CASE, case);
    command.env("RELAY_CUDA_DRIVER", driver::path());
    command.env("RELAY_HIP_DRIVER", driver::path());
    command.envs(variables.iter().copied());
    command.output().unwrap()
}

/// Runs a case that must go well; what it says on standard error.
fn pass(case: &str, variables: &[(&str, &str)]) -> String {
    let output = run(case, variables);
    let [said, errors] =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    assert!(output.status.success(), "{said}\n{errors}");
    assert!(said.contains("1 passed"), "{said}");
    errors
}

#[test]
fn numbers_are_right_in_any_order_of_threads() {
    for order in ["forward", "backward", "shuffled:3"] {
        pass("numbers", &[("RELAY_EMULATOR_ORDER", order)]);
    }
}

#[test]
fn hip_runs_what_cuda_runs() {
    for case in [
        "numbers",
        "zero_size",
        "at_once",
        "sharing",
        "on_device",
        "open_sizes",
        "donation",
        "profile",
        "fork",
    ] {
        pass(case, &[(BY_HIP, "1")]);
    }
}

#[test]
fn a_warp_under_hip_has_the_threads_that_the_environment_says() {
    pass("warp_of_64", &[(BY_HIP, "1")]);
    pass(
        "warp_of_32",
        &[(BY_HIP, "1"), ("RELAY_EMULATOR_WARP", "32")],
    );
    pass("warp_of_32", &[]);
}

#[test]
fn an_instance_chooses_the_code_of_its_chip() {
    let chip = |name: &'static str| ("RELAY_EMULATOR_CHIP", name);
    pass("first_code", &[]);
    pass("first_code", &[chip("sm_90")]);
    pass("second_code", &[chip("sm_89")]);
    pass("no_code", &[chip("sm_75")]);
    let hip = (BY_HIP, "1");
    pass("first_code", &[hip]);
    pass("third_code", &[hip, chip("gfx942:sramecc+:xnack-")]);
    pass("no_code_of_hip", &[hip, chip("gfx1100")]);
    pass("warp_of_64", &[hip, chip("gfx942")]);
}

#[test]
fn errors_of_hip_have_its_names() {
    let errors = pass("failures_of_hip", &[(BY_HIP, "1")]);
    let expected = "hipModuleGetFunction: the image exports no no_such_kernel";
    assert!(errors.contains(expected), "{errors}");
    pass(
        "no_hip",
        &[
            (BY_HIP, "1"),
            ("RELAY_HIP_DRIVER", "/nonexistent/libamdhip64.so"),
        ],
    );
    pass(
        "no_functions_of_hip",
        &[(BY_HIP, "1"), ("RELAY_HIP_DRIVER", "libm.so.6")],
    );
    pass(
        "no_device_of_hip",
        &[(BY_HIP, "1"), ("RELAY_HIP_DEVICE", "3")],
    );
}

#[test]
fn kernels_may_call_the_c_library() {
    pass("mathematics", &[]);
}

#[test]
fn launches_are_traced() {
    let errors = pass("zero_size", &[("RELAY_EMULATOR_TRACE", "1")]);
    assert!(!errors.contains("scale"), "{errors}");
    let errors = pass("numbers", &[("RELAY_EMULATOR_TRACE", "1")]);
    let expected = "scale: grid [4, 1, 1], block [256, 1, 1], 0 bytes";
    assert!(errors.contains(expected), "{errors}");
}

#[test]
fn many_instances_run_at_once() {
    pass("at_once", &[]);
}

#[test]
fn instances_share_constants() {
    pass("sharing", &[]);
}

#[test]
fn tensors_may_lie_on_the_device() {
    pass("on_device", &[]);
}

#[test]
fn sizes_may_be_open() {
    pass("open_sizes", &[]);
}

#[test]
fn a_donated_input_lies_in_the_memory_of_its_output() {
    pass("donation", &[]);
}

#[test]
fn nodes_have_their_times() {
    pass("profile", &[]);
}

#[test]
fn a_process_without_a_driver_says_so() {
    pass(
        "no_driver",
        &[("RELAY_CUDA_DRIVER", "/nonexistent/libcuda.so")],
    );
    pass("no_functions", &[("RELAY_CUDA_DRIVER", "libm.so.6")]);
}

#[test]
fn a_wrong_number_of_a_device_is_an_error() {
    pass("no_device", &[("RELAY_CUDA_DEVICE", "3")]);
    pass("no_number", &[("RELAY_CUDA_DEVICE", "first")]);
}

#[test]
fn an_option_of_another_form_is_an_error() {
    let errors = pass("no_start", &[("RELAY_EMULATOR_ORDER", "sideways")]);
    let expected =
        "RELAY_EMULATOR_ORDER is 'sideways', and must be forward, backward or shuffled:SEED";
    assert!(errors.contains(expected), "{errors}");
}

#[test]
fn an_image_for_a_gpu_is_refused() {
    let errors = pass("text", &[]) + &pass("text_of_model", &[]);
    let expected = "cuModuleLoadDataEx: the image is no shared object for this processor: compile the model for the emulated target";
    assert!(errors.contains(expected), "{errors}");
}

#[test]
fn a_kernel_that_is_missing_or_fails_is_named() {
    pass("missing_kernel", &[]);
    pass("failing_kernel", &[]);
    pass("too_many_threads", &[]);
}

#[test]
fn too_little_memory_is_an_error() {
    pass(
        "no_memory_for_constants",
        &[("RELAY_EMULATOR_MEMORY", "1000")],
    );
    pass(
        "no_memory_for_tensors",
        &[("RELAY_EMULATOR_MEMORY", "6100")],
    );
}

#[test]
fn a_launch_without_a_device_is_an_error() {
    pass("on_processor", &[]);
}

#[test]
fn a_fork_cannot_use_the_device_of_its_parent() {
    pass("fork", &[]);
}

#[test]
fn a_kernel_that_leaves_its_tensors_dies() {
    let output = run("overrun", &[("RELAY_EMULATOR_TRACE", "1")]);
    assert_eq!(output.status.signal(), Some(libc::SIGSEGV), "{output:?}");
    let errors = String::from_utf8_lossy(&output.stderr);
    let last = errors
        .lines()
        .rfind(|line| line.starts_with("relay-gpu-emulator"));
    assert!(
        last.unwrap().contains("reverse: grid [8, 1, 1]"),
        "{errors}"
    );
}

#[test]
fn a_host_that_touches_memory_of_the_device_dies() {
    let output = run("touch", &[]);
    assert_eq!(output.status.signal(), Some(libc::SIGSEGV), "{output:?}");
}
