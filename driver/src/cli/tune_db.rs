//! `relayc tune db`: what people ask of a file of records.

use super::{how::How, json, log::Voice};
use crate::{
    DriverError,
    compile::{CompileOptions, Emit},
    html::tuning,
    output,
    records::{self, machine},
    tune::{db, import, rank},
};
use relay_codegen::Target;
use relay_tune::{Database, Writer};
use std::path::{Path, PathBuf};

/// What to do with a file of records.
#[derive(clap::Subcommand)]
pub enum Verb {
    /// Count kernels, trials, failures and gains
    Stats {
        #[command(flatten)]
        file: Positional,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Show the schedule of each kernel of a model, and the reason
    Explain {
        /// The model, as relayc compile takes it
        model: PathBuf,
        /// Print JSON
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        how: Box<How>,
    },
    /// Show the trials of a kernel, or the kernel with its schedule as MLIR; or the chosen layouts of an
    /// operator
    Show {
        /// The kernel's key or the operator's, or its first digits
        key: String,
        #[command(flatten)]
        file: File,
        /// Print a module with the chosen schedule, for relay-opt and FileCheck
        #[arg(long)]
        mlir: bool,
        /// The maximum number of trials to show
        #[arg(long, default_value_t = 20)]
        count: usize,
    },
    /// Choose a kernel's schedule from a module: the output of show --mlir, edited by hand
    Choose {
        /// The kernel's key, or its first digits
        key: String,
        /// The module
        module: PathBuf,
        #[command(flatten)]
        how: Box<How>,
    },
    /// Measure how well cost models rank schedules of unseen kernels, for learned models and the templates' own
    Rank {
        /// The number of parts of the kernels; a model learned on the others ranks each part
        #[arg(long, default_value_t = rank::FOLDS)]
        folds: usize,
        /// Print JSON
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        how: Box<How>,
    },
    /// Merge other files into a file
    Merge {
        /// The files to add
        #[arg(required = true)]
        inputs: Vec<PathBuf>,
        #[command(flatten)]
        file: File,
    },
    /// Read a log of TVM's AutoTVM (conv2d_NCHWc.x86, depthwise_conv2d_NCHWc.x86, dense_pack.x86) or
    /// auto-scheduler (Ansor). relayc tune tries its schedules for equal kernels first
    Import {
        /// The log: lines of JSON
        log: PathBuf,
        /// The model with the kernels, as relayc compile takes it [default: the kernels in the records]
        #[arg(long)]
        model: Option<PathBuf>,
        #[command(flatten)]
        how: Box<How>,
    },
    /// Keep the choices and the fastest trials of each kernel on each machine, and drop the rest
    Prune {
        #[command(flatten)]
        file: File,
        /// The number of trials of a kernel to keep
        #[arg(long, default_value_t = 20)]
        count: usize,
    },
    /// Write an HTML page of all trials in one file
    Report {
        #[command(flatten)]
        file: Positional,
        /// The output file; "-" is the standard output
        #[arg(short, long)]
        output: PathBuf,
        #[command(flatten)]
        how: Box<How>,
    },
    /// Write the records of a model's kernels into a separate file
    Export {
        /// The model, as relayc compile takes it
        model: PathBuf,
        /// The output file; "-" is the standard output
        #[arg(short, long, default_value = "-")]
        output: PathBuf,
        #[command(flatten)]
        how: Box<How>,
    },
}

/// Which file of records.
#[derive(clap::Args)]
pub struct File {
    /// The file of records [default: as for relayc tune]
    #[arg(long = "records", value_name = "FILE")]
    named: Option<PathBuf>,
}

/// As [`File`], of a verb that is about a file and nothing else.
#[derive(clap::Args)]
pub struct Positional {
    /// The file of records [default: as for relayc tune]
    #[arg(id = "file", value_name = "RECORDS")]
    named: Option<PathBuf>,
}

impl From<Positional> for File {
    fn from(Positional { named }: Positional) -> Self {
        Self { named }
    }
}

impl File {
    /// The one that is named among the options on how to compile.
    fn of(how: &How) -> Self {
        Self {
            named: how.named_records().map(Path::to_owned),
        }
    }

    fn path(&self) -> Result<PathBuf, DriverError> {
        found(self.named.clone().or_else(records::default_path))
    }

    /// A file to add to, in a folder that is there.
    fn writable(&self) -> Result<PathBuf, DriverError> {
        let path = match &self.named {
            Some(named) => named.clone(),
            None => found(records::usual()?)?,
        };
        records::check(&path)?;
        Ok(path)
    }

    /// Options to compile with the file, if it is there.
    fn followed(&self, options: CompileOptions) -> Result<CompileOptions, DriverError> {
        let records = Some(self.path()?).filter(|path| path.exists());
        Ok(CompileOptions { records, ..options })
    }

