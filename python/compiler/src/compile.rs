//! Compiling.

use crate::{errors, interruptible::interruptible};
use pyo3::{exceptions::PyValueError, prelude::*};
use relay_codegen::{
    Stop, Target,
    external::{self, Placement},
};
use relay_driver::{
    compile::{CompileOptions, Emit, Insertion, compile as compile_file},
    frontend::{Choice, Extent, Reading, Unsaid, element_type},
    notes::with_warnings,
    plugins, records,
};
use relay_passes::pipeline::{Goal, Level, MAX_OPT_LEVEL, Precision};
use std::{collections::BTreeMap, path::PathBuf};

/// Which file of records to read.
#[derive(FromPyObject)]
enum Which {
    /// The usual one if it is there, or none.
    Usual(bool),
    /// This one.
    File(PathBuf),
}

impl Which {
    fn path(self) -> Option<PathBuf> {
        match self {
            Self::Usual(false) => None,
            Self::Usual(true) => records::default_path().filter(|path| path.is_file()),
            Self::File(path) => Some(path),
        }
    }
}

/// What is said of inputs or dimensions, by name.
pub type Texts<T> = BTreeMap<String, T>;

/// What is said of a model beside its file: dimensions are texts such as those of the command's options. Others are 1.
///
/// # Errors
/// If a text is none of a dimension.
pub fn reading(
    shapes: Texts<Vec<String>>,
    dims: Texts<String>,
    types: Texts<String>,
    values: Texts<String>,
    (data_root, params): (Option<PathBuf>, Vec<PathBuf>),
    (signature, outputs): (Option<String>, Vec<String>),
) -> PyResult<Reading> {
    let extent =
        |text: &String| -> PyResult<Extent> { text.parse().map_err(PyValueError::new_err) };
    let shapes = shapes.into_iter().map(|(name, shape)| {
        let shape = shape.iter().map(extent).collect::<PyResult<_>>()?;
        Ok((name, shape))
    });
    let dims = dims
        .into_iter()
        .map(|(name, dim)| Ok((name, extent(&dim)?)));
    let types = types.into_iter().map(|(name, ty)| {
        let element = element_type(&ty).map_err(PyValueError::new_err)?;
        Ok((name, element))
    });
    Ok(Reading {
        types: types.collect::<PyResult<_>>()?,
        values,
        shapes: shapes.collect::<PyResult<_>>()?,
        dims: dims.collect::<PyResult<_>>()?,
        unsaid: Unsaid::One,
        data_root,
        weights: params,
        choice: Choice { signature, outputs },
    })
}

/// How to compile, as keyword arguments.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct How {
    /// `None` for this machine.
    target: Option<String>,
    precision: String,
    optimize: String,
    opt_level: u8,
    shapes: Texts<Vec<String>>,
    dims: Texts<String>,
    types: Texts<String>,
    values: Texts<String>,
    data_root: Option<PathBuf>,
    params: Vec<PathBuf>,
    signature: Option<String>,
    fetch: Vec<String>,
    cache: bool,
    profile: bool,
    progress: bool,
    dump_ir: Option<PathBuf>,
    verify_each: bool,
    insert_pass: Vec<String>,
    load_pass_plugin: Vec<PathBuf>,
    codegen: Vec<String>,
    placement: String,
    records: Which,
}

impl How {
    /// Says for which machine to compile: `choose` makes it of what was named.
    pub fn aim(&mut self, choose: impl FnOnce(Option<&str>) -> String) {
        self.target = Some(choose(self.target.as_deref()));
    }

