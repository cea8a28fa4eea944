//! The memory of a process.

/// Sets the most bytes of memory that this process may ask for: what asks for more fails, and not the machine.
pub fn limit(bytes: u64) {
    let limit = rustix::process::Rlimit {
        current: Some(bytes),
        maximum: Some(bytes),
    };
    // Where there are no limits, or lower ones, it goes on with those.
    let _ = rustix::process::setrlimit(rustix::process::Resource::Data, limit);
}
