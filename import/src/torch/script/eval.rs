//! Reads the statements of a program in their order, and writes the operators that they call.
//!
//! What is known, such as attributes, extents and numbers of them, is computed at once. So methods are written out where they are called,
//! branches whose condition is known are chosen, and loops whose count is known are unrolled. Nothing of the file is executed by Python.

use super::{
    program::{Script, joined},
    syntax::{Expr, Function, Stmt, StmtKind},
    value::{Object, Steps, Val, known_number},
};
use crate::{
    compose::complex::Complex,
    error::Unsupported,
    graph::{builder::GraphBuilder, error::Result, stored::Stored, value::Value},
    torch::{
        convert::{Converter, Names},
        deep::with_stack,
        item::Item,
        schema,
        scope::Origin,
    },
};
use std::{
    collections::{BTreeMap, HashMap, HashSet},
    rc::Rc,
};
use typed_arena::Arena;

/// How deep calls may lie in others.
const DEEPEST: usize = 200;
/// The most steps that a program may take: statements, with those of loops once for each iteration, and items that lists are made of.
const MOST_STEPS: usize = 1 << 20;

/// What ends the reading when a condition depends on an operator without a conversion.
pub const LOST: &str = "it depends on an operator that is not supported";

/// Nodes and names that are made while a program is read.
#[derive(Default)]
pub struct Made {
    /// The nodes.
    pub nodes: Arena<schema::Node>,
    /// The names.
    pub names: Arena<String>,
}

/// The variables of a function.
pub struct Frame<'g> {
    /// By name.
    pub values: HashMap<&'g str, Val<'g>>,
    /// The function.
    pub function: &'g Function,
}

/// What is known while a program is read, without the builder.
#[derive(Default)]
pub struct State<'g> {
    depth: usize,
    steps: usize,
    /// The statement that is read.
    pub place: String,
    /// The operator that is called.
    pub op: String,
    /// The names of tensors of the file that were read, by their addresses.
    weights: HashMap<*const Stored, &'g str>,
    /// Those names, and what the model calls them.
    pub stored: HashMap<&'g str, Rc<str>>,
    names: HashSet<&'g str>,
    /// How often a name was made of another one.
    counts: HashMap<String, usize>,
    /// The operators without a conversion.
    pub unsupported: Vec<Unsupported>,
    /// The names of tensors that operators computed, outside of branches and loops that data decide.
    pub computed: Vec<&'g str>,
    /// The steps of quantised tensors, by their names. The floats of these names are multiples of the steps.
    pub quantized: HashMap<&'g str, Steps>,
    /// Objects of the file take their attributes from what the file holds of them.
    pub is_restoring: bool,
    /// The attributes of the file's objects that the program changed, by their paths.
    pub changed: BTreeMap<String, (Rc<Object<'g>>, String)>,
    /// In a loop or a branch that data decide, what the file holds may not be changed.
    pub is_guarded: bool,
}

impl<'g> State<'g> {
    /// The state within a branch or a loop that data decide, and the tensors that are known around it.
    pub fn guarded(mut self) -> (Around<'g>, Self) {
        let around = Around {
            weights: self.weights.clone(),
            is_guarded: self.is_guarded,
        };
        self.is_guarded = true;
        (around, self)
    }

    /// Goes back from a branch or a loop: names that it defined are gone.
    pub fn leave(&mut self, around: Around<'g>) {
        self.weights = around.weights;
        self.is_guarded = around.is_guarded;
    }
}

/// What is known around a branch or a loop that data decide.
pub struct Around<'g> {
    weights: HashMap<*const Stored, &'g str>,
    is_guarded: bool,
}

/// Reads a program.
pub struct Evaluator<'g, 'b> {
    /// The program.
    pub script: &'g Script,
    /// What is made.
    pub made: &'g Made,
    /// The builder and the scope.
    pub converter: Converter<'g, 'b>,
    /// The rest.
    pub state: State<'g>,
}

impl<'g, 'b> Evaluator<'g, 'b> {
    /// A reader that begins.
    pub fn new(script: &'g Script, made: &'g Made, b: &'b mut GraphBuilder) -> Self {
        Self {
            script,
            made,
            converter: Converter::of_names(b, Names::default()),
            state: State::default(),
        }
    }

    /// The builder.
    pub fn b(&mut self) -> &mut GraphBuilder {
        self.converter.b
    }

    /// Goes on with the builder that a branch or a loop is written with.
    pub fn within<T>(
        &mut self,
        write: impl FnOnce(&mut GraphBuilder, Names<'g>, State<'g>) -> (T, Names<'g>, State<'g>),
    ) -> T {
        let names = self.converter.take_names();
        let state = std::mem::take(&mut self.state);
        let (result, names, state) = write(self.converter.b, names, state);
        self.converter.set_names(names);
        self.state = state;
        result
    }

