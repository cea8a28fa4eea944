//! `relay-translate`: between our IR and other formats.

use melior::ir::Module;
use relay_codegen::{
    Target,
    emit::{Form, emit},
    library::Options,
    lower::to_llvm,
};
use relay_dialects::{
    ir::Op,
    pass::run_pipeline,
    tool::{self, ExportSpec},
};
use relay_passes::pipeline::{self, Level};
use std::process::exit;

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
];

fn main() {
    relay_passes::register();
    EXPORTS.iter().for_each(tool::register_export);
    exit(tool::translate_main());
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
fn export(module: Op, form: Form) -> Result<Vec<u8>, String> {
    let context = relay_dialects::context();
    let mut copy =
        Module::parse(&context, &module.to_string()).ok_or("the module does not parse again")?;
    for pass in pipeline::passes(Level::Lowered, 3) {
        run_pipeline(&context, &mut copy, pass)?;
    }
    let interface = to_llvm(&context, &mut copy).map_err(|error| error.to_string())?;
    let options = Options {
        name: "model".into(),
        target: Target::host(),
        profile: false,
    };
    emit(Op::of_module(&copy), &interface, &options, form).map_err(|error| error.to_string())
}
