//! Passes written in Rust, in MLIR's pass registry.
//!
//! A [`PassSpec`] says everything about a pass: its flag, what it does, its options and the
//! function that runs it. After [`register`], `relay-opt --flag`, textual pipelines, `--help`,
//! reproducers and plugins know it.

use crate::{
    calls::{guard, slice},
    diagnostics::Report,
    ffi,
    hooks::text,
    ir::{Ctx, Op, collect_text, string_ref},
    ops::func,
};
use melior::{Context, ir::Module, pass::PassManager};
use mlir_sys::{
    MlirOperation, MlirStringRef, mlirOpPassManagerAddPipeline, mlirPassManagerCreateOnOperation,
    mlirPassManagerDestroy, mlirPassManagerEnableVerifier, mlirPassManagerGetAsOpPassManager,
    mlirPassManagerRunOnOp,
};
use std::{any::Any, ffi::c_void};

/// A pass has failed and has said why in a diagnostic.
#[derive(Clone, Copy, Debug)]
pub struct PassFailed;

/// What a pass returns.
pub type PassResult = Result<(), PassFailed>;

/// Says on the op what is wrong, and fails.
pub fn fail<T>(op: Op, message: impl AsRef<str>) -> Result<T, PassFailed> {
    op.emit_error(message.as_ref());
    Err(PassFailed)
}

/// A folder of passes: one file for each.
pub struct Folder {
    /// Where it is in the repository.
    pub path: &'static str,
    /// Its passes.
    pub passes: &'static [&'static PassSpec],
}

impl Folder {
    /// Its name, for example `relay`.
    pub fn name(&self) -> &'static str {
        self.path.rsplit('/').next().unwrap_or(self.path)
    }
}

/// A pass.
pub struct PassSpec {
    /// The flag: TVM's name for the pass in kebab case.
    pub flag: &'static str,
    /// One line for `--help`.
    pub summary: &'static str,
    /// What it does at length, with before and after, in Markdown; becomes its page in the docs.
    pub description: &'static str,
    /// The op it runs on: `builtin.module`, or `func.func` with a body.
    pub anchor: &'static str,
    /// Its options.
    pub options: &'static [OptionSpec],
    /// Runs it on one op.
    pub run: fn(Op, &Options) -> PassResult,
}

impl PassSpec {
    /// The argument `--flag=VALUE` as MLIR takes it, `--flag=OPTION=VALUE`, if the pass's first option is text and
    /// no option is named: `--rewrite=rules.pat` is `--rewrite=rules=rules.pat`.
    pub fn spelled_out(&self, argument: &str) -> Option<String> {
        let dashed = argument.strip_prefix("--").or(argument.strip_prefix('-'))?;
        let value = dashed.strip_prefix(self.flag)?.strip_prefix('=')?;
        let first = self.options.first()?;
        let is_named = |option: &OptionSpec| {
            let rest = value.trim_start().strip_prefix(option.name);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '=']))
        };
        if !matches!(first.default, Default::Str(_)) || self.options.iter().any(is_named) {
            return None;
        }
        Some(format!("--{}={}={value}", self.flag, first.name))
    }
}

/// An option of a pass.
pub struct OptionSpec {
    /// The name in kebab case.
    pub name: &'static str,
    /// One line for `--help`.
    pub summary: &'static str,
    /// Its type, and its value if it is not given.
    pub default: Default,
}

/// The type and default of an option.
#[derive(Clone, Copy, Debug)]
pub enum Default {
    /// True or false.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// Text.
    Str(&'static str),
}

/// A value that a program gives its passes beside their options, of any type; the passes that need it know its
/// type.
pub type Service = &'static (dyn Any + Send + Sync);

/// The values of a pass's options.
pub struct Options<'a> {
    specs: &'a [OptionSpec],
    values: Vec<String>,
    service: Service,
}

impl<'a> Options<'a> {
    /// The defaults of all options of `spec`.
    pub fn defaults(spec: &'a PassSpec) -> Self {
        let values = spec
            .options
            .iter()
            .map(|option| option.default.text())
            .collect();
        Self {
            specs: spec.options,
            values,
            service: &(),
        }
    }

    /// The values that MLIR has parsed.
    ///
    /// # Safety
    /// They are live, and as many as there are options.
    pub(crate) unsafe fn given(specs: &'a [OptionSpec], values: &[MlirStringRef]) -> Self {
        let values = values.iter().map(|&value| {
            // SAFETY: as the caller promises.
            unsafe { text(value) }.to_owned()
        });
        Self {
            specs,
            values: values.collect(),
            service: &(),
        }
    }

