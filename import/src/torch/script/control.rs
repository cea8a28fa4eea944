//! Branches and loops.

use super::{
    eval::{Evaluator, Frame, State, items_of},
    syntax::{Expr, Stmt, StmtKind, assigned_names, path},
    value::{Val, are_equal, known_number},
};
use crate::{
    graph::{
        branches::Branch, builder::GraphBuilder, constant::Const, error::Result, loops::Step,
        value::Value,
    },
    torch::{
        convert::Converter,
        item::{Item, Number},
    },
};
use relay_dialects::element::Element;
use std::collections::HashMap;

/// How deep tuples of tensors may lie in each other, and the most tensors in one.
const DEEPEST: usize = 200;
const MOST_VALUES: usize = 1 << 12;

/// What a variable has in a branch or behind a step: tensors that the region returns, and how they are put together.
#[derive(Clone)]
enum Shape {
    Tensor,
    Number,
    Tuple(Vec<Shape>),
}

/// Variables of a region with their shapes.
type Variables<'g> = Vec<(&'g str, Shape)>;
/// What a branch returns, and all that it knows at its end.
type End<'g> = (Variables<'g>, HashMap<&'g str, Val<'g>>);

impl<'g> Evaluator<'g, '_> {
    /// Reads one of two branches, or both where data decide.
    ///
    /// # Errors
    /// What is wrong in them, or that they cannot be merged.
    pub fn branch(
        &mut self,
        condition: &Val<'g>,
        branches: &'g [Vec<Stmt>; 2],
        frame: &mut Frame<'g>,
    ) -> Result<Option<Val<'g>>> {
        match self.truth(condition)? {
            Some(true) => return self.block(&branches[0], frame),
            Some(false) => return self.block(&branches[1], frame),
            None => {}
        }
        // A check of data that ends in an error: what is computed is of the other branch.
        match [raises(&branches[0]), raises(&branches[1])] {
            [true, _] => return self.block(&branches[1], frame),
            [_, true] => return self.block(&branches[0], frame),
            _ => {}
        }
        let condition = self.condition(condition)?;
        let other = assigned_names(&branches[1]);
        let both = assigned_names(&branches[0]);
        let both: Vec<&'g str> = both
            .into_iter()
            .filter(|name| other.contains(name))
            .collect();
        let (mut written, mut ends) = (Vec::new(), Vec::new());
        for (taken_if, stmts) in [true, false].into_iter().zip(branches) {
            let (branch, end) = self.written((&condition, taken_if), stmts, frame, &both)?;
            written.push(branch);
            ends.push(end);
        }
        self.merge(&condition, written, ends, frame)?;
        Ok(None)
    }

    /// Writes one of two branches that data choose. Returns it with its variables.
    fn written(
        &mut self,
        condition: (&Value, bool),
        stmts: &'g [Stmt],
        frame: &Frame<'g>,
        names_of_both: &[&'g str],
    ) -> Result<(Branch, End<'g>)> {
        let (script, made, function) = (self.script, self.made, frame.function);
        let values = frame.values.clone();
        self.within(|b, names, state| {
            let (before, (around, state)) = (names.clone(), state.guarded());
            let (mut end, mut after) = (None, State::default());
            let branch = b.branch(condition, |b| {
                let mut inner = Evaluator {
                    script,
                    made,
                    converter: Converter::of_names(b, names),
                    state,
                };
                let mut frame = Frame { values, function };
                let result = inner.region(stmts, &mut frame, names_of_both);
                let unchanged = inner.converter.check_unchanged(&before);
                after = std::mem::take(&mut inner.state);
                let (values, variables) = result?;
                unchanged?;
                end = Some((variables, frame.values));
                Ok(values)
            });
            after.leave(around);
            let written = branch.and_then(|branch| Ok((branch, end.ok_or("a branch has no end")?)));
            (written, before, after)
        })
    }

    /// Puts an operator behind two branches that chooses what they return.
    fn merge(
        &mut self,
        condition: &Value,
        written: Vec<Branch>,
        ends: Vec<End<'g>>,
        frame: &mut Frame<'g>,
    ) -> Result<()> {
        let (Ok(written), Ok([yes, no])) = (<[_; 2]>::try_from(written), <[_; 2]>::try_from(ends))
        else {
            return Err("it has not two branches".into());
        };
        let names =
            |end: &Variables<'g>| -> Vec<&'g str> { end.iter().map(|(name, _)| *name).collect() };
        if names(&yes.0) != names(&no.0) {
            let differs = |name: &&&str| !names(&no.0).contains(*name);
            let all = [names(&yes.0), names(&no.0)].concat();
            let name = all.iter().find(differs).copied().unwrap_or("a variable");
            let [yes, no] = written;
            self.b().give_up(yes);
            self.b().give_up(no);
            return Err(format!(
                "'{name}' is a tensor in one of two branches that data choose, and something else in the other one"
            ));
        }
        let chosen = self.b().either(condition, written)?;
        let mut chosen = chosen.into_iter();
        for (name, shape) in &yes.0 {
            let value = self.built(shape, &mut chosen)?;
            let known = [&yes.1, &no.1].map(|end| end.get(name));
            let value = match known {
                [Some(yes), Some(no)] if !yes.is_tensor() && are_equal(yes, no) == Some(true) => {
                    yes.clone()
                }
                _ => value,
            };
            frame.values.insert(name, value);
        }
        // What is no tensor, and the same in both.
        for (name, value) in &yes.1 {
            let other = no.1.get(name);
            if !frame.values.contains_key(name)
                && other.is_some_and(|other| are_equal(value, other) == Some(true))
            {
                frame.values.insert(name, value.clone());
            }
        }
        Ok(())
    }

    /// Reads the statements of a region, and says which of some variables it returns.
    fn region(
        &mut self,
        stmts: &'g [Stmt],
        frame: &mut Frame<'g>,
        names: &[&'g str],
    ) -> Result<(Vec<Value>, Variables<'g>)> {
        if self.block(stmts, frame)?.is_some() {
            return Err("a branch that data choose returns from the function".into());
        }
        let (mut values, mut variables) = (Vec::new(), Vec::new());
        for name in names {
            if let Some(value) = frame.values.get(name).cloned()
                && let Some(shape) = self.flat(&value, 0, &mut values)?
            {
                variables.push((*name, shape));
            }
        }
        Ok((values, variables))
    }

    /// The tensors of a value, which lies `depth` tuples deep; none if there is something else in it.
    fn flat(
        &mut self,
        value: &Val<'g>,
        depth: usize,
        values: &mut Vec<Value>,
    ) -> Result<Option<Shape>> {
        Ok(match value {
            _ if depth > DEEPEST || values.len() > MOST_VALUES => {
                return Err("a tuple of a branch or loop holds too many others".into());
            }
            Val::Tensor(_) | Val::Weight(..) | Val::Quantized(..) => {
                let value = self.value_of(value)?;
                values.push(value);
                Some(Shape::Tensor)
            }
            Val::Number(number) => {
                let element = match number {
                    Number::Float(_) => Element::F64,
                    Number::Computed(Item::Number(value)) => value.element(),
                    number => crate::torch::promote::of_number(number),
                };
                let value = number.cast(self.b(), element)?;
                values.push(value);
                Some(Shape::Number)
            }
            Val::Tuple(items, _) => {
                let (mut shapes, mut inner) = (Vec::new(), Vec::new());
                for item in items.iter() {
                    match self.flat(item, depth + 1, &mut inner)? {
                        Some(shape) => shapes.push(shape),
                        None => return Ok(None),
                    }
                }
                values.extend(inner);
                Some(Shape::Tuple(shapes))
            }
            _ => None,
        })
    }

    /// A value of tensors.
    fn built(
        &mut self,
        shape: &Shape,
        values: &mut impl Iterator<Item = Value>,
    ) -> Result<Val<'g>> {
        Ok(match shape {
            Shape::Tensor => {
                let value = values.next().ok_or("a region returns too few values")?;
                self.tensor(value)
            }
            Shape::Number => {
                let value = values.next().ok_or("a region returns too few values")?;
                Val::Number(known_number(Item::Number(value)))
            }
            Shape::Tuple(shapes) => {
                let items = shapes.iter().map(|shape| self.built(shape, values));
                Val::tuple(items.collect::<Result<_>>()?)
            }
        })
    }

    /// A condition as a boolean of rank 0.
    fn condition(&mut self, condition: &Val<'g>) -> Result<Value> {
        match condition {
            Val::Number(number) => number.cast(self.b(), Element::Bool),
            other => Err(format!("{} is no condition", other.kind())),
        }
    }

    /// A loop that runs while a condition holds.
    ///
    /// # Errors
    /// What is wrong in it.
    pub fn repeat(
        &mut self,
        condition: &'g Expr,
        body: &'g [Stmt],
        frame: &mut Frame<'g>,
    ) -> Result<Option<Val<'g>>> {
        loop {
            let holds = self.expr(condition, frame)?;
            match self.truth(&holds)? {
                Some(false) => return Ok(None),
                Some(true) => {
                    if let Some(returned) = self.block(body, frame)? {
                        return Ok(Some(returned));
                    }
                }
                None => {
                    let holds = self.condition(&holds)?;
                    let most = self.b().known(Const::ints(&[i64::MAX]));
                    let most = self.b().reshape_to_scalar(&most)?;
                    let counter = Counter::None(condition);
                    self.looped((&most, &holds), counter, body, frame)?;
                    return Ok(None);
                }
            }
        }
    }

    /// A loop over the items of a list, or over numbers.
    ///
    /// # Errors
    /// What is wrong in it.
    pub fn each(
        &mut self,
        targets: &'g [Expr],
        values: &'g Expr,
        body: &'g [Stmt],
        frame: &mut Frame<'g>,
    ) -> Result<Option<Val<'g>>> {
        if let Expr::Call(callee, arguments) = values
            && path(callee).as_deref() == Some("range")
            && let [(_, count)] = &arguments[..]
            && let [target] = targets
        {
            let count = self.expr(count, frame)?;
            if let Val::Number(number @ Number::Computed(_)) = &count {
                let trips = number.cast(self.b(), Element::I64)?;
                let holds = self.b().scalar(Element::Bool, 1.0);
                self.looped((&trips, &holds), Counter::Steps(target), body, frame)?;
                return Ok(None);
            }
        }
        let items = self.expr(values, frame)?;
        for item in items_of(&items)? {
            let parts = match targets.len() {
                1 => vec![item],
                _ => items_of(&item)?,
            };
            if parts.len() != targets.len() {
                return Err("the items of a list have other parts than the loop takes".into());
            }
            for (target, part) in targets.iter().zip(parts) {
                self.set(target, part, frame)?;
            }
            if let Some(returned) = self.block(body, frame)? {
                return Ok(Some(returned));
            }
        }
        Ok(None)
    }

    /// A loop whose steps data count.
    fn looped(
        &mut self,
        (trips, holds): (&Value, &Value),
        counter: Counter<'g>,
        body: &'g [Stmt],
        frame: &mut Frame<'g>,
    ) -> Result<()> {
        let (states, variables) = self.carried(body, frame)?;
        let (script, made, function) = (self.script, self.made, frame.function);
        let outer = frame.values.clone();
        let results = self.within(|b, names, state| {
            let (before, (weights, state)) = (names.clone(), state.guarded());
            let mut after = State::default();
            let results = b.repeat_while(
                (trips, holds),
                &states,
                |b: &mut GraphBuilder, step: Step| {
                    let mut inner = Evaluator {
                        script,
                        made,
                        converter: Converter::of_names(b, names),
                        state,
                    };
                    let mut frame = Frame {
                        values: outer,
                        function,
                    };
                    let result = inner.step((counter, &variables), step, body, &mut frame);
                    let unchanged = inner.converter.check_unchanged(&before);
                    after = std::mem::take(&mut inner.state);
                    let result = result?;
                    unchanged?;
                    Ok(result)
                },
            );
            after.leave(weights);
            (results, before, after)
        })?;
        let mut results = results.into_iter();
        for (name, shape) in &variables {
            let value = self.built(shape, &mut results)?;
            frame.values.insert(name, value);
        }
        Ok(())
    }

    /// Reads statements in a context, such as `torch.no_grad()`, whose methods are called before and behind them.
    pub fn with(
        &mut self,
        (context, name): (&'g Expr, Option<&'g Expr>),
        body: &'g [Stmt],
        frame: &mut Frame<'g>,
    ) -> Result<Option<Val<'g>>> {
        let context = self.expr(context, frame)?;
        let entered = self.method(context.clone(), "__enter__", Vec::new(), Vec::new())?;
        if let Some(name) = name {
            self.set(name, entered, frame)?;
        }
        let returned = self.block(body, frame)?;
        // No error is raised here: the exception, its type and its place are none.
        let places = vec![Val::None; 3];
        self.method(context, "__exit__", places, Vec::new())?;
        Ok(returned)
    }

    /// The variables that a loop's steps hand on, with their tensors before the loop.
    fn carried(
        &mut self,
        body: &'g [Stmt],
        frame: &Frame<'g>,
    ) -> Result<(Vec<Value>, Variables<'g>)> {
        let assigned = assigned_names(body);
        let carried: Vec<&'g str> = assigned
            .into_iter()
            .filter(|name| frame.values.contains_key(name))
            .collect();
        let (mut states, mut variables) = (Vec::new(), Vec::new());
        for name in carried {
            let Some(value) = frame.values.get(name).cloned() else {
                continue;
            };
            match self.flat(&value, 0, &mut states)? {
                Some(shape) => variables.push((name, shape)),
                None => {
                    return Err(format!(
                        "'{name}' is {} and changes in a loop whose steps data count; that is not supported",
                        value.kind()
                    ));
                }
            }
        }
        Ok((states, variables))
    }

    /// A step of a loop: the next condition and the next states.
    fn step(
        &mut self,
        (counter, variables): (Counter<'g>, &Variables<'g>),
        step: Step,
        body: &'g [Stmt],
        frame: &mut Frame<'g>,
    ) -> Result<(Value, Vec<Value>)> {
        let mut states = step.states.into_iter();
        for (name, shape) in variables {
            let value = self.built(shape, &mut states)?;
            frame.values.insert(name, value);
        }
        if let Counter::Steps(target) = counter {
            let number = Val::Number(Number::Computed(Item::Number(step.number)));
            self.set(target, number, frame)?;
        }
        let names: Vec<&'g str> = variables.iter().map(|(name, _)| *name).collect();
        let (next, _) = self.region(body, frame, &names)?;
        let holds = match counter {
            Counter::Steps(_) => self.b().scalar(Element::Bool, 1.0),
            Counter::None(condition) => {
                let holds = self.expr(condition, frame)?;
                self.condition(&holds)?
            }
        };
        Ok((holds, next))
    }
}

/// What a loop counts, or asks before each step.
#[derive(Clone, Copy)]
enum Counter<'g> {
    /// It gives the number of the step to a variable.
    Steps(&'g Expr),
    /// It asks for a condition.
    None(&'g Expr),
}

/// Whether statements end in an error.
fn raises(stmts: &[Stmt]) -> bool {
    let is_raise = |stmt: &Stmt| match &stmt.kind {
        StmtKind::Expr(Expr::Call(callee, _)) => {
            path(callee).as_deref() == Some("ops.prim.RaiseException")
        }
        _ => false,
    };
    stmts.iter().any(is_raise)
}