    /// What a file holds that must be there.
    fn read(&self) -> Result<Database, DriverError> {
        let path = self.path()?;
        if !path.exists() {
            let reason = "there are no records; relayc tune MODEL makes some";
            return Err(DriverError::Model {
                path,
                reason: reason.into(),
            });
        }
        Ok(Database::read(&path)?)
    }
}

fn found(path: Option<PathBuf>) -> Result<PathBuf, DriverError> {
    let reason = "there is no usual place for records; name a file with --records";
    path.ok_or_else(|| DriverError::Usage(reason.into()))
}

impl Verb {
    /// Does it.
    pub fn run(self, voice: Voice) -> Result<(), DriverError> {
        let options = |how: &How| how.options(Emit::Library, voice);
        match self {
            Self::Stats { file, json } => json::print(json, &db::stats(&File::from(file).read()?)),
            Self::Explain { model, json, how } => {
                let file = File::of(&how);
                let options = file.followed(options(&how)?)?;
                json::print(json, &db::explain(&file.read()?, &model, &options)?)
            }
            Self::Show {
                key,
                file,
                mlir,
                count,
            } => show(&file.read()?, &key, (!mlir).then_some(count)),
            Self::Choose { key, module, how } => {
                choose(&key, &module, &File::of(&how), &options(&how)?)
            }
            Self::Rank { folds, json, how } => {
                rank_models(&File::of(&how).read()?, folds, json, &options(&how)?)
            }
            Self::Merge { inputs, file } => merge(&inputs, &file.writable()?, voice),
            Self::Import { log, model, how } => {
                let file = File::of(&how);
                let options = file.followed(options(&how)?)?;
                import_log(&log, &file, model.as_deref(), &options)
            }
            Self::Prune { file, count } => prune(&file, count, voice),
            Self::Report { file, output, how } => {
                report(&File::from(file).read()?, &output, &options(&how)?)
            }
            Self::Export { model, output, how } => {
                let file = File::of(&how);
                let options = file.followed(options(&how)?)?;
                export(&model, &file.read()?, &output, &options)
            }
        }
    }
}

/// Prints so many trials of a kernel, or the kernel as MLIR.
fn show(database: &Database, key: &str, trials: Option<usize>) -> Result<(), DriverError> {
    let layouts = match trials {
        Some(_) => db::show_layouts(database, key),
        None => String::new(),
    };
    let kernel = match db::find(database, key) {
        Err(_) if !layouts.is_empty() => return output::print(layouts.as_bytes()),
        found => found?,
    };
    let text = match trials {
        None => db::module_of(database, kernel, &machine(&Target::host()?))?,
        Some(count) => db::show(database, kernel, count),
    };
    output::print((layouts + &text).as_bytes())
}

fn choose(
    key: &str,
    module: &Path,
    file: &File,
    options: &CompileOptions,
) -> Result<(), DriverError> {
    let database = file.read()?;
    let kernel = db::find(&database, key)?;
    db::choose(&file.path()?, kernel, (module, &machine(&options.target)))
}

fn rank_models(
    database: &Database,
    folds: usize,
    json: bool,
    options: &CompileOptions,
) -> Result<(), DriverError> {
    let machine = options.target.schedules_for();
    json::print(json, &rank::rank(database, machine, folds)?)
}

fn import_log(
    log: &Path,
    file: &File,
    model: Option<&Path>,
    options: &CompileOptions,
) -> Result<(), DriverError> {
    let report = import::import(log, &file.writable()?, model, options)?;
    output::print(report.to_string().as_bytes())
}

fn report(database: &Database, output: &Path, options: &CompileOptions) -> Result<(), DriverError> {
    let page = tuning::page(database, &machine(&options.target), |_| true);
    output::write(output, page.as_bytes())
}

fn merge(inputs: &[PathBuf], path: &Path, voice: Voice) -> Result<(), DriverError> {
    let inputs: Vec<&Path> = inputs.iter().map(PathBuf::as_path).collect();
    let added = db::merge(path, &inputs)?;
    voice.say(format!("added {added} records to {}", path.display()));
    Ok(())
}

fn prune(file: &File, count: usize, voice: Voice) -> Result<(), DriverError> {
    let path = file.path()?;
    let unread = file.read()?.unread.len();
    let kept = Writer::open(&path)?.exclusively(|database| {
        let kept = db::prune(database, Some(count), |_| true);
        db::write(&kept, &path).map(|()| kept.len())
    })?;
    voice.say(format!("{} keeps {kept} records", path.display()));
    if unread > 0 {
        voice.say(format!("{unread} lines are dropped that are no records"));
    }
    Ok(())
}

fn export(
    model: &Path,
    database: &Database,
    output: &Path,
    options: &CompileOptions,
) -> Result<(), DriverError> {
    let explained = db::explain(database, model, options)?;
    let is_kept = |key: &str| explained.0.iter().any(|kernel| kernel.key == key);
    let lines = db::prune(database, None, is_kept);
    db::write(&lines, output)
}
