//! `relayc run`.

use super::{generate::GenerateArgs, how::How, json, log::Voice};
use crate::{
    DriverError,
    bench::Latency,
    compile::{CompileOptions, Emit},
    frontend::Unsaid,
    interpret, npz, output,
    report::RunReport,
    run, summary, watch,
};
use clap::ValueEnum;
use relay_codegen::interface::Executor;
use relay_dialects::visible;
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Args {
    /// A compiled model (.so), or a model to compile first
    model: PathBuf,
    /// The inputs (.npz, by tensor name); without them, seeded random ones
    #[arg(long)]
    inputs: Option<PathBuf>,
    /// Where to write the outputs (.npz); without it, their first elements and their range are printed, unless times or JSON are
    #[arg(long)]
    outputs: Option<PathBuf>,
    /// The number of threads; 0 for as many as this process may use
    #[arg(long, default_value_t = 0)]
    threads: usize,
    /// Print the latency
    #[arg(long)]
    print_time: bool,
    /// Print the model and the times of --print-time as JSON; docs/json.md describes it
    #[arg(long)]
    json: bool,
    /// The number of timed runs
    #[arg(long, default_value_t = 10, requires = "print_time")]
    repeat: usize,
    /// The seed of random inputs, and of tokens that are chosen at random
    #[arg(long, default_value_t = 0, conflicts_with = "inputs")]
    seed: u64,
    /// Also write the results of nodes: nodes or tensors by name, with the wildcards * and ?. Such a node ends
    /// a kernel, so fusion changes. May be repeated
    #[arg(long, value_name = "PATTERN", conflicts_with_all = ["print_time", "json"])]
    dump: Vec<String>,
    /// The folder for the tensors of --dump, as tensors.npz [default: the model's name with .dump]
    #[arg(long, value_name = "DIR", requires = "dump")]
    dump_to: Option<PathBuf>,
    /// Find the first node, in the model's order, with a NaN or infinite element; report an error if there is
    /// one
    #[arg(long, value_enum, value_delimiter = ',', conflicts_with_all = ["print_time", "json"])]
    watch: Vec<WatchArg>,
    /// The executor
    #[arg(long, value_enum, default_value_t)]
    executor: ExecutorArg,
    #[command(flatten)]
    generate: GenerateArgs,
    #[command(flatten)]
    how: How,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum ExecutorArg {
    /// Machine code, compiled ahead of time
    #[default]
    Aot,
    /// A virtual machine that runs bytecode
    Vm,
    /// Walk the program, and compile each operator on its own: for programs with closures, data types and recursion.
    /// What @main gives is printed, if --outputs names no file
    Interpreter,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum WatchArg {
    Nan,
    Inf,
}

impl Args {
    /// Runs a model, saves its outputs or prints what they are, and prints how long it takes if that was asked for.
    pub fn run(self, voice: Voice) -> Result<(), DriverError> {
        if let Some(path) = &self.outputs {
            output::check(path)?;
        }
        let sizes = self.how.sizes(&self.model)?;
        if self.executor == ExecutorArg::Interpreter {
            return self.interpret(voice);
        }
        let mut options = self.how.options(Emit::Library, voice)?;
        if self.executor == ExecutorArg::Vm {
            options.executor = Executor::Vm;
        }
        if self.generate.is_wanted() {
            let how = (self.threads, self.seed, voice);
            return self.generate.run(&self.model, options, how);
        }
        if !self.dump.is_empty() || !self.watch.is_empty() {
            return self.look(&options, voice);
        }
        let inputs = self.inputs.as_deref();
        if inputs.is_some() {
            // The file says the sizes.
            options.reading.unsaid = Unsaid::Open;
        }
        let model = run::load_or_compile(&self.model, &options)?;
        let tensors = run::inputs_of(&model, &sizes, inputs, self.seed)?;
        let mut session = model.instance(self.threads)?;
        let repeat = if self.print_time { self.repeat } else { 0 };
        let (results, times) = run::run(&mut session, &tensors, repeat)?;
        let latency = Latency::of(&times);
        json::print(
            self.json,
            &RunReport::new(&self.model, &model, self.threads, latency),
        )?;
        match &self.outputs {
            Some(path) => npz::write(path, model.outputs(), &results),
            // What was asked for is printed, and nothing beside it.
            None if self.print_time || self.json => Ok(()),
            None => output::print(summary::of_outputs(model.outputs(), results).as_bytes()),
        }
    }

    /// Walks the program.
    fn interpret(&self, voice: Voice) -> Result<(), DriverError> {
        let timed = self.print_time || self.json || !self.dump.is_empty() || !self.watch.is_empty();
        if timed || run::is_library(&self.model) {
            return Err(DriverError::Usage(
                "--executor interpreter takes a program, and neither times nor looks into it"
                    .into(),
            ));
        }
        let reading = self.how.options(Emit::Library, voice)?.reading;
        let inputs = self.inputs.as_deref();
        let value = interpret::interpret(&self.model, &reading, inputs, self.seed)?;
        match &self.outputs {
            Some(path) => npz::write_all(path, &interpret::tensors(&value)?),
            None => {
                println!("{}", visible(&value.to_string()));
                Ok(())
            }
        }
    }

    /// Runs a model once with tensors inside of it as outputs.
    fn look(&self, options: &CompileOptions, voice: Voice) -> Result<(), DriverError> {
        if run::is_library(&self.model) {
            return Err(DriverError::Usage(format!(
                "{}: a library has no tensors but its outputs; give --dump and --watch the model",
                self.model.display()
            )));
        }
        let look = watch::Look {
            dump: watch::patterns(&self.dump).map_err(DriverError::Usage)?,
            nan: self.watch.contains(&WatchArg::Nan),
            infinite: self.watch.contains(&WatchArg::Inf),
        };
        let inputs = (self.inputs.as_deref(), self.seed);
        let seen = watch::look(&self.model, options, &look, inputs, self.threads);
        let seen = seen?;
        if let Some(path) = &self.outputs {
            npz::write_all(path, &seen.outputs)?;
        }
        if !seen.dumped.is_empty() {
            let name = PathBuf::from(self.model.file_name().unwrap_or_default());
            let folder = self.dump_to.clone();
            let folder = folder.unwrap_or_else(|| name.with_extension("dump"));
            watch::save(&folder, &seen.dumped)?;
            let file = folder.join("tensors.npz");
            voice.say(format!(
                "wrote {} tensors to {}",
                seen.dumped.len(),
                file.display()
            ));
        }
        match seen.first {
            Some(first) => {
                let model = self.model.display();
                Err(DriverError::Found(format!("{model}: {first}")))
            }
            None => Ok(()),
        }
    }
}
