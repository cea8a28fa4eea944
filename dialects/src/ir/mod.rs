//! Handles on MLIR's IR, as passes use them.
//!
//! MLIR owns the IR; an [`Op`], [`Value`], [`Block`], [`Type`] or [`Attr`] here is a name for a
//! part of it: small, `Copy`, comparable, without a lifetime, in the manner of Cranelift's entity
//! references. Owning objects (context, module, pass manager) are melior's.
//!
//! **Invariant**: a handle is used only while its context lives and, for an op, block or value,
//! until it is erased. A pass keeps no handle beyond its run.

// Every unsafe block below passes on handles that MLIR gave out, under the invariant above, to a
// C API function that asks for nothing more; saying so at each of them would hide the few words
// that matter.
#![allow(clippy::undocumented_unsafe_blocks)]

/// Handles are equal that name the same thing: MLIR keeps one of each type and attribute.
macro_rules! identity {
    ($name:ident) => {
        impl PartialEq for $name {
            fn eq(&self, other: &Self) -> bool {
                self.0.ptr == other.0.ptr
            }
        }
        impl Eq for $name {}
        impl std::hash::Hash for $name {
            fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
                self.0.ptr.hash(state);
            }
        }
    };
}

mod affine;
mod attrs;
mod builder;
mod dims;
mod ops;
mod parts;
mod types;

pub use affine::{AffineExpr, AffineMap};
pub use attrs::{Attr, NamedAttr, named};
pub use builder::{Builder, Point};
pub use ops::{Block, Op, Region, Value, approximate_math};
pub use parts::Bindings;
pub use types::Type;

use crate::visible;
use mlir_sys::*;
use std::{ffi::c_void, fmt};

/// A context: uniques types and attributes, knows the dialects.
#[derive(Clone, Copy, Debug)]
pub struct Ctx(pub(crate) MlirContext);

impl Ctx {
    /// The context of melior's owning object.
    pub fn of(context: &melior::Context) -> Self {
        Self(context.to_raw())
    }

    /// Names a raw context.
    ///
    /// # Safety
    /// `raw` is a live context.
    pub unsafe fn from_raw(raw: MlirContext) -> Self {
        Self(raw)
    }

    /// The C API's handle.
    pub fn to_raw(self) -> MlirContext {
        self.0
    }

    /// Whether MLIR finds the types of results of the ops of that name; `None` if it knows no such op.
    #[cfg(test)]
    pub(crate) fn infers_types(self, name: &str) -> Option<bool> {
        let name = string_ref(name);
        unsafe {
            mlirContextIsRegisteredOperation(self.0, name).then(|| {
                let interface = mlirInferTypeOpInterfaceTypeID();
                mlirOperationImplementsInterfaceStatic(name, self.0, interface)
            })
        }
    }

    pub(crate) fn ident(self, name: &str) -> MlirIdentifier {
        unsafe { mlirIdentifierGet(self.0, string_ref(name)) }
    }
}

/// Where an op comes from: a source position or the name of a model's node.
#[derive(Clone, Copy, Debug)]
pub struct Loc(pub(crate) MlirLocation);
identity!(Loc);

/// As messages name a place: `model.relay:3:7`, or the name of a node.
impl fmt::Display for Loc {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        unsafe { mlirLocationPrint(self.0, Some(collect_text), (&raw mut text).cast()) };
        let inner = text
            .strip_prefix("loc(")
            .and_then(|text| text.strip_suffix(')'));
        formatter.write_str(&inner.unwrap_or(&text).replace('"', ""))
    }
}

impl Loc {
    /// Names melior's location.
    pub fn of(location: melior::ir::Location<'_>) -> Self {
        Self(location.to_raw())
    }

    /// The location of something that has none.
    pub fn unknown(ctx: Ctx) -> Self {
        Self(unsafe { mlirLocationUnknownGet(ctx.0) })
    }

    /// The location `loc("name")`.
    pub fn name(ctx: Ctx, name: &str) -> Self {
        Self(unsafe { mlirLocationNameGet(ctx.0, string_ref(name), Self::unknown(ctx).0) })
    }