    /// What the driver takes.
    ///
    /// # Errors
    /// If a value is none of those that there are.
    pub fn options(self) -> PyResult<CompileOptions> {
        let precision = named_precision(&self.precision)?;
        let goal = named_goal(&self.optimize)?;
        if self.opt_level > MAX_OPT_LEVEL {
            let given = self.opt_level;
            return Err(PyValueError::new_err(format!(
                "the level of optimisation is {given}; there are 0 to {MAX_OPT_LEVEL}"
            )));
        }
        let target = self.target.as_deref().unwrap_or(Target::NATIVE);
        let mut targets =
            Target::parse_list(target).map_err(|error| errors::of_codegen(&error.into()))?;
        let older = targets.split_off(1);
        let codegen = self.codegen.iter().map(|name| external::find(name));
        let codegen = codegen
            .collect::<Result<_, _>>()
            .map_err(|error| errors::of_codegen(&error))?;
        let plugins = self.load_pass_plugin.iter().map(|path| plugins::load(path));
        let plugins = plugins.collect::<Result<_, _>>();
        let plugins = plugins.map_err(|error| errors::of_driver(&error))?;
        let insert = self.insert_pass.iter().map(|text| Insertion::parse(text));
        let placement = Placement::parse(&self.placement).map_err(PyValueError::new_err)?;
        let options = CompileOptions {
            target: targets.remove(0),
            older,
            opt_level: self.opt_level,
            reading: reading(
                self.shapes,
                self.dims,
                self.types,
                self.values,
                (self.data_root, self.params),
                (self.signature, self.fetch),
            )?,
            precision,
            goal,
            emit: Emit::Library,
            dump_ir: self.dump_ir,
            verify_each: self.verify_each,
            profile: self.profile,
            cache: self.cache,
            progress: self.progress,
            warn: true,
            candidate: 0,
            records: self.records.path(),
            executor: Default::default(),
            program: false,
            codegen,
            placement,
            insert: insert.collect(),
            plugins,
            stop: Stop::default(),
        };
        if options.placement != Placement::First {
            options.check_placement().map_err(PyValueError::new_err)?;
        }
        let checked = options.check_insertions();
        checked.map_err(PyValueError::new_err)?;
        Ok(options)
    }
}

/// What to optimize for, by its name.
///
/// # Errors
/// If there is none of that name.
fn named_goal(name: &str) -> PyResult<Goal> {
    Goal::of(name).ok_or_else(|| {
        let names: Vec<&str> = Goal::ALL.iter().map(|known| known.name()).collect();
        PyValueError::new_err(format!(
            "there is nothing to optimize for that is called '{name}'; there are {}",
            names.join(", ")
        ))
    })
}

fn named_precision(given: &str) -> PyResult<Precision> {
    let known = Precision::ALL.iter().find(|known| known.name() == given);
    known.copied().ok_or_else(|| {
        let names: Vec<&str> = Precision::ALL.iter().map(|known| known.name()).collect();
        PyValueError::new_err(format!(
            "the precision is '{given}'; there are {}",
            names.join(" and ")
        ))
    })
}

/// Compiles a model file to a library; returns the warnings. Ctrl-C stops it.
#[pyfunction]
pub fn compile(py: Python<'_>, model: PathBuf, output: PathBuf, how: How) -> PyResult<Vec<String>> {
    let mut options = how.options()?;
    options.reading.unsaid = Unsaid::Open;
    let work = || with_warnings(|| compile_file(&model, &output, &options));
    let (result, warnings) = interruptible(py, &options.stop, work)?;
    result.map_err(|error| errors::of_driver(&error))?;
    Ok(warnings)
}

/// Loads the passes of a plugin, which stay for as long as the process lives.
#[pyfunction]
pub fn load_pass_plugin(path: PathBuf) -> PyResult<()> {
    let loaded = plugins::load(&path);
    loaded.map(drop).map_err(|error| errors::of_driver(&error))
}

/// The passes that take a model down to a level, in order, each as it is written in a pipeline.
#[pyfunction]
pub fn passes(level: &str, how: How) -> PyResult<Vec<String>> {
    let found = Level::ALL.iter().find(|known| known.name() == level);
    let to = found.ok_or_else(|| {
        let names: Vec<&str> = Level::ALL.iter().map(|known| known.name()).collect();
        PyValueError::new_err(format!(
            "there is no level '{level}'; there are {}",
            names.join(", ")
        ))
    })?;
    Ok(how.options()?.passes(*to))
}
