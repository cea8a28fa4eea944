//! From trees to modules of the relay dialect.
//!
//! A function of the module becomes a `func.func`, and a name the value that it is bound to: `let` and `%0 =` say the same
//! here. Types that are not written and do not follow at once are `!relay.incomplete`, for `infer-type` to find.

mod calls;
mod custom;
mod data;
mod elements;
mod expressions;
mod functions;
mod types;

use super::{
    metadata::{self, Array, Metadata},
    parse::{TextError, parse_any},
    prelude,
    syntax::{Definition, Program},
};
use crate::graph::diagnostics::{self, Diagnostics};
use functions::Signature;
use melior::{
    Context,
    ir::{Location, Module},
};
use relay_dialects::{
    ir::{Attr, Block, Builder, Ctx, Loc, Op, Point, Value},
    relay::{self, language::adt::TypeDef},
};
use std::{collections::HashMap, ops::Range};
use types::TypeParam;

type Result<T> = std::result::Result<T, TextError>;

/// Reads a text into a module: a program, or an expression as the function `@main`.
///
/// # Errors
/// The first place that does not read, or that names something that is not there; also what is of the language and not yet of
/// the dialect: parameters whose types have type parameters of their own, metadata that is neither constant nor device.
pub fn import<'c>(context: &'c Context, text: &str, file: &str) -> Result<Module<'c>> {
    import_with(context, text, file, Vec::new())
}

/// As [`import`], with constants for `meta[relay.Constant][...]` that do not stand in the text. If there are any, those of the
/// text's metadata are not read.
///
/// # Errors
/// As [`import`].
pub fn import_with<'c>(
    context: &'c Context,
    text: &str,
    file: &str,
    constants: Vec<Array>,
) -> Result<Module<'c>> {
    let in_file = |error: TextError| error.in_file(file);
    let program = parse_any(text).map_err(in_file)?;
    let module = Module::new(Location::unknown(context));
    let result = diagnostics::collect(context, |diagnostics| {
        let mut reader = Reader {
            ctx: Ctx::of(context),
            source: Source::new(text, file),
            functions: HashMap::new(),
            types: HashMap::new(),
            constructors: HashMap::new(),
            type_params: Vec::new(),
            generic: HashMap::new(),
            metadata: Metadata {
                constants,
                devices: Vec::new(),
            },
            scopes: Vec::new(),
            diagnostics,
        };
        reader.program(Op::of_module(&module), &program)
    });
    result.map(|()| module).map_err(in_file)
}

/// A text, and its name in locations.
struct Source<'t> {
    text: &'t str,
    file: &'t str,
    /// Where each line begins, in bytes.
    lines: Vec<usize>,
}

impl<'t> Source<'t> {
    fn new(text: &'t str, file: &'t str) -> Self {
        let ends = text.match_indices('\n').map(|(end, _)| end + 1);
        let lines = [0].into_iter().chain(ends).collect();
        Self { text, file, lines }
    }

    /// The line and the column of a byte, counted from 1.
    fn place(&self, byte: usize) -> (u32, u32) {
        let line = self.lines.partition_point(|begin| *begin <= byte);
        let column = self.text[self.lines[line - 1]..byte].chars().count() + 1;
        let small = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        (small(line), small(column))
    }

    /// Where an op stands that was made of this text; nowhere if it was made of another one.
    fn span(&self, loc: Loc) -> Range<usize> {
        let loc = loc.to_string();
        let place = loc.strip_prefix(self.file).and_then(|place| {
            let (line, column) = place.strip_prefix(':')?.split_once(':')?;
            let line = self
                .lines
                .get(line.parse::<usize>().ok()?.checked_sub(1)?)?;
            let letters = self.text.get(*line..)?.char_indices();
            let at = letters.skip(column.parse::<usize>().ok()?.checked_sub(1)?);
            at.map(|(at, _)| line + at).next()
        });
        place.map_or(0..0, |at| at..at)
    }
}

