//! Turns `td/` into C++ with `mlir-tblgen` and compiles it with the bridge in `cpp/`. Turns the records of ops, ours and
//! MLIR's, into Rust.
//!
//! One translation unit per op family, so that an edit rebuilds seconds of C++ and not minutes.
//! Families are found by looking: `td/<dialect>/ops/<family>.td`.

mod cpp;
mod ods;
mod records;
mod rust;
mod signatures;

use records::Records;
use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, exit},
};

/// The dialects, and what they declare beside ops.
const DIALECTS: [(&str, &str, Declared); 3] = [
    ("relay", "RelayDialect", TYPES),
    ("te", "TeDialect", TYPES),
    ("tir", "TirDialect", ATTRIBUTES),
];

/// The dialects of MLIR whose ops get a type in Rust, and the files that declare these, in `include/mlir`.
const UPSTREAM: [(&str, &[&str]); 18] = [
    ("amdgpu", &["Dialect/AMDGPU/IR/AMDGPU.td"]),
    ("amx", &["Dialect/AMX/AMX.td"]),
    ("arith", &["Dialect/Arith/IR/ArithOps.td"]),
    ("arm_neon", &["Dialect/ArmNeon/ArmNeon.td"]),
    ("builtin", &["IR/BuiltinOps.td"]),
    ("cf", &["Dialect/ControlFlow/IR/ControlFlowOps.td"]),
    ("func", &["Dialect/Func/IR/FuncOps.td"]),
    ("gpu", &["Dialect/GPU/IR/GPUOps.td"]),
    (
        "llvm",
        &[
            "Dialect/LLVMIR/LLVMOps.td",
            "Dialect/LLVMIR/LLVMIntrinsicOps.td",
        ],
    ),
    ("math", &["Dialect/Math/IR/MathOps.td"]),
    ("memref", &["Dialect/MemRef/IR/MemRefOps.td"]),
    ("nvgpu", &["Dialect/NVGPU/IR/NVGPUOps.td"]),
    ("nvvm", &["Dialect/LLVMIR/NVVMOps.td"]),
    ("rocdl", &["Dialect/LLVMIR/ROCDLOps.td"]),
    ("scf", &["Dialect/SCF/IR/SCFOps.td"]),
    ("tensor", &["Dialect/Tensor/IR/TensorOps.td"]),
    ("vector", &["Dialect/Vector/IR/VectorOps.td"]),
    ("x86vector", &["Dialect/X86Vector/X86Vector.td"]),
];

/// How TableGen, its files and the dialect's C++ speak of what a dialect declares beside ops.
struct Declared {
    generator: &'static str,
    file: &'static str,
    classes: &'static str,
    add: &'static str,
}

const TYPES: Declared = Declared {
    generator: "typedef",
    file: "Types",
    classes: "TYPEDEF",
    add: "addTypes",
};

const ATTRIBUTES: Declared = Declared {
    generator: "attrdef",
    file: "Attributes",
    classes: "ATTRDEF",
    add: "addAttributes",
};

/// What passes need of the bridge, in `cpp/`.
const PASS_BRIDGE: [&str; 7] = [
    "Attributes.cpp",
    "Diagnostics.cpp",
    "Effects.cpp",
    "Math.cpp",
    "PassFlags.cpp",
    "Passes.cpp",
    "Types.cpp",
];

/// What the dialects and the tools need of it.
const DIALECT_BRIDGE: [&str; 9] = [
    "Dialects.cpp",
    "HostHooks.cpp",
    "Interfaces.cpp",
    "RelaySyntax.cpp",
    "Syntax.cpp",
    "TeSyntax.cpp",
    "TirSyntax.cpp",
    "Targets.cpp",
    "Tools.cpp",
];

fn main() {
    if let Err(message) = build() {
        eprintln!("relay-dialects: {message}");
        exit(1);
    }
}

fn build() -> Result<(), String> {
    println!("cargo:rerun-if-changed=td");
    println!("cargo:rerun-if-changed=cpp");
    println!("cargo:rerun-if-env-changed=MLIR_SYS_220_PREFIX");
    let prefix = PathBuf::from(env::var("MLIR_SYS_220_PREFIX").map_err(|_| {
        "MLIR_SYS_220_PREFIX is not set; run cargo from inside the workspace".to_string()
    })?);
    let out = PathBuf::from(env::var("OUT_DIR").map_err(|error| error.to_string())?);
    let tablegen = TableGen {
        tool: prefix.join("bin/mlir-tblgen"),
        dumper: prefix.join("bin/llvm-tblgen"),
        include: prefix.join("include"),
    };
    declare_ops(&tablegen, &out)?;
    if is_linting() {
        return Ok(());
    }
    let mut units: Vec<PathBuf> = PASS_BRIDGE.iter().map(bridge_unit).collect();
    if env::var_os("CARGO_FEATURE_DIALECTS").is_some() {
        units.extend(DIALECT_BRIDGE.iter().map(bridge_unit));
        for (name, class, declared) in DIALECTS {
            units.extend(generate_dialect(&tablegen, &out, name, class, &declared)?);
        }
    }
    cpp::compile(&prefix, &out, &units)?;
    c_api(&prefix, &out)
}

