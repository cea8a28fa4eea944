//! Passes on loop programs: from `tir`'s loops over buffers to upstream MLIR's dialects, and what they share.
//!
//! One pass, one file, one [`PassSpec`](relay_dialects::pass::PassSpec); each folder's `ALL` lists its passes.
//! `analysis` never changes IR. Nothing here knows of operators, tensor expressions or schedules, so a kernel's
//! machine code depends on this crate, the dialects, the targets and the code generator alone: the kernel cache relies on it.

pub mod analysis;
pub mod buffers;
pub mod copying;
pub(crate) mod cpu;
mod estimates;
pub(crate) mod gpu;
pub mod kernel_limits;
mod outlining;
pub mod symbols;
pub(crate) mod tir;
mod vectors;

use relay_dialects::pass::Folder;

/// The passes, by folder. Other crates run them by their flags: nothing else of them is public.
pub const FOLDERS: &[Folder] = &[
    Folder {
        path: "loops/src/tir",
        passes: tir::ALL,
    },
    Folder {
        path: "loops/src/cpu",
        passes: cpu::ALL,
    },
    Folder {
        path: "loops/src/gpu",
        passes: gpu::ALL,
    },
];

#[cfg(test)]
mod testing {
    /// Puts this crate's passes, and upstream's, into MLIR's registry.
    pub fn register() {
        static ONCE: std::sync::Once = std::sync::Once::new();
        ONCE.call_once(|| {
            relay_dialects::pass::register_upstream();
            let passes: Vec<_> = [crate::tir::ALL, crate::cpu::ALL, crate::gpu::ALL].concat();
            relay_dialects::pass::register_with(&passes, &());
        });
    }
}
