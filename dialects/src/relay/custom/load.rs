//! Libraries that declare operators: see `relay_operators.h`.

use super::{
    Attribute, Declaration, Holds, Meaning, Request,
    interface::{self, Answer, Call, ENTRY, Operand, VERSION, Value, text},
    register,
};
use crate::{
    calls::slice,
    ir::Type,
    relay::{Pattern, TensorType},
    signatures::Operands,
};
use std::{
    ffi::{CStr, CString, c_char, c_void},
    path::Path,
    ptr,
};

/// Loads a library into this process, which keeps it, and registers its operators.
///
/// # Errors
/// Why it cannot be loaded, or what it declares wrongly.
pub fn load(path: &Path) -> Result<(), String> {
    // The system's loader would look for a name without a folder in the folders of libraries only.
    let whole = path.canonicalize().map_err(|error| error.to_string())?;
    // SAFETY: loading runs the library's initialisers. Who names it trusts it, as a pass plugin.
    let library = unsafe { libloading::Library::new(whole) }.map_err(|error| error.to_string())?;
    type Entry = unsafe extern "C" fn() -> *const interface::Operators;
    // SAFETY: relay_operators.h says what the function of this name is.
    let entry = unsafe { library.get::<Entry>(ENTRY) }.map_err(|_| {
        let name = String::from_utf8_lossy(ENTRY);
        format!("has no function {name}, by which a library declares operators")
    })?;
    // SAFETY: as above.
    let declared = unsafe { entry().as_ref() };
    let declared = declared.ok_or("declares nothing")?;
    if declared.version != VERSION {
        return Err(format!(
            "is made for version {} of relay_operators.h, and this is version {VERSION}",
            declared.version
        ));
    }
    // The table points into it, also if it refuses one of several operators.
    std::mem::forget(library);
    // SAFETY: the library says how many there are, and they live as long as the process.
    for operator in unsafe { slice(declared.operators, declared.count as isize) } {
        let declaration = declaration(operator)?;
        let name = &declaration.name;
        let meaning = InLibrary {
            relation: (operator.relation).ok_or_else(|| format!("{name} has no type relation"))?,
            compute: (operator.compute).ok_or_else(|| format!("{name} has no compute"))?,
        };
        register(declaration, Box::new(meaning))?;
    }
    Ok(())
}

fn declaration(operator: &interface::Operator) -> Result<Declaration, String> {
    let name = string(operator.name).ok_or("declares an operator without a name")?;
    let fusion = string(operator.fusion).unwrap_or_default();
    let pattern = Pattern::of_name(&fusion)
        .ok_or_else(|| format!("{name} has the fusion \"{fusion}\", which there is not"))?;
    // SAFETY: the library says how many there are.
    let declared = unsafe { slice(operator.attributes, operator.attribute_count as isize) };
    let attributes = declared.iter().map(|attribute| {
        let of = string(attribute.name).ok_or("declares an attribute without a name")?;
        let holds = string(attribute.holds).unwrap_or_default();
        Ok(Attribute {
            holds: Holds::of_name(&holds).ok_or_else(|| {
                format!("{name}: attribute '{of}' holds {holds}, which none does")
            })?,
            default: string(attribute.default_value),
            name: of,
        })
    });
    let count = operator.operand_count as usize;
    Ok(Declaration {
        operands: match operator.takes_more {
            0 => Operands::Exactly(count),
            _ => Operands::AtLeast(count),
        },
        results: operator.result_count as usize,
        attributes: attributes.collect::<Result<_, String>>()?,
        pattern,
        onnx: string(operator.onnx_domain).zip(string(operator.onnx_operator)),
        torch: string(operator.torch_operator),
        name,
    })
}

/// A text of the library; `None` for a null pointer.
fn string(text: *const c_char) -> Option<String> {
    if text.is_null() {
        return None;
    }
    // SAFETY: relay_operators.h says that it is null or a text that ends in a zero.
    let text = unsafe { CStr::from_ptr(text) };
    Some(text.to_string_lossy().into_owned())
}

/// Functions of a library.
struct InLibrary {
    relation: Answer,
    compute: Answer,
}

impl Meaning for InLibrary {
    fn relation(&self, request: &Request) -> Result<Vec<Type>, String> {
        let types = ask(self.relation, request)?;
        let ty = Type::parse(request.ctx, &format!("() -> ({types})"));
        let ty = ty.ok_or_else(|| format!("its type relation gives {types}, no types"))?;
        Ok(ty.results())
    }

    fn compute(&self, request: &Request) -> Result<String, String> {
        ask(self.compute, request)
    }
}

/// Asks the library; what it wrote.
fn ask(answer: Answer, request: &Request) -> Result<String, String> {
    let operands: Vec<Tensor> = request.operands.iter().map(|ty| Tensor::of(*ty)).collect();
    let results: Vec<Tensor> = request.results.iter().map(|ty| Tensor::of(*ty)).collect();
    let entries = request.attributes.as_entries().unwrap_or_default();
    let entries = entries.iter();
    let entries: Vec<[CString; 2]> = entries
        .map(|(name, attr)| [text(name), text(&attr.to_string())])
        .collect();
    let attributes: Vec<Value> = entries
        .iter()
        .map(|[name, value]| Value {
            name: name.as_ptr(),
            value: value.as_ptr(),
        })
        .collect();
    let [operands, results] =
        [&operands, &results].map(|all| all.iter().map(Tensor::lend).collect::<Vec<Operand>>());
    let call = Call {
        context: request.ctx.to_raw().ptr,
        operand_count: operands.len() as u32,
        operands: operands.as_ptr(),
        result_count: results.len() as u32,
        results: results.as_ptr(),
        attribute_count: attributes.len() as u32,
        attributes: attributes.as_ptr(),
    };
    let mut written: Vec<u8> = Vec::new();
    // SAFETY: all that the call points to lives through it, and the sink is what `write` expects.
    let code = unsafe { answer(&call, write, ptr::from_mut(&mut written).cast()) };
    let written = String::from_utf8_lossy(&written).into_owned();
    if code == 0 { Ok(written) } else { Err(written) }
}

unsafe extern "C" fn write(sink: *mut c_void, text: *const c_char, length: usize) {
    // SAFETY: the sink is the list of `ask`, and the library passes so many bytes.
    unsafe {
        let written = &mut *sink.cast::<Vec<u8>>();
        written.extend_from_slice(slice(text.cast::<u8>(), length as isize));
    }
}

/// A tensor's type in texts of C.
struct Tensor {
    ty: CString,
    element: CString,
    pointers: Vec<*const c_char>,
    _extents: Vec<CString>,
}

impl Tensor {
    fn of(ty: Type) -> Self {
        let tensor = TensorType::of(ty);
        let dims = tensor.as_ref().map(|tensor| tensor.shape.as_slice());
        let extents = dims.unwrap_or_default().iter();
        let extents: Vec<CString> = extents.map(|dim| text(&dim.to_string())).collect();
        let element = tensor.map_or_else(String::new, |tensor| tensor.element.to_string());
        Self {
            ty: text(&ty.to_string()),
            element: text(&element),
            pointers: extents.iter().map(|extent| extent.as_ptr()).collect(),
            _extents: extents,
        }
    }

    fn lend(&self) -> Operand {
        Operand {
            ty: self.ty.as_ptr(),
            element: self.element.as_ptr(),
            rank: self.pointers.len() as u32,
            extents: self.pointers.as_ptr(),
        }
    }
}
