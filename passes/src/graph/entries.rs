//! The functions of a module that are called from outside.

use relay_dialects::{
    ir::Op,
    ops::func,
    pass::{Default, OptionSpec, Options, PassFailed, fail},
};

/// The option of a pass that names them.
pub const ENTRIES: OptionSpec = OptionSpec {
    name: "entry-functions",
    summary: "the names of the entry functions, separated by commas",
    default: Default::Str("main"),
};

/// The functions that the option names.
///
/// # Errors
/// If it names none, or one that is not there.
pub fn entries(module: Op, options: &Options) -> Result<Vec<Op>, PassFailed> {
    let names = options.str(ENTRIES.name).split(',').map(str::trim);
    let function = |name| module.lookup(name).filter(|op| op.is(func::Func::NAME));
    let entries = names
        .filter(|name| !name.is_empty())
        .map(|name| match function(name) {
            Some(function) => Ok(function),
            None => fail(module, format!("has no function @{name} to be an entry")),
        })
        .collect::<Result<Vec<Op>, PassFailed>>()?;
    if entries.is_empty() {
        return fail(
            module,
            format!("is given no entry: {} names none", ENTRIES.name),
        );
    }
    Ok(entries)
}