/// Writes the headers of all ops, and the Rust for ops: ours and those of [`UPSTREAM`].
fn declare_ops(tablegen: &TableGen, out: &Path) -> Result<(), String> {
    let (mut own, mut upstream) = (Vec::new(), Vec::new());
    for (dialect, _, _) in DIALECTS {
        let folder = out.join(dialect);
        fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
        let mut files = Vec::new();
        for family in families(dialect)? {
            let td = PathBuf::from(format!("td/{dialect}/ops/{family}.td"));
            let header = folder.join(format!("{family}.h.inc"));
            tablegen.run(&["-gen-op-decls"], &td, &header)?;
            files.push(td);
        }
        own.push(tablegen.dialect(dialect, &files)?);
    }
    for (dialect, files) in UPSTREAM {
        let folder = tablegen.include.join("mlir");
        let files: Vec<PathBuf> = files.iter().map(|file| folder.join(file)).collect();
        upstream.push(tablegen.dialect(dialect, &files)?);
    }
    write_if_changed(&out.join("op_names.rs"), signatures::names(&own).as_bytes())?;
    write_if_changed(
        &out.join("op_signatures.rs"),
        signatures::signatures(&own).as_bytes(),
    )?;
    for dialect in own.iter().filter(|dialect| dialect.name != "relay") {
        let file = out.join(format!("{}_ops.rs", dialect.name));
        write_if_changed(&file, rust::own_views(dialect).as_bytes())?;
    }
    let views = rust::upstream_views(&upstream);
    write_if_changed(&out.join("upstream_ops.rs"), views.as_bytes())
}

/// Clippy keeps build scripts of its own and links nothing: it needs none of the C++.
fn is_linting() -> bool {
    env::var_os("RUSTC_WORKSPACE_WRAPPER")
        .is_some_and(|wrapper| Path::new(&wrapper).ends_with("clippy-driver"))
}

fn bridge_unit(name: &&str) -> PathBuf {
    Path::new("cpp").join(name)
}

/// Debian ships MLIR's C API as static libraries only; mlir-sys asks for libMLIR-C.so. A linker
/// script of that name is enough, on the search path of whatever is linked with this crate.
fn c_api(prefix: &Path, out: &Path) -> Result<(), String> {
    let folder = prefix.join("lib");
    let mut libraries: Vec<String> = fs::read_dir(&folder)
        .map_err(|error| format!("{}: {error}", folder.display()))?
        .filter_map(|entry| Some(entry.ok()?.path().to_str()?.to_owned()))
        .filter(|path| path.contains("/libMLIRCAPI") && path.ends_with(".a"))
        // It needs a library that Debian leaves out.
        .filter(|path| !path.contains("ExportSMTLIB"))
        .collect();
    libraries.sort();
    let script = format!("GROUP({})\n", libraries.join(" "));
    write_if_changed(&out.join("libMLIR-C.so"), script.as_bytes())?;
    println!("cargo:rustc-link-search=native={}", out.display());
    Ok(())
}

struct TableGen {
    tool: PathBuf,
    /// The one that writes records as JSON.
    dumper: PathBuf,
    include: PathBuf,
}

impl TableGen {
    /// Runs one generator; leaves an output that did not change untouched, so that C++ is not
    /// compiled again for nothing.
    fn run(&self, generator: &[&str], input: &Path, output: &Path) -> Result<(), String> {
        write_if_changed(output, &self.output(&self.tool, generator, input)?)
    }

    /// What a tool writes for a file.
    fn output(&self, tool: &Path, generator: &[&str], input: &Path) -> Result<Vec<u8>, String> {
        let result = Command::new(tool)
            .args(generator)
            .arg("-I")
            .arg(&self.include)
            .args(["-I", "td"])
            .arg(input)
            .output()
            .map_err(|error| format!("cannot run {}: {error}", tool.display()))?;
        if !result.status.success() {
            return Err(String::from_utf8_lossy(&result.stderr).into_owned());
        }
        Ok(result.stdout)
    }

    /// The ops and enums of a dialect that files declare.
    fn dialect(&self, name: &str, files: &[PathBuf]) -> Result<ods::Dialect, String> {
        let mut dialect = ods::Dialect::new(name);
        for file in files {
            let dump = self.output(&self.dumper, &["-dump-json"], file)?;
            let records =
                Records::of_json(&dump).map_err(|error| format!("{}: {error}", file.display()))?;
            dialect.add(&records);
        }
        Ok(dialect)
    }