    /// A place in a file; lines and columns count from 1.
    pub fn file(ctx: Ctx, file: &str, line: u32, column: u32) -> Self {
        Self(unsafe { mlirLocationFileLineColGet(ctx.0, string_ref(file), line, column) })
    }

    /// One location that holds several, for an op that stands for several.
    pub fn fused(ctx: Ctx, parts: &[Loc]) -> Self {
        let raw: Vec<MlirLocation> = parts.iter().map(|part| part.0).collect();
        let count = raw.len() as isize;
        Self(unsafe {
            mlirLocationFusedGet(
                ctx.0,
                count,
                raw.as_ptr(),
                MlirAttribute {
                    ptr: std::ptr::null(),
                },
            )
        })
    }

    /// The names in this location, outermost first: a model's node names.
    pub fn names(self) -> Vec<String> {
        let mut names = Vec::new();
        self.collect_names(&mut names);
        names
    }

    /// The place in a file that this is, or that something of this location comes from: the file, the line and the column.
    pub fn place(self) -> Option<(String, usize, usize)> {
        unsafe {
            if mlirLocationIsAFileLineColRange(self.0) {
                let file = mlirIdentifierStr(mlirLocationFileLineColRangeGetFilename(self.0));
                let number = |number: i32| usize::try_from(number).unwrap_or(0);
                let line = number(mlirLocationFileLineColRangeGetStartLine(self.0));
                let column = number(mlirLocationFileLineColRangeGetStartColumn(self.0));
                return Some((to_string(file), line, column));
            }
            if mlirLocationIsAName(self.0) {
                return Loc(mlirLocationNameGetChildLoc(self.0)).place();
            }
            if mlirLocationIsACallSite(self.0) {
                return Loc(mlirLocationCallSiteGetCallee(self.0)).place();
            }
            self.parts().into_iter().find_map(Self::place)
        }
    }

    /// The locations that this one holds, if it holds several.
    fn parts(self) -> Vec<Loc> {
        unsafe {
            if !mlirLocationIsAFused(self.0) {
                return Vec::new();
            }
            let none = MlirLocation {
                ptr: std::ptr::null(),
            };
            let mut parts = vec![none; mlirLocationFusedGetNumLocations(self.0) as usize];
            mlirLocationFusedGetLocations(self.0, parts.as_mut_ptr());
            parts.into_iter().map(Loc).collect()
        }
    }

    fn collect_names(self, names: &mut Vec<String>) {
        unsafe {
            if mlirLocationIsAName(self.0) {
                names.push(to_string(mlirIdentifierStr(mlirLocationNameGetName(
                    self.0,
                ))));
                return;
            }
        }
        let parts = self.parts().into_iter();
        parts.for_each(|part| part.collect_names(names));
    }

    /// Reports an error here.
    pub fn emit_error(self, message: &str) {
        // The C API takes a zero-terminated string.
        let text = std::ffi::CString::new(visible(message).into_owned()).unwrap_or_default();
        unsafe { mlirEmitError(self.0, text.as_ptr()) }
    }
}

/// A dynamic dimension, as MLIR writes it.
pub use crate::dim::DYNAMIC;

pub(crate) fn string_ref(text: &str) -> MlirStringRef {
    MlirStringRef {
        data: text.as_ptr().cast(),
        length: text.len(),
    }
}

/// Copies a string that MLIR owns.
pub(crate) fn to_string(text: MlirStringRef) -> String {
    if text.length == 0 {
        return String::new();
    }
    let bytes = unsafe { std::slice::from_raw_parts(text.data.cast::<u8>(), text.length) };
    String::from_utf8_lossy(bytes).into_owned()
}

/// Whether a string that MLIR owns is `text`.
pub(crate) fn is_text(owned: MlirStringRef, text: &str) -> bool {
    // An empty one may have no address.
    owned.length == text.len()
        && (text.is_empty()
            || unsafe { std::slice::from_raw_parts(owned.data.cast::<u8>(), owned.length) }
                == text.as_bytes())
}

/// The printer callback that collects into a `String`.
pub(crate) unsafe extern "C" fn collect_text(part: MlirStringRef, sink: *mut c_void) {
    unsafe { (*sink.cast::<String>()).push_str(&to_string(part)) }
}