    /// A name that nothing has yet.
    pub fn fresh(&mut self, base: &str) -> &'g str {
        let mut name = base.to_owned();
        while self.state.names.contains(name.as_str()) {
            let count = self.state.counts.entry(base.to_owned()).or_default();
            *count += 1;
            name = format!("{base}_{count}");
        }
        let name = self.made.names.alloc(name);
        self.state.names.insert(name);
        name
    }

    /// A name for something that is computed.
    pub fn define(&mut self, base: &str, item: Item) -> &'g str {
        let name = self.fresh(base);
        self.converter.scope.define(name, item, Origin::Own);
        name
    }

    /// A tensor that is computed.
    pub fn tensor(&mut self, value: Value) -> Val<'g> {
        let name = self.define("tensor", Item::Tensor(value));
        Val::Tensor(name)
    }

    /// The tensor that a name stands for; complex numbers as pairs of their parts.
    ///
    /// # Errors
    /// If there is none.
    pub fn found(&mut self, name: &str) -> Result<Value> {
        let name = self.state.names.get(name).copied();
        let name = name.ok_or("nothing has this name")?;
        let item = self.converter.find(name)?;
        item.value(self.converter.b)
    }

    /// A tensor's value.
    ///
    /// # Errors
    /// If it is no tensor.
    pub fn value_of(&mut self, val: &Val<'g>) -> Result<Value> {
        match self.resolved(val)? {
            Val::Tensor(name) => match self.converter.find(name)? {
                Item::Complex(_) => Err("complex numbers are not supported here".into()),
                item => item.value(self.converter.b),
            },
            Val::Number(number) => {
                let element = crate::torch::promote::of_number(&number);
                number.cast(self.converter.b, element)
            }
            other => Err(format!("{} stands in the place of a tensor", other.kind())),
        }
    }

    /// A value; a tensor of the file is defined. Those in a list are not: most calls, such as `append`, do not read them.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn resolved(&mut self, val: &Val<'g>) -> Result<Val<'g>> {
        match val {
            Val::Weight(path, stored) => self.weight(path, stored),
            Val::Quantized(path, stored) => self.quantized_weight(path, stored),
            other => Ok(other.clone()),
        }
    }

    /// A value as a node takes it: in a list, tensors of the file are defined, too.
    ///
    /// # Errors
    /// If one cannot be read.
    pub fn resolved_items(&mut self, val: &Val<'g>) -> Result<Val<'g>> {
        match val {
            Val::List(items) => {
                let items = items.borrow();
                let items = items.iter().map(|item| self.resolved(item));
                Ok(Val::list(items.collect::<Result<_>>()?))
            }
            other => self.resolved(other),
        }
    }

    /// A tensor of the file.
    ///
    /// # Errors
    /// If its elements do not lie in the file.
    pub fn weight(&mut self, path: &Rc<str>, stored: &Rc<Stored>) -> Result<Val<'g>> {
        if let Some(name) = self.state.weights.get(&Rc::as_ptr(stored)) {
            return Ok(Val::Tensor(name));
        }
        let value = self.script.parameter(self.converter.b, path, stored)?;
        let item = match stored.is_complex {
            true => Complex::of_pairs(self.converter.b, &value)?.into(),
            false => Item::Tensor(value),
        };
        let name = self.define(path, item);
        self.state.weights.insert(Rc::as_ptr(stored), name);
        self.state.stored.insert(name, Rc::clone(path));
        Ok(Val::Tensor(name))
    }

    /// Calls a function.
    ///
    /// # Errors
    /// What is wrong in it.
    pub fn call(
        &mut self,
        function: &'g Function,
        places: Vec<Val<'g>>,
        named: Vec<(&'g str, Val<'g>)>,
    ) -> Result<Val<'g>> {
        if self.state.depth >= DEEPEST {
            return Err(format!("more than {DEEPEST} calls lie in each other"));
        }
        let mut frame = Frame {
            values: HashMap::new(),
            function,
        };
        if places.len() > function.parameters.len() {
            return Err(format!("'{}' takes fewer arguments", function.name));
        }
        let mut places = places.into_iter();
        for parameter in &function.parameters {
            let by_name = || {
                let mut named = named.iter();
                named.find(|(name, _)| *name == parameter.name)
            };
            let value = match (places.next(), by_name(), &parameter.default) {
                (Some(value), ..) => value,
                (None, Some((_, value)), _) => value.clone(),
                (None, None, Some(default)) => self.expr(default, &mut frame)?,
                (None, None, None) => {
                    return Err(format!("argument '{}' is missing", parameter.name));
                }
            };
            frame.values.insert(&parameter.name, value);
        }
        let place = self.state.place.clone();
        self.state.depth += 1;
        let returned = with_stack(|| self.block(&function.body, &mut frame))?;
        self.state.depth -= 1;
        self.state.place = place;
        Ok(returned.unwrap_or(Val::None))
    }

    /// Counts steps that a program takes: statements, and items of lists.
    ///
    /// # Errors
    /// If there are too many.
    pub fn count_steps(&mut self, steps: usize) -> Result<()> {
        self.state.steps = self.state.steps.saturating_add(steps);
        match self.state.steps > MOST_STEPS {
            true => Err(format!("the program takes more than {MOST_STEPS} steps")),
            false => Ok(()),
        }
    }

    /// Reads statements. Returns what they return, if they do.
    ///
    /// # Errors
    /// What is wrong in them.
    pub fn block(&mut self, stmts: &'g [Stmt], frame: &mut Frame<'g>) -> Result<Option<Val<'g>>> {
        for stmt in stmts {
            self.count_steps(1)?;
            self.state.place = format!("{}:{}", frame.function.file, stmt.line);
            self.state.op = frame.function.name.clone();
            if let Some(returned) = self.stmt(stmt, frame)? {
                return Ok(Some(returned));
            }
        }
        Ok(None)
    }

    fn stmt(&mut self, stmt: &'g Stmt, frame: &mut Frame<'g>) -> Result<Option<Val<'g>>> {
        match &stmt.kind {
            StmtKind::Pass | StmtKind::Declare(..) => {}
            StmtKind::Return(value) => return self.expr(value, frame).map(Some),
            StmtKind::Expr(value) => {
                self.called(value, frame, &[])?;
            }
            StmtKind::Assign {
                targets,
                apart,
                value,
            } => self.assign((targets, *apart), value, frame)?,
            StmtKind::If(condition, branches) => {
                let condition = self.expr(condition, frame)?;
                return self.branch(&condition, branches, frame);
            }
            StmtKind::While(condition, body) => return self.repeat(condition, body, frame),
            StmtKind::For(targets, values, body) => {
                return self.each(targets, values, body, frame);
            }
            StmtKind::With(context, name, body) => {
                return self.with((context, name.as_ref()), body, frame);
            }
        }
        Ok(None)
    }

    fn assign(
        &mut self,
        (targets, apart): (&'g [Expr], bool),
        value: &'g Expr,
        frame: &mut Frame<'g>,
    ) -> Result<()> {
        if !apart {
            let value = self.expr(value, frame)?;
            return targets
                .iter()
                .try_for_each(|target| self.set(target, value.clone(), frame));
        }
        let is_read = |target: &Expr| match target {
            Expr::Name(name) => frame.function.reads.contains(name),
            _ => true,
        };
        let wanted: Vec<bool> = targets.iter().map(is_read).collect();
        let value = self.called(value, frame, &wanted)?;
        let items = match &value {
            Val::Lost => vec![Val::Lost; targets.len()],
            value => items_of(value)?,
        };
        if items.len() != targets.len() {
            return Err(format!(
                "it takes {} values apart into {}",
                items.len(),
                targets.len()
            ));
        }
        let mut pairs = targets.iter().zip(items);
        pairs.try_for_each(|(target, value)| self.set(target, value, frame))
    }

    /// Gives a value to a target.
    ///
    /// # Errors
    /// If that changes the model's state.
    pub fn set(&mut self, target: &'g Expr, value: Val<'g>, frame: &mut Frame<'g>) -> Result<()> {
        match target {
            Expr::Name(name) => {
                frame.values.insert(name, value);
                Ok(())
            }
            Expr::Attribute(of, name) => match self.expr(of, frame)? {
                Val::Object(object) if self.state.is_restoring || !self.state.is_guarded => {
                    self.note_change(&object, name);
                    object.attributes.borrow_mut().insert(name.clone(), value);
                    Ok(())
                }
                Val::Object(_) => Err(format!(
                    "it changes the attribute '{name}' in a branch or a loop that data decides, which is not supported: make it an input and \
                     an output of the model"
                )),
                other => Err(format!("{} has no attributes", other.kind())),
            },
            Expr::Item(of, key) => {
                let (of, key) = (self.expr(of, frame)?, self.key(key, frame)?);
                self.set_item(&of, &key, value)
            }
            _ => Err("it gives a value to what is no name".into()),
        }
    }

    /// Keeps in mind that the program changes an attribute of what the file holds.
    fn note_change(&mut self, object: &Rc<Object<'g>>, name: &str) {
        if let Some(path) = &object.path
            && !self.state.is_restoring
        {
            let path = joined(path, name);
            self.state
                .changed
                .insert(path, (Rc::clone(object), name.to_owned()));
        }
    }

    /// What a computed number or tensor of one element is.
    pub fn number(&mut self, name: &'g str) -> Result<Val<'g>> {
        Ok(match self.converter.find(name)? {
            Item::Tensor(_) | Item::Complex(_) => Val::Tensor(name),
            item => Val::Number(known_number(item)),
        })
    }
}

/// The items of what is taken apart.
///
/// # Errors
/// If it is nothing of that kind.
pub fn items_of<'g>(value: &Val<'g>) -> Result<Vec<Val<'g>>> {
    match value {
        Val::Tuple(items, _) => Ok(items.to_vec()),
        Val::List(items) => Ok(items.borrow().to_vec()),
        Val::Dict(items) => Ok(items.borrow().iter().map(|(key, _)| key.clone()).collect()),
        other => Err(format!("{} has no items", other.kind())),
    }
}
