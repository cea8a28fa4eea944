//! Instructions that multiply bytes and add the products up in 32-bit lanes: what `tir.dot_bytes` becomes.

/// How an instruction sums up products.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sums {
    /// Of four bytes, unsigned and signed ones, to a sum that it is given.
    Bytes,
    /// Of two signed 16-bit numbers. Bytes are widened before, because the instruction of AVX2 for pairs of bytes saturates.
    Pairs,
}

/// An instruction that a processor has for vectors of several lengths.
#[derive(Debug, PartialEq, Eq)]
pub struct ByteDot {
    /// Its name, as `lower-byte-dots` takes it.
    pub name: &'static str,
    /// The architecture, by the name in LLVM's triples.
    architecture: &'static str,
    /// LLVM's features that a CPU must have, `+a,+b`.
    features: &'static str,
    /// What it sums up.
    pub sums: Sums,
    /// LLVM's intrinsics, each with the 32-bit lanes of its result, most first.
    pub intrinsics: &'static [(i64, &'static str)],
}

const AVX512_VNNI: ByteDot = ByteDot {
    name: "avx512-vnni",
    architecture: "x86_64",
    features: "+avx512vnni,+avx512vl",
    sums: Sums::Bytes,
    intrinsics: &[
        (16, "llvm.x86.avx512.vpdpbusd.512"),
        (8, "llvm.x86.avx512.vpdpbusd.256"),
        (4, "llvm.x86.avx512.vpdpbusd.128"),
    ],
};

/// The encoding of [`AVX512_VNNI`] for CPUs without AVX-512.
const AVX_VNNI: ByteDot = ByteDot {
    name: "avx-vnni",
    architecture: "x86_64",
    features: "+avxvnni",
    sums: Sums::Bytes,
    intrinsics: &[
        (8, "llvm.x86.avx512.vpdpbusd.256"),
        (4, "llvm.x86.avx512.vpdpbusd.128"),
    ],
};

const AVX512_BW: ByteDot = ByteDot {
    name: "avx512-bw",
    architecture: "x86_64",
    features: "+avx512bw",
    sums: Sums::Pairs,
    intrinsics: &[
        (16, "llvm.x86.avx512.pmaddw.d.512"),
        (8, "llvm.x86.avx2.pmadd.wd"),
        (4, "llvm.x86.sse2.pmadd.wd"),
    ],
};

const AVX2: ByteDot = ByteDot {
    name: "avx2",
    architecture: "x86_64",
    features: "+avx2",
    sums: Sums::Pairs,
    intrinsics: &[(8, "llvm.x86.avx2.pmadd.wd"), (4, "llvm.x86.sse2.pmadd.wd")],
};

const SSE2: ByteDot = ByteDot {
    name: "sse2",
    architecture: "x86_64",
    features: "+sse2",
    sums: Sums::Pairs,
    intrinsics: &[(4, "llvm.x86.sse2.pmadd.wd")],
};

const NEON_I8MM: ByteDot = ByteDot {
    name: "neon-i8mm",
    architecture: "aarch64",
    features: "+i8mm",
    sums: Sums::Bytes,
    intrinsics: &[(4, "llvm.aarch64.neon.usdot.v4i32.v16i8")],
};

/// All of them, of each architecture the fastest first.
pub const BYTE_DOTS: &[ByteDot] = &[AVX512_VNNI, AVX_VNNI, AVX512_BW, AVX2, SSE2, NEON_I8MM];

impl ByteDot {
    /// The fastest one of the architecture whose features a CPU has; `None` if it computes with plain arithmetic.
    pub fn of(architecture: &str, has: &dyn Fn(&str) -> bool) -> Option<&'static Self> {
        let fits = |dot: &&Self| dot.architecture == architecture && has(dot.features);
        BYTE_DOTS.iter().find(fits)
    }

    /// The one of a name.
    pub fn named(name: &str) -> Option<&'static Self> {
        BYTE_DOTS.iter().find(|dot| dot.name == name)
    }

    /// The intrinsic for vectors of so many lanes, and its own lanes: these, or a half, a quarter and so on. `None` if there is none.
    pub fn intrinsic(&self, lanes: i64) -> Option<(i64, &'static str)> {
        let mut intrinsics = self.intrinsics.iter().copied();
        intrinsics.find(|(own, _)| lanes % own == 0 && (lanes / own).count_ones() == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::ByteDot;

    #[test]
    fn a_cpu_has_the_fastest_one() {
        let name = |architecture, has: &dyn Fn(&str) -> bool| {
            ByteDot::of(architecture, has).map(|dot| dot.name)
        };
        assert_eq!(name("x86_64", &|_| true), Some("avx512-vnni"));
        assert_eq!(
            name("x86_64", &|features| !features.contains("vnni")),
            Some("avx512-bw")
        );
        assert_eq!(
            name("x86_64", &|features| features == "+sse2"),
            Some("sse2")
        );
        assert_eq!(name("aarch64", &|_| false), None);
        let dot = ByteDot::named("avx-vnni").expect("it is in the table");
        assert_eq!(dot.intrinsic(16).map(|(lanes, _)| lanes), Some(8));
        assert_eq!(dot.intrinsic(6), None);
    }
}
