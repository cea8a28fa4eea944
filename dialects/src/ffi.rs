//! What the bridge in `cpp/` offers. Every function there says what it does.

use mlir_sys::{MlirAttribute, MlirDialectRegistry, MlirStringRef};
use std::ffi::{c_char, c_int, c_void};

#[repr(C)]
pub(crate) struct HostOptionSpec {
    pub name: MlirStringRef,
    pub summary: MlirStringRef,
    pub default_value: MlirStringRef,
    pub kind: u32,
}

#[repr(C)]
pub(crate) struct HostPassSpec {
    pub flag: MlirStringRef,
    pub summary: MlirStringRef,
    pub anchor: MlirStringRef,
    pub option_count: isize,
    pub options: *const HostOptionSpec,
    pub host: *const c_void,
}

unsafe extern "C" {
    pub(crate) fn relayInsertDialects(registry: MlirDialectRegistry);
    pub(crate) fn relayInsertAllDialects(registry: MlirDialectRegistry);
    pub(crate) fn relayRegisterUpstreamPasses();
    pub(crate) fn relayRegisterPass(spec: *const HostPassSpec);
    pub(crate) fn relayResourceData(attribute: MlirAttribute) -> MlirStringRef;
    pub(crate) fn relayOptMain(argc: c_int, argv: *mut *mut c_char) -> c_int;
    pub(crate) fn relayLspServerMain(argc: c_int, argv: *mut *mut c_char) -> c_int;
    pub(crate) fn relayReduceMain(argc: c_int, argv: *mut *mut c_char) -> c_int;
    pub(crate) fn relayTranslateMain(argc: c_int, argv: *mut *mut c_char) -> c_int;
    pub(crate) fn relayRegisterImport(
        flag: MlirStringRef,
        summary: MlirStringRef,
        host: *const c_void,
    );
    pub(crate) fn relayRegisterExport(
        flag: MlirStringRef,
        summary: MlirStringRef,
        host: *const c_void,
    );
}
