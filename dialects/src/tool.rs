//! The mains of MLIR's tools with our dialects, and translations written in Rust.

use crate::{
    ffi,
    ir::{Ctx, Op, string_ref},
    relay::custom,
    visible,
};
use mlir_sys::MlirModule;
use std::{
    ffi::{CString, OsString, c_char, c_int},
    hint::black_box,
    sync::atomic::{AtomicBool, Ordering},
};

/// A translation from a file to a module, as `relay-translate --<flag>`.
pub struct ImportSpec {
    /// The flag.
    pub flag: &'static str,
    /// One line for `--help`.
    pub summary: &'static str,
    /// From this translation and the file's bytes and name to a module that the caller owns, or a message.
    pub run: fn(&Self, Ctx, &[u8], &str) -> Result<MlirModule, String>,
}

/// A translation from a module to bytes, as `relay-translate --<flag>`.
pub struct ExportSpec {
    /// The flag.
    pub flag: &'static str,
    /// One line for `--help`.
    pub summary: &'static str,
    /// From the module to the bytes, or a message.
    pub run: fn(Op) -> Result<Vec<u8>, String>,
}

/// Registers a translation to MLIR.
pub fn register_import(spec: &'static ImportSpec) {
    // SAFETY: the spec and its strings live as long as the process.
    unsafe {
        let host = (&raw const *spec).cast();
        ffi::relayRegisterImport(string_ref(spec.flag), string_ref(spec.summary), host);
    }
}

/// Registers a translation from MLIR.
pub fn register_export(spec: &'static ExportSpec) {
    // SAFETY: the spec and its strings live as long as the process.
    unsafe {
        let host = (&raw const *spec).cast();
        ffi::relayRegisterExport(string_ref(spec.flag), string_ref(spec.summary), host);
    }
}

/// `mlir-opt` with our dialects and the passes that were registered; returns its exit code. The first of the arguments is the
/// program's name.
pub fn opt_main(arguments: Vec<OsString>) -> i32 {
    let registry = crate::registry();
    // SAFETY: the arguments are as C's main gets them, and the registry lives through the call.
    with_these(arguments.into_iter(), |argc, argv| unsafe {
        ffi::relayOptMain(argc, argv, registry.to_raw())
    })
}

/// The option that loads a library of operators.
const LOAD_OPERATORS: &str = "--load-operators";

/// Loads the libraries that `--load-operators=FILE` names, and gives back the other arguments.
///
/// # Errors
/// A library that cannot be loaded, or that the option names none.
pub fn load_operators(
    arguments: impl IntoIterator<Item = OsString>,
) -> Result<Vec<OsString>, String> {
    let mut others = Vec::new();
    let mut arguments = arguments.into_iter();
    while let Some(argument) = arguments.next() {
        let rest = argument
            .to_str()
            .and_then(|text| text.strip_prefix(LOAD_OPERATORS));
        let file = match rest {
            Some("") => arguments.next(),
            Some(rest) if rest.starts_with('=') => Some(rest[1..].into()),
            _ => {
                others.push(argument);
                continue;
            }
        };
        let file = file.ok_or(format!(
            "{LOAD_OPERATORS} needs a library: {LOAD_OPERATORS}=FILE"
        ))?;
        let loaded = custom::load(file.as_ref());
        loaded.map_err(|reason| format!("{}: {reason}", file.display()))?;
    }
    Ok(others)
}

/// This process's arguments without those of [`load_operators`]; it ends with an error where a library cannot be loaded.
fn own_arguments() -> Vec<OsString> {
    load_operators(std::env::args_os()).unwrap_or_else(|message| {
        eprintln!("error: {}", visible(&message));
        std::process::exit(1)
    })
}

/// `mlir-translate` with the translations that were registered; returns its exit code.
pub fn translate_main() -> i32 {
    // SAFETY: the arguments are as C's main gets them.
    with_arguments(|argc, argv| unsafe { ffi::relayTranslateMain(argc, argv) })
}

