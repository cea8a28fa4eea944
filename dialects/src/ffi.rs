//! What the bridge in `cpp/` offers. Every function there says what it does.

#[cfg(feature = "dialects")]
pub(crate) use dialects::*;

use mlir_sys::{
    MlirAttribute, MlirContext, MlirLocation, MlirModule, MlirOperation, MlirStringCallback,
    MlirStringRef, MlirType,
};
use std::ffi::c_void;

#[repr(C)]
pub(crate) struct HostOptionSpec {
    pub name: MlirStringRef,
    pub summary: MlirStringRef,
    pub default_value: MlirStringRef,
    pub kind: u32,
}

#[repr(C)]
pub(crate) struct HostSpec {
    pub flag: MlirStringRef,
    pub summary: MlirStringRef,
    pub anchor: MlirStringRef,
    pub option_count: isize,
    pub options: *const HostOptionSpec,
    pub host: *const c_void,
}

/// Runs the pass that `host` names: an op, and the options' values.
pub(crate) type RunPass =
    unsafe extern "C" fn(*const c_void, MlirOperation, isize, *const MlirStringRef) -> bool;

/// Appends the passes of the pipeline that `host` names to the last argument, for the options' values; or what is wrong
/// with those.
pub(crate) type ExpandPipeline = unsafe extern "C" fn(
    *const c_void,
    isize,
    *const MlirStringRef,
    MlirStringCallback,
    *mut c_void,
) -> bool;

unsafe extern "C" {
    pub(crate) fn relayRegisterPass(spec: *const HostSpec, run: RunPass);
    pub(crate) fn relayRegisterPipeline(spec: *const HostSpec, expand: ExpandPipeline);
    pub(crate) fn relayAddPassFlag(
        flag: MlirStringRef,
        summary: MlirStringRef,
        anchor: MlirStringRef,
    );
    pub(crate) fn relayApproximateMath(
        op: MlirOperation,
        names: *const MlirStringRef,
        count: isize,
    ) -> bool;
    pub(crate) fn relayWouldBeDead(op: MlirOperation) -> bool;
    pub(crate) fn relayHasRecursiveEffects(op: MlirOperation) -> bool;
    pub(crate) fn relayTypeName(ty: MlirType) -> MlirStringRef;
    pub(crate) fn relayTypeParts(
        ty: MlirType,
        sink: *mut c_void,
        attribute: unsafe extern "C" fn(*mut c_void, MlirAttribute),
        part: unsafe extern "C" fn(*mut c_void, MlirType),
    );
    pub(crate) fn relayTypeWithParts(
        ty: MlirType,
        parts: *const MlirType,
        count: isize,
    ) -> MlirType;
    pub(crate) fn relayEmit(
        is_error: bool,
        place: MlirLocation,
        message: MlirStringRef,
        count: isize,
        places: *const MlirLocation,
        notes: *const MlirStringRef,
    );
    pub(crate) fn relayEmitRemark(
        place: MlirLocation,
        category: MlirStringRef,
        name: MlirStringRef,
        message: MlirStringRef,
    );
    pub(crate) fn relayResourceData(attribute: MlirAttribute) -> MlirStringRef;
    pub(crate) fn relayParse(
        context: MlirContext,
        source: MlirStringRef,
        name: MlirStringRef,
    ) -> MlirModule;
}

#[cfg(feature = "dialects")]
mod dialects {
    use mlir_sys::{MlirDialectRegistry, MlirModule, MlirStringCallback, MlirStringRef};
    use std::ffi::{c_char, c_int, c_void};

    unsafe extern "C" {
        pub(crate) fn relayTargetHasFeatures(
            triple: MlirStringRef,
            cpu: MlirStringRef,
            features: MlirStringRef,
            wanted: MlirStringRef,
        ) -> bool;
        pub(crate) fn relayTargetHasCpu(triple: MlirStringRef, cpu: MlirStringRef) -> bool;
        pub(crate) fn relayTargetNames(
            triple: MlirStringRef,
            features: bool,
            callback: MlirStringCallback,
            sink: *mut c_void,
        );
        pub(crate) fn relayTargetHasFeature(triple: MlirStringRef, feature: MlirStringRef) -> bool;
        pub(crate) fn relayInsertDialects(registry: MlirDialectRegistry);
        pub(crate) fn relayInsertAllDialects(registry: MlirDialectRegistry);
        pub(crate) fn relayReportNoMemory();
        pub(crate) fn relayEndWithoutMemory() -> !;
        pub(crate) fn relayOptMain(
            argc: c_int,
            argv: *mut *mut c_char,
            registry: MlirDialectRegistry,
        ) -> c_int;
        pub(crate) fn relayLspServerMain(
            argc: c_int,
            argv: *mut *mut c_char,
            registry: MlirDialectRegistry,
        ) -> c_int;
        pub(crate) fn relayIsInteresting(tester: *const c_void, module: MlirModule) -> bool;
        pub(crate) fn relayReduceMain(
            argc: c_int,
            argv: *mut *mut c_char,
            registry: MlirDialectRegistry,
        ) -> c_int;
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
}
