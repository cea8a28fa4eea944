//! What is known while a program runs of which not all is known.

use super::value::{Form, Node, Partial};
use relay_dialects::{
    ir::{Attr, Block, Loc, Op, Type, Value},
    pass::Options,
};
use std::{collections::HashMap, rc::Rc};

/// What places hold that are known, by their numbers.
pub type Places = HashMap<usize, Partial>;

/// The calls of one function that are being carried out.
pub struct Frame {
    /// What the first of them is given.
    pub given: Vec<Partial>,
    /// The least measures of all of them, once there is a second one.
    pub least: Option<Vec<i64>>,
}

/// Runs functions, and writes what has to be left for later.
pub struct Machine<'o> {
    /// What is read.
    pub module: Op,
    /// Those of the pass.
    pub options: &'o Options<'o>,
    /// The blocks that are being written, the innermost last.
    pub scopes: Vec<Block>,
    /// Where what is being run comes from.
    pub loc: Loc,
    /// The calls that are being carried out, by their functions.
    pub frames: HashMap<Op, Frame>,
    /// What places hold now.
    pub places: Places,
    /// Whether something may have written to places since the branch began.
    pub wrote: bool,
    /// The places so far.
    pub made: usize,
    /// Constants that were computed, by the programs that compute them.
    pub computed: HashMap<String, Attr>,
    /// Whether no calls are carried out.
    pub is_idle: bool,
    /// How many values there were.
    pub clock: i64,
    /// How many calls may still be carried out.
    pub calls_left: i64,
    /// How many calls are being carried out.
    pub nested_calls: usize,
}

impl<'o> Machine<'o> {
    /// For the functions of a module.
    pub fn new(module: Op, options: &'o Options<'o>) -> Self {
        Self {
            module,
            options,
            scopes: Vec::new(),
            loc: module.loc(),
            frames: HashMap::new(),
            places: HashMap::new(),
            wrote: false,
            made: 0,
            computed: HashMap::new(),
            is_idle: false,
            clock: 0,
            calls_left: options.int("max-calls"),
            nested_calls: 0,
        }
    }

    /// A value that is known in some form.
    pub fn node(&mut self, ty: Type, form: Form) -> Partial {
        self.clock += 1;
        Rc::new(Node::new(ty, form, self.clock))
    }

    /// A value of the new program.
    pub fn unknown(&mut self, value: Value) -> Partial {
        let node = self.node(value.ty(), Form::Unknown);
        node.residual.set(Some(value));
        node
    }
}