    /// Writes a header `<name>.h.inc` and a `<name>.cpp.inc`, by the generators for declarations and definitions.
    fn declare_and_define(
        &self,
        folder: &Path,
        name: &str,
        generator: &dyn Fn(&str) -> String,
        select: Option<&str>,
        input: &Path,
    ) -> Result<(), String> {
        for (what, suffix) in [("decls", "h.inc"), ("defs", "cpp.inc")] {
            let generator = generator(what);
            let arguments: Vec<&str> = [generator.as_str()].into_iter().chain(select).collect();
            let output = folder.join(format!("{name}.{suffix}"));
            self.run(&arguments, input, &output)?;
        }
        Ok(())
    }
}

fn write_if_changed(path: &Path, content: &[u8]) -> Result<(), String> {
    if fs::read(path).is_ok_and(|old| old == content) {
        return Ok(());
    }
    fs::write(path, content).map_err(|error| format!("{}: {error}", path.display()))
}

/// Writes a dialect's headers and units; returns the units.
fn generate_dialect(
    tablegen: &TableGen,
    out: &Path,
    name: &str,
    class: &str,
    declared: &Declared,
) -> Result<Vec<PathBuf>, String> {
    let folder = out.join(name);
    let dialect_td = PathBuf::from(format!("td/{name}/{class}.td"));
    let select = format!("-dialect={name}");
    let dialect = |what: &str| format!("-gen-dialect-{what}");
    tablegen.declare_and_define(&folder, "Dialect", &dialect, Some(&select), &dialect_td)?;
    let enums_td = PathBuf::from(format!("td/{name}/Enums.td"));
    let has_enums = enums_td.exists();
    if has_enums {
        let enums = |what: &str| format!("-gen-enum-{what}");
        tablegen.declare_and_define(&folder, "Enums", &enums, None, &enums_td)?;
    }
    let Declared {
        generator, file, ..
    } = declared;
    let select = format!("-{generator}s-dialect={name}");
    let attributes = |what: &str| format!("-gen-{generator}-{what}");
    tablegen.declare_and_define(&folder, file, &attributes, Some(&select), &dialect_td)?;

    let families = families(name)?;
    let mut units = Vec::new();
    for family in &families {
        let td = PathBuf::from(format!("td/{name}/ops/{family}.td"));
        let definitions = folder.join(format!("{family}.cpp.inc"));
        tablegen.run(&["-gen-op-defs"], &td, &definitions)?;
        let unit = folder.join(format!("{family}.cpp"));
        write_if_changed(&unit, family_unit(name, class, family).as_bytes())?;
        units.push(unit);
    }
    let all = folder.join("dialect.cpp");
    let text = dialect_unit(name, class, declared, has_enums, &families);
    write_if_changed(&all, text.as_bytes())?;
    units.push(all);
    Ok(units)
}

fn families(dialect: &str) -> Result<Vec<String>, String> {
    let folder = format!("td/{dialect}/ops");
    let mut names: Vec<String> = fs::read_dir(&folder)
        .map_err(|error| format!("{folder}: {error}"))?
        .filter_map(|entry| {
            entry
                .ok()?
                .file_name()
                .to_str()?
                .strip_suffix(".td")
                .map(String::from)
        })
        .collect();
    names.sort();
    Ok(names)
}

/// The dialect's own unit: its types or attributes, and an initialiser that adds them and all op families.
fn dialect_unit(
    name: &str,
    class: &str,
    declared: &Declared,
    has_enums: bool,
    families: &[String],
) -> String {
    let each = |line: &dyn Fn(&String) -> String| families.iter().map(line).collect::<String>();
    let declarations =
        each(&|family| format!("void add_{family}(relay_mlir::{name}::{class} &);\n"));
    let calls = each(&|family| format!("  add_{family}(*this);\n"));
    let Declared {
        file, classes, add, ..
    } = declared;
    let include = format!("#include \"{name}/{file}.cpp.inc\"\n");
    let defined = format!("#define GET_{classes}_CLASSES\n{include}");
    let added = format!("{add}<\n#define GET_{classes}_LIST\n{include}>();");
    let enums = if has_enums {
        format!("#include \"{name}/Enums.cpp.inc\"\n")
    } else {
        String::new()
    };
    format!(
        "#include \"Dialects.h\"\n#include \"llvm/ADT/TypeSwitch.h\"\nusing namespace mlir;\n\
         {enums}#include \"{name}/Dialect.cpp.inc\"\n{defined}{declarations}\
         LogicalResult relay_mlir::{name}::{class}::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {{\n\
         return relay_mlir::hostVerifyAttribute(op, attribute);\n}}\n\
         void relay_mlir::{name}::{class}::initialize() {{\n{added}\n{calls}}}\n"
    )
}

fn family_unit(dialect: &str, class: &str, family: &str) -> String {
    format!(
        "#include \"Dialects.h\"\n\
         #define GET_OP_CLASSES\n#include \"{dialect}/{family}.h.inc\"\n\
         #define GET_OP_CLASSES\n#include \"{dialect}/{family}.cpp.inc\"\n\
         void add_{family}(relay_mlir::{dialect}::{class} &dialect) {{\n  dialect.addFamily<\n\
         #define GET_OP_LIST\n#include \"{dialect}/{family}.cpp.inc\"\n  >();\n}}\n"
    )
}
