//! Results of the driver's functions: `CUresult` of CUDA's header `cuda.h`. HIP's `hipError_t` has the same numbers.

use std::ffi::{CStr, c_char};

/// A result of a function of the driver.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// All went well.
    Success = 0,
    /// An argument is out of its range.
    InvalidValue = 1,
    /// There is not enough memory.
    OutOfMemory = 2,
    /// The driver was not started.
    NotInitialized = 3,
    /// There is no such device.
    InvalidDevice = 101,
    /// An image is damaged.
    InvalidImage = 200,
    /// There is no context.
    InvalidContext = 201,
    /// An image has no code for the device.
    NoBinaryForGpu = 209,
    /// There is no such kernel.
    NotFound = 500,
    /// A kernel failed.
    LaunchFailed = 719,
    /// The driver itself failed.
    Unknown = 999,
}

/// The statuses with their names of CUDA and of HIP, and texts.
const TEXTS: &[(Status, &CStr, &CStr, &CStr)] = &[
    (Status::Success, c"CUDA_SUCCESS", c"hipSuccess", c"no error"),
    (
        Status::InvalidValue,
        c"CUDA_ERROR_INVALID_VALUE",
        c"hipErrorInvalidValue",
        c"invalid argument",
    ),
    (
        Status::OutOfMemory,
        c"CUDA_ERROR_OUT_OF_MEMORY",
        c"hipErrorOutOfMemory",
        c"out of memory",
    ),
    (
        Status::NotInitialized,
        c"CUDA_ERROR_NOT_INITIALIZED",
        c"hipErrorNotInitialized",
        c"initialization error",
    ),
    (
        Status::InvalidDevice,
        c"CUDA_ERROR_INVALID_DEVICE",
        c"hipErrorInvalidDevice",
        c"invalid device ordinal",
    ),
    (
        Status::InvalidImage,
        c"CUDA_ERROR_INVALID_IMAGE",
        c"hipErrorInvalidImage",
        c"device kernel image is invalid",
    ),
    (
        Status::InvalidContext,
        c"CUDA_ERROR_INVALID_CONTEXT",
        c"hipErrorInvalidContext",
        c"invalid device context",
    ),
    (
        Status::NoBinaryForGpu,
        c"CUDA_ERROR_NO_BINARY_FOR_GPU",
        c"hipErrorNoBinaryForGpu",
        c"no kernel image is available for execution on the device",
    ),
    (
        Status::NotFound,
        c"CUDA_ERROR_NOT_FOUND",
        c"hipErrorNotFound",
        c"named symbol not found",
    ),
    (
        Status::LaunchFailed,
        c"CUDA_ERROR_LAUNCH_FAILED",
        c"hipErrorLaunchFailure",
        c"unspecified launch failure",
    ),
    (
        Status::Unknown,
        c"CUDA_ERROR_UNKNOWN",
        c"hipErrorUnknown",
        c"unknown error",
    ),
];

/// The names of CUDA and of HIP, and the text of a status, constants; `None` if there is no such status.
pub(crate) fn texts(status: u32) -> Option<[*const c_char; 3]> {
    let mut all = TEXTS.iter();
    let found = all.find(|(known, ..)| *known as u32 == status);
    found.map(|(_, cuda, hip, text)| [cuda, hip, text].map(|text| text.as_ptr()))
}

/// Why a function failed: its status, and what standard error says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What the function returns.
    pub status: Status,
    /// What is wrong.
    pub reason: String,
}

impl Failure {
    /// A failure with a reason.
    pub fn new(status: Status, reason: impl Into<String>) -> Self {
        Self {
            status,
            reason: reason.into(),
        }
    }
}
