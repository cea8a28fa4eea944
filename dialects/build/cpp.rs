//! Compiles the C++ units with ninja, which compiles a unit again only if the unit, a header that it includes or
//! its command has changed. (The crate `cc` compiles every unit each time; here it says which flags to use.)

use crate::write_if_changed;
use std::{
    env,
    ffi::OsStr,
    fmt::Write as _,
    path::{Path, PathBuf},
    process::Command,
};

/// The header that most units include. It is compiled once.
const COMMON: &str = "cpp/Dialects.h";

/// Compiles `units` into a static library and has cargo link it. Objects and the library lie in `out`.
pub fn compile(prefix: &Path, out: &Path, units: &[PathBuf]) -> Result<(), String> {
    let rules = out.join("build.ninja");
    write_if_changed(&rules, ninja_file(prefix, out, units)?.as_bytes())?;
    let mut ninja = Command::new("ninja");
    ninja.arg("--quiet").arg("-f").arg(&rules);
    if let Ok(jobs) = env::var("NUM_JOBS") {
        ninja.args(["-j", &jobs]);
    }
    let output = ninja
        .output()
        .map_err(|error| format!("cannot run ninja, which ./x setup installs: {error}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    println!("cargo:rustc-link-search=native={}", out.display());
    println!("cargo:rustc-link-lib=static=relay_mlir_bridge");
    println!("cargo:rustc-link-lib=stdc++");
    Ok(())
}

/// The text of `build.ninja`: a rule for each unit, and one for the library.
fn ninja_file(prefix: &Path, out: &Path, units: &[PathBuf]) -> Result<String, String> {
    let common = out.join("Dialects.h.pch");
    let mut text = rules(prefix, out);
    if units.iter().any(|unit| includes_common(unit)) {
        text += &format!("build {}: header {COMMON}\n", path(&common));
    }
    let mut objects = Vec::new();
    for unit in units {
        let object = object(out, unit)?;
        let _ = write!(text, "build {}: unit {}", path(&object), path(unit));
        if includes_common(unit) {
            let header = path(&common);
            let _ = write!(text, " | {header}\n  header = -include-pch {header}");
        }
        text.push('\n');
        objects.push(path(&object));
    }
    let library = path(&out.join("librelay_mlir_bridge.a"));
    let _ = writeln!(text, "build {library}: library {}", objects.join(" "));
    Ok(text)
}

/// The commands. A static library is made anew, because `llvm-ar` keeps members that a library has.
fn rules(prefix: &Path, out: &Path) -> String {
    let compiler = compiler(prefix, out);
    let archiver = quoted(prefix.join("bin/llvm-ar").as_os_str());
    let kept = path(out);
    format!(
        "builddir = {kept}\n\
         rule unit\n  command = {compiler} $header -MMD -MF $out.d -c $in -o $out\n  depfile = $out.d\n  deps = gcc\n\
         rule header\n  command = {compiler} -MMD -MF $out.d -x c++-header $in -o $out\n  depfile = $out.d\n  deps = gcc\n\
         rule library\n  command = rm -f $out && {archiver} rcsD $out $in\n"
    )
}

/// The compiler and its flags, as text for a shell. These units run at start-up and once per op: the time
/// that compiling them takes matters more than theirs.
fn compiler(prefix: &Path, out: &Path) -> String {
    let mut build = cc::Build::new();
    build
        .cpp(true)
        .compiler(prefix.join("bin/clang++"))
        .std("c++17")
        .include("cpp")
        .include(out)
        .flag("-isystem")
        .flag(prefix.join("include").to_string_lossy().as_ref())
        .flag("-fno-exceptions")
        .flag("-Wno-unused-parameter")
        .opt_level(0)
        .debug(false);
    let command = build.get_compiler().to_command();
    let parts = [command.get_program()]
        .into_iter()
        .chain(command.get_args());
    parts.map(quoted).collect::<Vec<_>>().join(" ")
}

/// Whether a unit includes the common header before all else.
fn includes_common(unit: &Path) -> bool {
    let text = std::fs::read_to_string(unit).unwrap_or_default();
    let first = text.lines().find(|line| line.starts_with("#include"));
    first == Some("#include \"Dialects.h\"")
}

/// The object of a unit: units of two dialects may have the same name.
fn object(out: &Path, unit: &Path) -> Result<PathBuf, String> {
    let name = unit.file_stem().and_then(OsStr::to_str);
    let folder = unit
        .parent()
        .and_then(Path::file_name)
        .and_then(OsStr::to_str);
    match (folder, name) {
        (Some(folder), Some(name)) => Ok(out.join(format!("{folder}-{name}.o"))),
        _ => Err(format!("{} has no name", unit.display())),
    }
}

/// A path in a build statement: ninja ends a path at a space or a colon.
fn path(path: &Path) -> String {
    let text = path.to_string_lossy();
    text.replace('$', "$$")
        .replace(' ', "$ ")
        .replace(':', "$:")
}

/// An argument in a command, for ninja and then for a shell.
fn quoted(argument: &OsStr) -> String {
    let text = argument.to_string_lossy().replace('$', "$$");
    format!("'{}'", text.replace('\'', r"'\''"))
}
