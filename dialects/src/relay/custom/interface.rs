//! `relay_operators.h` in Rust, which says what each part is.

use std::ffi::{CString, c_char, c_int, c_void};

/// `RELAY_OPERATORS_VERSION`.
pub const VERSION: u32 = 1;

/// The name of the function that a library exports.
pub const ENTRY: &[u8] = b"relay_get_operators";

/// `relay_write`.
pub type Write = unsafe extern "C" fn(*mut c_void, *const c_char, usize);

/// `relay_operand`.
#[repr(C)]
pub struct Operand {
    pub(super) ty: *const c_char,
    pub(super) element: *const c_char,
    pub(super) rank: u32,
    pub(super) extents: *const *const c_char,
}

/// `relay_value`.
#[repr(C)]
pub struct Value {
    pub(super) name: *const c_char,
    pub(super) value: *const c_char,
}

/// `relay_call`.
#[repr(C)]
pub struct Call {
    pub(super) context: *mut c_void,
    pub(super) operand_count: u32,
    pub(super) operands: *const Operand,
    pub(super) result_count: u32,
    pub(super) results: *const Operand,
    pub(super) attribute_count: u32,
    pub(super) attributes: *const Value,
}

/// `relay_attribute`.
#[repr(C)]
pub struct Attribute {
    pub(super) name: *const c_char,
    pub(super) holds: *const c_char,
    pub(super) default_value: *const c_char,
}

/// `relay_answer`.
pub type Answer = unsafe extern "C" fn(*const Call, Write, *mut c_void) -> c_int;

/// `relay_operator`.
#[repr(C)]
pub struct Operator {
    pub(super) name: *const c_char,
    pub(super) fusion: *const c_char,
    pub(super) operand_count: u32,
    pub(super) takes_more: u32,
    pub(super) result_count: u32,
    pub(super) attribute_count: u32,
    pub(super) attributes: *const Attribute,
    pub(super) onnx_domain: *const c_char,
    pub(super) onnx_operator: *const c_char,
    pub(super) torch_operator: *const c_char,
    /// None if the library left out what it has to declare, as for `compute`.
    pub(super) relation: Option<Answer>,
    pub(super) compute: Option<Answer>,
}

/// `relay_operators`.
#[repr(C)]
pub struct Operators {
    pub(super) version: u32,
    pub(super) count: u32,
    pub(super) operators: *const Operator,
}

/// A text as C has it. Texts of MLIR's types and attributes have no zero bytes.
pub(super) fn text(text: &str) -> CString {
    CString::new(text.replace('\0', "")).unwrap_or_default()
}
