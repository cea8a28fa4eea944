//! Asks the system for AMX tiles.
//!
//! On Linux their 8 KiB of registers are not part of every thread's state. A process has to ask for them before
//! its first instruction on tiles, which is an illegal instruction otherwise. It asks once, for all its threads.

use std::{fmt, sync::OnceLock};

/// The value that a graph on AMX tiles returns where the process may not use them.
pub(crate) const REFUSED: i32 = 65;

/// Why there are no AMX tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Refusal {
    /// The processor has not the instructions.
    Processor,
    /// The system refuses, with this error number.
    System(i32),
}

/// Whether this process may use AMX tiles; asks the system for them the first time.
fn request() -> Result<(), Refusal> {
    static ANSWER: OnceLock<Result<(), Refusal>> = OnceLock::new();
    *ANSWER.get_or_init(|| {
        if !processor_has_amx() {
            return Err(Refusal::Processor);
        }
        ask_system().map_err(Refusal::System)
    })
}

/// 0 if this process may use AMX tiles, else [`REFUSED`].
pub(crate) fn status() -> i32 {
    request().map_or(REFUSED, |()| 0)
}

/// Why [`status`] is not 0, for people.
pub(crate) fn refusal() -> String {
    request()
        .err()
        .map_or_else(String::new, |refusal| refusal.to_string())
}

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let remedy = "compile it for a target without them, such as x86-64-v4";
        match self {
            Self::Processor => write!(
                formatter,
                "the model multiplies tiles (AMX), for which this processor has no instructions; {remedy}"
            ),
            Self::System(number) => write!(
                formatter,
                "the model multiplies tiles (AMX), and the system does not let this process use \
                 them: arch_prctl(ARCH_REQ_XCOMP_PERM): {}; Linux 5.16 or newer can, or {remedy}",
                std::io::Error::from_raw_os_error(*number)
            ),
        }
    }
}

#[cfg(target_arch = "x86_64")]
fn processor_has_amx() -> bool {
    use std::arch::x86_64::{__cpuid, __cpuid_count};
    /// Of EDX of leaf 7. What a model multiplies on tiles is another feature, which its library lists.
    const TILES: u32 = 1 << 24;
    let features = |leaf: u32| __cpuid_count(leaf, 0).edx;
    __cpuid(0).eax >= 7 && features(7) & TILES != 0
}

#[cfg(not(target_arch = "x86_64"))]
fn processor_has_amx() -> bool {
    false
}

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
fn ask_system() -> Result<(), i32> {
    /// Linux' `asm/prctl.h`: permission for a part of the state that is given on demand.
    const ARCH_REQ_XCOMP_PERM: libc::c_long = 0x1023;
    /// The part that holds the tiles.
    const XFEATURE_XTILEDATA: libc::c_long = 18;
    // SAFETY: this request has a number for its argument, and touches no memory of ours.
    let answer = unsafe {
        libc::syscall(
            libc::SYS_arch_prctl,
            ARCH_REQ_XCOMP_PERM,
            XFEATURE_XTILEDATA,
        )
    };
    if answer == 0 {
        return Ok(());
    }
    Err(std::io::Error::last_os_error().raw_os_error().unwrap_or(0))
}

/// No other system is known to ask for them.
#[cfg(not(all(target_arch = "x86_64", target_os = "linux")))]
fn ask_system() -> Result<(), i32> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{REFUSED, Refusal, refusal, status};

    #[test]
    fn a_refusal_has_a_reason_and_a_remedy() {
        let text = Refusal::System(22).to_string();
        assert!(
            text.contains("Invalid argument") && text.contains("Linux 5.16"),
            "{text}"
        );
        assert!(Refusal::Processor.to_string().contains("x86-64-v4"));
    }

    #[test]
    fn the_answer_and_the_reason_agree() {
        // Linux lists what both the processor and the system have.
        let flags = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        if !flags.contains("amx_bf16") {
            assert_eq!(status(), REFUSED);
        }
        assert_eq!(refusal().is_empty(), status() == 0);
    }
}
