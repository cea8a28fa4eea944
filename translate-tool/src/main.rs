//! `relay-translate`: between our IR and other formats.

use mlir_sys::MlirModule;
use relay_codegen::{
    Target,
    emit::{Form, emit},
    library, link,
    lower::to_llvm,
};
use relay_dialects::{
    ir::{Ctx, Op},
    pass::run_pipeline,
    tool::{self, ExportSpec, ImportSpec},
};
use relay_import::{
    frontend::{FRONTENDS, Frontend},
    graph::options::Options,
    relay_text,
    source::Source,
};
use relay_passes::pipeline::Order;
use relay_passes::pipeline::{Level, Precision};
use std::{path::Path, process::exit};

const EXPORTS: &[ExportSpec] = &[
    ExportSpec {
        flag: "to-llvm",
        summary: "any module of ours to LLVM IR, optimised for this machine",
        run: to_text,
    },
    ExportSpec {
        flag: "to-asm",
        summary: "any module of ours to assembly for this machine",
        run: to_assembly,
    },
    ExportSpec {
        flag: "to-object",
        summary: "any module of ours to an object file for this machine",
        run: to_object,
    },
    ExportSpec {
        flag: "to-relay-text",
        summary: "a module of Relay operators to Relay's own text, as TVM prints and reads it",
        run: to_relay_text,
    },
];

const FROM_RELAY_TEXT: ImportSpec = ImportSpec {
    flag: "from-relay-text",
    summary: "Relay's own text to Relay operators",
    run: from_relay_text,
};

fn main() {
    relay_codegen::evaluate::register_passes();
    for frontend in FRONTENDS {
        tool::register_import(import_spec(frontend));
    }
    tool::register_import(&FROM_RELAY_TEXT);
    EXPORTS.iter().for_each(tool::register_export);
    exit(tool::translate_main());
}

/// The translation from a format of models. The tool keeps it as long as it runs.
fn import_spec(frontend: &Frontend) -> &'static ImportSpec {
    Box::leak(Box::new(ImportSpec {
        flag: format!("import-{}", frontend.name).leak(),
        summary: format!("{} to Relay operators", frontend.title).leak(),
        run: import,
    }))
}

fn import(spec: &ImportSpec, ctx: Ctx, bytes: &[u8], name: &str) -> Result<MlirModule, String> {
    let of_flag = |frontend: &&Frontend| spec.flag.strip_prefix("import-") == Some(frontend.name);
    let frontend = FRONTENDS.iter().find(of_flag);
    let frontend = frontend.ok_or_else(|| format!("--{}: no such format", spec.flag))?;
    let path = Path::new(name);
    let source = Source {
        path: path.into(),
        bytes: bytes.to_vec().into(),
        folder: Some(path.parent().unwrap_or(Path::new(".")).into()),
        data_root: None,
        choice: Default::default(),
    };
    let model = (frontend.open)(source).map_err(|error| error.to_string())?;
    tool::with_context(ctx, |context| {
        let module = model
            .import(context, &Options::default())
            .map_err(|error| error.to_string())?;
        Ok(tool::release(module))
    })
}

fn from_relay_text(
    _spec: &ImportSpec,
    ctx: Ctx,
    bytes: &[u8],
    name: &str,
) -> Result<MlirModule, String> {
    let text = std::str::from_utf8(bytes).map_err(|error| format!("{name}: no text: {error}"))?;
    tool::with_context(ctx, |context| {
        let module = relay_text::import(context, text, name).map_err(|error| error.to_string())?;
        Ok(tool::release(module))
    })
}

fn to_text(module: Op) -> Result<Vec<u8>, String> {
    export(module, Form::LlvmText)
}

fn to_assembly(module: Op) -> Result<Vec<u8>, String> {
    export(module, Form::Assembly)
}

fn to_object(module: Op) -> Result<Vec<u8>, String> {
    export(module, Form::Object)
}

/// Runs what lowering is left, in a context of our own: the tool's holds the module as constant.
fn to_relay_text(module: Op) -> Result<Vec<u8>, String> {
    let program = relay_text::export(module)?;
    Ok(program.to_string().into_bytes())
}

fn export(module: Op, form: Form) -> Result<Vec<u8>, String> {
    let context = relay_dialects::context();
    let mut copy =
        relay_dialects::copy_to(&context, module).ok_or("the module does not parse again")?;
    let target = Target::host().map_err(|error| error.to_string())?;
    for pass in Order::standard(&target).passes(Level::Lowered) {
        run_pipeline(&context, &mut copy, &pass)?;
    }
    let interface = to_llvm(&context, &mut copy, &target).map_err(|error| error.to_string())?;
    let options = library::Options {
        name: "model".into(),
        target,
        precision: Precision::F32,
        profile: false,
    };
    let mut code = emit(Op::of_module(&copy), &interface, &options, form)
        .map_err(|error| error.to_string())?;
    if form == Form::Object {
        code = link::with_constants(&code, &interface, &[], &options)
            .map_err(|error| error.to_string())?;
    }
    Ok(code)
}
