//! x86-64.

/// The bits of a vector register, and how many there are.
pub fn vectors(cpu: &str, features: &str) -> (u32, u32) {
    let has = |name: &str| {
        features
            .split(',')
            .any(|feature| feature == format!("+{name}"))
    };
    if has("avx512f") || cpu == "x86-64-v4" {
        (512, 32)
    } else if has("avx2") || cpu == "x86-64-v3" {
        (256, 16)
    } else {
        (128, 16)
    }
}
