//! What the processor can do.

use std::sync::OnceLock;

/// The variable that limits the level, so that code for older processors can be tried on a newer one.
const LIMIT: &str = "RELAY_MAX_CPU_LEVEL";

/// The level of x86-64's instructions that this processor has, 1 to 4 as the System V psABI defines
/// them; 0 on other architectures.
pub(crate) fn level() -> i32 {
    static LEVEL: OnceLock<i32> = OnceLock::new();
    *LEVEL.get_or_init(|| {
        let limit = std::env::var(LIMIT).ok();
        let limit = limit.and_then(|limit| limit.parse().ok());
        detected().min(limit.unwrap_or(i32::MAX))
    })
}

#[cfg(target_arch = "x86_64")]
fn detected() -> i32 {
    macro_rules! has {
        ($($feature:tt)*) => { $(std::arch::is_x86_feature_detected!($feature))&&* };
    }
    let v2 = has!("cmpxchg16b" "popcnt" "sse3" "sse4.1" "sse4.2" "ssse3");
    let v3 = v2 && has!("avx" "avx2" "bmi1" "bmi2" "f16c" "fma" "lzcnt" "movbe");
    let v4 = v3 && has!("avx512f" "avx512bw" "avx512cd" "avx512dq" "avx512vl");
    1 + i32::from(v2) + i32::from(v3) + i32::from(v4)
}

#[cfg(not(target_arch = "x86_64"))]
fn detected() -> i32 {
    0
}