    /// The value that the passes were registered with, if it is of this type.
    pub fn service<T: Any>(&self) -> Option<&'static T> {
        self.service.downcast_ref()
    }

    /// The value of an option that the pass declares.
    pub fn str(&self, name: &str) -> &str {
        let index = self.specs.iter().position(|option| option.name == name);
        &self.values[index.unwrap_or_else(|| panic!("there is no option {name}"))]
    }

    /// The value of a whole-number option.
    pub fn int(&self, name: &str) -> i64 {
        self.str(name)
            .parse()
            .expect("MLIR has parsed this option as a number")
    }

    /// The value of a boolean option.
    pub fn bool(&self, name: &str) -> bool {
        self.str(name) == "true"
    }
}

impl Default {
    fn text(self) -> String {
        match self {
            Self::Bool(value) => value.to_string(),
            Self::Int(value) => value.to_string(),
            Self::Str(value) => value.to_string(),
        }
    }

    fn kind(self) -> u32 {
        match self {
            Self::Bool(_) => 0,
            Self::Int(_) => 1,
            Self::Str(_) => 2,
        }
    }
}

/// A pass as MLIR's registry knows it.
struct Registered {
    spec: &'static PassSpec,
    service: Service,
}

/// Puts passes into MLIR's registry. Once per pass and process.
pub fn register(specs: &[&'static PassSpec]) {
    register_with(specs, &());
}

/// Registers passes with MLIR that find `service` among their [options](Options::service). Once per pass and
/// process.
pub fn register_with(specs: &[&'static PassSpec], service: Service) {
    for spec in specs {
        // MLIR's registry keeps all of these for as long as the process lives.
        let registered: &Registered = Box::leak(Box::new(Registered { spec, service }));
        let host = host_spec(
            (spec.flag, spec.summary, spec.anchor),
            spec.options,
            registered,
        );
        // SAFETY: `host` and all that it points to live as long as the process.
        unsafe { ffi::relayRegisterPass(host, run_pass) };
    }
}

/// What the bridge reads of a pass or pipeline, of which `host` is our own record. It is never freed.
pub(crate) fn host_spec<T>(
    (flag, summary, anchor): (&'static str, &'static str, &'static str),
    options: &'static [OptionSpec],
    host: &'static T,
) -> &'static ffi::HostSpec {
    let options = options.iter().map(|option| ffi::HostOptionSpec {
        name: string_ref(option.name),
        summary: string_ref(option.summary),
        default_value: leak(option.default.text()),
        kind: option.default.kind(),
    });
    let options = options.collect::<Vec<_>>().leak();
    Box::leak(Box::new(ffi::HostSpec {
        flag: string_ref(flag),
        summary: string_ref(summary),
        anchor: string_ref(anchor),
        option_count: options.len() as isize,
        options: options.as_ptr(),
        host: (&raw const *host).cast(),
    }))
}

/// Runs a pass; the bridge has its address from the pass's registration.
unsafe extern "C" fn run_pass(
    host: *const c_void,
    op: MlirOperation,
    option_count: isize,
    options: *const MlirStringRef,
) -> bool {
    // SAFETY: `host` is the `&'static Registered` that was registered; the rest is live for the call.
    unsafe {
        let Registered { spec, service } = &*host.cast::<Registered>();
        let op = Op::from_raw(op);
        if op.is(func::Func::NAME) && op.block_in(0).is_none() {
            return true;
        }
        let options = Options {
            service: *service,
            ..Options::given(spec.options, slice(options, option_count))
        };
        match guard(|| Ok((spec.run)(op, &options))) {
            Ok(result) => result.is_ok(),
            Err(message) => {
                op.loc()
                    .emit_error(&format!("pass '{}': {message}", spec.flag));
                false
            }
        }
    }
}

/// Puts MLIR's own passes into the registry, for pipelines that mix them with ours.
#[cfg(feature = "dialects")]
pub fn register_upstream() {
    melior::utility::register_all_passes();
}

fn leak(text: String) -> MlirStringRef {
    string_ref(Box::leak(text.into_boxed_str()))
}

/// Runs `body`; returns its result and the errors that it reported, as text: each with its location, and the line of the file
/// that it is in. Warnings are dropped.
pub fn with_diagnostics<T>(context: &Context, body: impl FnOnce() -> T) -> (T, String) {
    let (result, errors, _) = with_warnings(context, body);
    (result, errors)
}

/// As [`with_diagnostics`], with the warnings behind the errors: each is a line with its location.
pub fn with_warnings<T>(context: &Context, body: impl FnOnce() -> T) -> (T, String, Vec<String>) {
    use std::{cell::RefCell, rc::Rc};
    let report = Rc::new(RefCell::new(Report::default()));
    let sink = Rc::clone(&report);
    let handler = context.attach_diagnostic_handler(move |diagnostic| {
        sink.borrow_mut().add(&diagnostic);
        true
    });
    let result = body();
    context.detach_diagnostic_handler(handler);
    let report = report.borrow();
    (result, report.text(), report.warnings())
}

/// As [`with_diagnostics`], inside of a pass: for what may fail without the pass failing.
pub fn with_diagnostics_of<T>(ctx: Ctx, body: impl FnOnce() -> T) -> (T, String) {
    // SAFETY: whoever has a handle of the context keeps it alive.
    let context = unsafe { melior::ContextRef::from_raw(ctx.to_raw()) };
    // SAFETY: what is borrowed here is `context` itself, which outlives the call.
    with_diagnostics(unsafe { context.to_ref() }, body)
}

/// Runs a textual pipeline such as `fuse-ops,lower-te` on a module, and verifies after each pass.
///
/// # Errors
/// If the pipeline does not parse (the text says why), or a pass fails (diagnostics say why).
pub fn run_pipeline(
    context: &Context,
    module: &mut Module<'_>,
    pipeline: &str,
) -> Result<(), String> {
    run_with(context, module, pipeline, true)
}

/// As [`run_pipeline`], without looking at the IR between passes: that takes as long as the passes
/// themselves once loops are unrolled. Callers verify the module after the last pass.
///
/// # Errors
/// As [`run_pipeline`].
pub fn run_unverified(
    context: &Context,
    module: &mut Module<'_>,
    pipeline: &str,
) -> Result<(), String> {
    run_with(context, module, pipeline, false)
}

/// Runs a textual pipeline on what a pass works on, as part of that pass: upstream's passes that do our job.
///
/// # Errors
/// If the pipeline does not parse, or a pass fails; diagnostics say why.
pub fn run_inside(op: Op, pipeline: &str) -> PassResult {
    let mut message = String::new();
    // SAFETY: the op is alive, the callback writes to the string that it is given, and the manager is destroyed once.
    let done = unsafe {
        let anchor = op.name();
        let manager = mlirPassManagerCreateOnOperation(op.ctx().to_raw(), string_ref(&anchor));
        // Whoever runs this pass verifies what comes out, or does not want to.
        mlirPassManagerEnableVerifier(manager, false);
        let parsed = mlirOpPassManagerAddPipeline(
            mlirPassManagerGetAsOpPassManager(manager),
            string_ref(pipeline),
            Some(collect_text),
            (&raw mut message).cast(),
        );
        let done = parsed.value != 0 && mlirPassManagerRunOnOp(manager, op.to_raw()).value != 0;
        mlirPassManagerDestroy(manager);
        done
    };
    match (done, message.is_empty()) {
        (true, _) => Ok(()),
        (false, true) => Err(PassFailed),
        (false, false) => fail(op, message),
    }
}

fn run_with(
    context: &Context,
    module: &mut Module<'_>,
    pipeline: &str,
    verify: bool,
) -> Result<(), String> {
    let manager = PassManager::new(context);
    manager.enable_verifier(verify);
    let text = format!("builtin.module({pipeline})");
    melior::utility::parse_pass_pipeline(manager.as_operation_pass_manager(), &text)
        .map_err(|error| error.to_string())?;
    manager.run(module).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPEC: PassSpec = PassSpec {
        flag: "rewrite",
        summary: "",
        description: "",
        anchor: "builtin.module",
        options: &[
            OptionSpec {
                name: "rules",
                summary: "",
                default: Default::Str(""),
            },
            OptionSpec {
                name: "report",
                summary: "",
                default: Default::Bool(false),
            },
        ],
        run: |_, _| Ok(()),
    };

    #[test]
    fn the_first_option_needs_no_name() {
        let spelled_out = |argument| SPEC.spelled_out(argument);
        let long = Some("--rewrite=rules=a.pat".to_string());
        assert_eq!(spelled_out("--rewrite=a.pat"), long);
        assert_eq!(spelled_out("-rewrite=a.pat"), long);
        let with_report = Some("--rewrite=rules=a.pat report".to_string());
        assert_eq!(spelled_out("--rewrite=a.pat report"), with_report);
    }

    #[test]
    fn what_has_a_name_stays() {
        let arguments = [
            "--rewrite",
            "--rewrite=rules=a.pat",
            "--rewrite=report",
            "--rewrite=report=true rules=a.pat",
            "--rewrites=a.pat",
            "rewrite=a.pat",
        ];
        for argument in arguments {
            assert_eq!(SPEC.spelled_out(argument), None, "{argument}");
        }
    }
}