/// What is known where the text is being read.
struct Reader<'t> {
    ctx: Ctx,
    /// What is being read.
    source: Source<'t>,
    /// The functions of the module.
    functions: HashMap<String, Signature>,
    /// The data types: how many type parameters each has.
    types: HashMap<String, usize>,
    /// Constructors: their type, and their tag.
    constructors: HashMap<String, (TypeDef, usize)>,
    /// The type parameters of what is being read.
    type_params: Vec<TypeParam>,
    /// Values that are functions with type parameters, and the names of these.
    generic: HashMap<Value, Vec<String>>,
    /// The constants and devices of the metadata.
    metadata: Metadata,
    /// What names stand for, the innermost scope last.
    scopes: Vec<HashMap<String, Value>>,
    diagnostics: &'t Diagnostics,
}

impl Reader<'_> {
    fn error(&self, span: &Range<usize>, message: impl Into<String>) -> TextError {
        TextError::at(self.source.text, span, message)
    }

    /// An error about a construct that the dialect does not have yet.
    fn missing<T>(&self, span: &Range<usize>, what: &str) -> Result<T> {
        Err(self.error(span, format!("{what} cannot be read into modules yet")))
    }

    fn program(&mut self, module: Op, program: &Program) -> Result<()> {
        if let Some(json) = &program.metadata {
            let metadata = metadata::read(json);
            let metadata =
                metadata.map_err(|reason| self.error(&(0..0), format!("metadata: {reason}")))?;
            self.metadata.devices = metadata.devices;
            if self.metadata.constants.is_empty() {
                self.metadata.constants = metadata.constants;
            }
        }
        let borrowed = prelude::needed(program);
        let mut other = Source::new(prelude::TEXT, prelude::FILE);
        for step in [Self::declare_all, Self::define_all] {
            std::mem::swap(&mut self.source, &mut other);
            step(self, module, &borrowed)?;
            std::mem::swap(&mut self.source, &mut other);
            step(self, module, &program.definitions)?;
        }
        // MLIR's verifier says what is wrong in a diagnostic; asked one by one, the ops say it here, with their places in the
        // text.
        let mut wrong = None;
        module.walk(|op| {
            let result = relay::verify(op).and_then(|()| relay::verify_symbols(op));
            if let (None, Err(message)) = (&wrong, result) {
                wrong = Some((op, message));
            }
        });
        if let Some((op, message)) = wrong {
            return Err(self.error(&self.source.span(op.loc()), message));
        }
        match module.verify() {
            true => Ok(()),
            false => Err(self.error(&(0..0), self.diagnostics.borrow().join("; "))),
        }
    }

    /// Makes types, and makes functions known.
    fn declare_all(&mut self, module: Op, definitions: &[Definition]) -> Result<()> {
        for definition in definitions {
            self.declare_type(definition)?;
        }
        for definition in definitions {
            self.define_type(module, definition)?;
        }
        for definition in definitions {
            if let Definition::Function(name, function) = definition {
                self.declare(name, function)?;
            }
        }
        Ok(())
    }

    fn define_all(&mut self, module: Op, definitions: &[Definition]) -> Result<()> {
        for definition in definitions {
            if let Definition::Function(name, function) = definition {
                self.function(module, name, function)?;
            }
        }
        Ok(())
    }

    /// At the end of a block, with the location of some bytes.
    fn builder(&self, block: Block, span: &Range<usize>) -> Builder {
        let (line, column) = self.source.place(span.start);
        Builder {
            ctx: self.ctx,
            loc: Loc::file(self.ctx, self.source.file, line, column),
            point: Point::End(block),
        }
    }

    fn name(&self, name: &str, span: &Range<usize>) -> Result<Value> {
        let mut scopes = self.scopes.iter().rev();
        let found = scopes.find_map(|scope| scope.get(name));
        found
            .copied()
            .ok_or_else(|| self.error(span, format!("nothing is called {name} here")))
    }

    fn bind(&mut self, name: String, value: Value) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name, value);
        }
    }

    /// An op whose types follow from its operands.
    fn made(
        &self,
        b: Builder,
        name: &str,
        operands: &[Value],
        attrs: &[(&str, Attr)],
        span: &Range<usize>,
    ) -> Result<Op> {
        self.diagnostics.borrow_mut().clear();
        let made = b.inferred(name, operands, attrs);
        made.ok_or_else(|| self.error(span, self.diagnostics.borrow().join("; ")))
    }
}
