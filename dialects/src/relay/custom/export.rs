//! Operators in a Rust crate of their own, which the tools load: [`operator_plugin!`](crate::operator_plugin).

use super::{
    Declaration, Request,
    interface::{self, Attribute, Call, Operand, Operator, Operators, VERSION, Write, text},
};
use crate::{
    calls::{guard, slice},
    ir::{Attr, Builder, Ctx, Loc, Op, Point, Type, Value, named},
    ops::{builtin, func},
    signatures::Operands,
};
use std::{
    ffi::{CStr, c_char, c_int, c_void},
    ptr,
};

/// Writes the computes of an operator: see [`OperatorSpec::compute`].
pub type WriteComputes = fn(&Request, &Builder, &[Value]) -> Result<Vec<Value>, String>;

/// What a crate says of an operator.
pub struct OperatorSpec {
    /// The declaration.
    pub declaration: fn() -> Declaration,
    /// From the types of operands and the attributes to the types of results, or why they do not fit.
    pub relation: fn(&Request) -> Result<Vec<Type>, String>,
    /// Writes `te.compute` ops of tensors that have the types of the operands; the tensors that are the results.
    pub compute: WriteComputes,
}

/// Answers the tool's question about types. [`operator_plugin!`](crate::operator_plugin) calls this.
///
/// # Safety
/// As `relay_operators.h` says.
pub unsafe fn relation(
    spec: &OperatorSpec,
    call: *const Call,
    write: Write,
    sink: *mut c_void,
) -> c_int {
    // SAFETY: as the caller promises.
    unsafe {
        answer(call, write, sink, |request| {
            let types = (spec.relation)(request)?;
            let types: Vec<String> = types.iter().map(ToString::to_string).collect();
            Ok(types.join(", "))
        })
    }
}

/// Answers the tool's question about the expression, likewise.
///
/// # Safety
/// As `relay_operators.h` says.
pub unsafe fn compute(
    spec: &OperatorSpec,
    call: *const Call,
    write: Write,
    sink: *mut c_void,
) -> c_int {
    // SAFETY: as the caller promises.
    unsafe { answer(call, write, sink, |request| expression(spec, request)) }
}

/// The text of a module with the expression of an operator.
fn expression(spec: &OperatorSpec, request: &Request) -> Result<String, String> {
    let ctx = request.ctx;
    let empty = format!("{} {{}}", builtin::Module::NAME.replace("builtin.", ""));
    let module = Op::parse(ctx, &empty).ok_or("MLIR makes no module")?;
    let loc = Loc::unknown(ctx);
    let point = Point::End(module.body());
    let function =
        Builder { ctx, loc, point }.func("compute", &request.operands, &request.results, &[]);
    let body = Builder::at_end(function.body(), loc, ctx);
    let results = (spec.compute)(request, &body, &function.body().args());
    let text = results.map(|results| {
        func::Return::build(&body, &results);
        module.to_string()
    });
    module.erase();
    text
}

/// Writes the answer to a call, or why there is none; what the function of C returns.
///
/// # Safety
/// The call is as `relay_operators.h` says, and `write` takes the sink.
unsafe fn answer(
    call: *const Call,
    write: Write,
    sink: *mut c_void,
    of: impl FnOnce(&Request) -> Result<String, String>,
) -> c_int {
    // SAFETY: as the caller promises.
    let answer = guard(|| of(&unsafe { request(call) }?));
    let (code, text) = match answer {
        Ok(text) => (0, text),
        Err(reason) => (1, reason),
    };
    // SAFETY: as the caller promises.
    unsafe { write(sink, text.as_ptr().cast(), text.len()) };
    code
}