/// `mlir-lsp-server` with our dialects; returns its exit code.
pub fn lsp_server_main() -> i32 {
    let registry = crate::registry();
    // SAFETY: the arguments are as C's main gets them, and the registry lives through the call.
    with_arguments(|argc, argv| unsafe { ffi::relayLspServerMain(argc, argv, registry.to_raw()) })
}

/// `mlir-reduce` with our dialects; returns its exit code.
pub fn reduce_main() -> i32 {
    let registry = crate::registry();
    // SAFETY: the arguments are as C's main gets them, and the registry lives through the call.
    with_arguments(|argc, argv| unsafe { ffi::relayReduceMain(argc, argv, registry.to_raw()) })
}

/// Has a write to a pipe that nobody reads any more end this process quietly, as in C programs: `relayc bench
/// model.onnx | head`. In Rust such writes are errors otherwise.
pub fn end_on_broken_pipe() {
    // SAFETY: no handler is installed, and nothing in this process counts on one.
    unsafe { libc::signal(libc::SIGPIPE, libc::SIG_DFL) };
}

/// Whether this process ends where there is no memory.
static ENDS_WITHOUT_MEMORY: AtomicBool = AtomicBool::new(false);

/// What a context takes at most while its dialects are loaded, which MLIR does not check memory for.
const CONTEXT_BYTES: usize = 64 << 20;

/// Has this process end with an error where MLIR and LLVM get no memory, which they do not survive. For programs of their own: where the
/// compiler is a part of another one, that decides.
pub fn end_without_memory() {
    ENDS_WITHOUT_MEMORY.store(true, Ordering::Relaxed);
    // SAFETY: what is installed here ends the process, and needs nothing.
    unsafe { ffi::relayReportNoMemory() };
}

/// Ends such a process if there is no memory for another context.
pub(crate) fn check_memory() {
    let has_memory = || {
        let mut probe = Vec::<u8>::new();
        let has = probe.try_reserve_exact(CONTEXT_BYTES).is_ok();
        // What nothing looks at need not be allocated.
        black_box(&probe);
        has
    };
    if ENDS_WITHOUT_MEMORY.load(Ordering::Relaxed) && !has_memory() {
        // SAFETY: it ends the process.
        unsafe { ffi::relayEndWithoutMemory() };
    }
}

/// Passes this process's arguments as C does.
fn with_arguments(main: impl FnOnce(c_int, *mut *mut c_char) -> c_int) -> i32 {
    with_these(own_arguments().into_iter(), main)
}

/// Passes arguments as C does: a null-terminated array.
fn with_these(
    arguments: impl Iterator<Item = OsString>,
    main: impl FnOnce(c_int, *mut *mut c_char) -> c_int,
) -> i32 {
    use std::os::unix::ffi::OsStringExt;
    end_on_broken_pipe();
    end_without_memory();
    let arguments: Vec<CString> = arguments
        .map(|argument| CString::new(argument.into_vec()).expect("arguments hold no zero bytes"))
        .collect();
    let mut pointers: Vec<*mut c_char> = arguments
        .iter()
        .map(|argument| argument.as_ptr().cast_mut())
        .collect();
    pointers.push(std::ptr::null_mut());
    main(arguments.len() as c_int, pointers.as_mut_ptr())
}

/// Lends melior's wrapper of a context that the tool owns, with all dialects.
pub fn with_context<T>(ctx: Ctx, body: impl FnOnce(&melior::Context) -> T) -> T {
    // SAFETY: the tool's context lives through the call, and is not destroyed by this view of it.
    let context = unsafe { melior::ContextRef::from_raw(ctx.to_raw()) };
    // SAFETY: as above; the reference does not outlive this function.
    let context = unsafe { context.to_ref() };
    context.append_dialect_registry(&crate::registry());
    context.load_all_available_dialects();
    body(context)
}

/// Hands a module over to the tool, which destroys it.
pub fn release(module: melior::ir::Module<'_>) -> MlirModule {
    let raw = module.to_raw();
    // The module belongs to the tool now.
    std::mem::forget(module);
    raw
}