/// # Safety
/// The call is as `relay_operators.h` says.
unsafe fn request(call: *const Call) -> Result<Request, String> {
    // SAFETY: as the caller promises.
    unsafe {
        let call = &*call;
        let ctx = Ctx::from_raw(mlir_sys::MlirContext { ptr: call.context });
        let types = |all: *const Operand, count: u32| -> Result<Vec<Type>, String> {
            let all = slice(all, count as isize).iter();
            let parse = |text: String| Type::parse(ctx, &text).ok_or(format!("{text} is no type"));
            all.map(|one| parse(string(one.ty))).collect()
        };
        let attributes = slice(call.attributes, call.attribute_count as isize).iter();
        let attributes = attributes.map(|one| {
            let value = string(one.value);
            let attr = Attr::parse(ctx, &value).ok_or(format!("{value} is no attribute"))?;
            Ok((string(one.name), attr))
        });
        let attributes = attributes.collect::<Result<Vec<_>, String>>()?;
        Ok(Request {
            ctx,
            operands: types(call.operands, call.operand_count)?,
            results: types(call.results, call.result_count)?,
            attributes: Attr::dict(ctx, &named(&attributes)),
        })
    }
}

/// # Safety
/// The text ends in a zero.
unsafe fn string(text: *const c_char) -> String {
    // SAFETY: as the caller promises.
    unsafe { CStr::from_ptr(text) }
        .to_string_lossy()
        .into_owned()
}

/// A specification with its functions for C.
pub type Exported = (&'static OperatorSpec, interface::Answer, interface::Answer);

/// The table that a library exports; it lives as long as the process.
pub fn table(all: &[Exported]) -> *const c_void {
    let operators: Vec<Operator> = all.iter().map(operator).collect();
    let table = Operators {
        version: VERSION,
        count: operators.len() as u32,
        operators: operators.leak().as_ptr(),
    };
    ptr::from_ref(Box::leak(Box::new(table))).cast()
}

fn operator((spec, relation, compute): &Exported) -> Operator {
    let declared = (spec.declaration)();
    let pointer = |name: &str| text(name).into_raw().cast_const();
    let optional = |name: Option<&str>| name.map_or(ptr::null(), pointer);
    let attributes = declared.attributes.iter().map(|attribute| Attribute {
        name: pointer(&attribute.name),
        holds: pointer(attribute.holds.name()),
        default_value: optional(attribute.default.as_deref()),
    });
    let attributes: Vec<Attribute> = attributes.collect();
    let (count, takes_more) = match declared.operands {
        Operands::Exactly(count) => (count, 0),
        Operands::AtLeast(count) => (count, 1),
    };
    let onnx = declared.onnx.as_ref();
    Operator {
        name: pointer(&declared.name),
        fusion: pointer(declared.pattern.name()),
        operand_count: count as u32,
        takes_more,
        result_count: declared.results as u32,
        attribute_count: attributes.len() as u32,
        attributes: attributes.leak().as_ptr(),
        onnx_domain: optional(onnx.map(|(domain, _)| domain.as_str())),
        onnx_operator: optional(onnx.map(|(_, name)| name.as_str())),
        torch_operator: optional(declared.torch.as_deref()),
        relation: Some(*relation),
        compute: Some(*compute),
    }
}

/// Makes the crate a library of operators: `operator_plugin!(SWISH, GELU)` exports what `--load-operators` looks up. Each is a constant of type
/// [`OperatorSpec`].
#[macro_export]
macro_rules! operator_plugin {
    ($($spec:path),+ $(,)?) => {
        /// What `--load-operators` looks up.
        #[unsafe(no_mangle)]
        pub extern "C" fn relay_get_operators() -> *const ::std::ffi::c_void {
            use $crate::relay::custom::{export, interface};
            $crate::relay::custom::export::table(&[$({
                static SPEC: export::OperatorSpec = $spec;
                unsafe extern "C" fn relation(
                    call: *const interface::Call,
                    write: interface::Write,
                    sink: *mut ::std::ffi::c_void,
                ) -> ::std::ffi::c_int {
                    unsafe { export::relation(&SPEC, call, write, sink) }
                }
                unsafe extern "C" fn compute(
                    call: *const interface::Call,
                    write: interface::Write,
                    sink: *mut ::std::ffi::c_void,
                ) -> ::std::ffi::c_int {
                    unsafe { export::compute(&SPEC, call, write, sink) }
                }
                (&SPEC, relation, compute)
            }),+])
        }
    };
}
