//! The values of expressions.

use super::{
    eval::{Evaluator, Frame},
    syntax::{Expr, path},
    value::{Object, Val},
};
use crate::{graph::error::Result, torch::item::Number};
use std::{
    cell::RefCell,
    collections::{BTreeMap, HashMap},
    rc::Rc,
};

/// Arguments by their places, and by names.
type Given<'g> = (Vec<Val<'g>>, Vec<(&'g str, Val<'g>)>);

impl<'g> Evaluator<'g, '_> {
    /// The value of a subscript.
    pub fn key(&mut self, key: &'g [Expr], frame: &mut Frame<'g>) -> Result<Val<'g>> {
        match key {
            [key] => self.expr(key, frame),
            _ => Err("a subscript has several parts".into()),
        }
    }

    /// The value of an expression.
    ///
    /// # Errors
    /// What is wrong in it.
    pub fn expr(&mut self, expr: &'g Expr, frame: &mut Frame<'g>) -> Result<Val<'g>> {
        Ok(match expr {
            Expr::None => Val::None,
            Expr::Bool(flag) => Val::bool(*flag),
            Expr::Int(number) => Val::int(*number),
            Expr::Float(number) => Val::Number(Number::Float(*number)),
            Expr::Text(text) => Val::Text(Rc::clone(text)),
            Expr::Tuple(items) => Val::tuple(self.exprs(items, frame)?),
            Expr::List(items) => Val::list(self.exprs(items, frame)?),
            Expr::Dict(items) => {
                let mut entries = Vec::new();
                for (key, value) in items {
                    entries.push((self.expr(key, frame)?, self.expr(value, frame)?));
                }
                Val::Dict(Rc::new(RefCell::new(entries.into())))
            }
            Expr::Negative(of) => {
                let value = self.expr(of, frame)?;
                self.arithmetic("neg", &[value])?
            }
            Expr::Choice(parts) => {
                let condition = self.expr(&parts[0], frame)?;
                match self.truth(&condition)? {
                    Some(true) => self.expr(&parts[1], frame)?,
                    Some(false) => self.expr(&parts[2], frame)?,
                    None => return Err("a choice depends on data".into()),
                }
            }
            Expr::Item(of, key) => {
                let (of, key) = (self.expr(of, frame)?, self.key(key, frame)?);
                self.item(&of, &key)?
            }
            Expr::Name(name) => match frame.values.get(name.as_str()) {
                Some(value) => value.clone(),
                None => match name.as_str() {
                    "inf" => Val::Number(Number::Float(f64::INFINITY)),
                    "nan" => Val::Number(Number::Float(f64::NAN)),
                    _ => return Err(format!("'{name}' has no value")),
                },
            },
            Expr::Attribute(of, name) => self.attribute(expr, of, name, frame)?,
            Expr::Call(..) => self.called(expr, frame, &[])?,
        })
    }

    fn exprs(&mut self, exprs: &'g [Expr], frame: &mut Frame<'g>) -> Result<Vec<Val<'g>>> {
        exprs.iter().map(|expr| self.expr(expr, frame)).collect()
    }

    /// The path of an expression that begins with no variable.
    fn global(&self, expr: &Expr, frame: &Frame<'g>) -> Option<String> {
        let path = path(expr)?;
        let root = path.split_once('.').map_or(path.as_str(), |(root, _)| root);
        (!frame.values.contains_key(root)).then_some(path)
    }

    fn attribute(
        &mut self,
        whole: &'g Expr,
        of: &'g Expr,
        name: &'g str,
        frame: &mut Frame<'g>,
    ) -> Result<Val<'g>> {
        if let Some(path) = self.global(whole, frame) {
            if let Some(number) = path.strip_prefix("CONSTANTS.c") {
                return self.script.constant(number);
            }
            if let Some(function) = self.script.function(&path) {
                return Ok(Val::Function(function));
            }
            // A class is the argument of its own `__new__`.
            if self.script.class(&path).is_some() {
                return Ok(Val::Other("a class"));
            }
            return Err(format!("nothing is called '{path}'"));
        }
        let object = self.expr(of, frame)?;
        self.attribute_of(&object, name)
    }

    /// An attribute of an object.
    ///
    /// # Errors
    /// If it has none of this name.
    pub fn attribute_of(&mut self, object: &Val<'g>, name: &str) -> Result<Val<'g>> {
        let missing = || format!("there is no attribute '{name}'");
        match object {
            Val::Object(object) => {
                if let Some(value) = object.attributes.borrow().get(name) {
                    return Ok(value.clone());
                }
                let class = self.script.class(&object.class).ok_or_else(missing)?;
                if let Some(constant) = class.constants.get(name) {
                    let function = class.methods.values().next().ok_or_else(missing)?;
                    let values = HashMap::new();
                    return self.expr(constant, &mut Frame { values, function });
                }
                Err(missing())
            }
            Val::Tuple(items, Some(names)) => {
                let place = names.iter().position(|known| known == name);
                let item = place.and_then(|place| items.get(place));
                item.cloned().ok_or_else(missing)
            }
            Val::Lost => Ok(Val::Lost),
            other => Err(format!("{} has no attribute '{name}'", other.kind())),
        }
    }

    /// The value of an expression that is a call, or any. `wanted` says which of several results are read.
    pub fn called(
        &mut self,
        expr: &'g Expr,
        frame: &mut Frame<'g>,
        wanted: &[bool],
    ) -> Result<Val<'g>> {
        let Expr::Call(callee, arguments) = expr else {
            return self.expr(expr, frame);
        };
        if let Some(path) = self.global(callee, frame) {
            if let Some(value) = self.form(&path, arguments, frame)? {
                return Ok(value);
            }
            let arguments = self.arguments(arguments, frame)?;
            return self.global_call(&path, arguments, wanted);
        }
        let (places, named) = self.arguments(arguments, frame)?;
        let Expr::Attribute(of, name) = &**callee else {
            return match self.expr(callee, frame)? {
                Val::Function(function) => self.call(function, places, named),
                other => Err(format!("{} is called", other.kind())),
            };
        };
        let object = self.expr(of, frame)?;
        self.method(object, name, places, named)
    }

    /// Whether a value is an object whose class has a method.
    pub fn has_method(&self, object: &Val<'g>, name: &str) -> bool {
        let Val::Object(object) = object else {
            return false;
        };
        let class = self.script.class(&object.class);
        class.is_some_and(|class| class.methods.contains_key(name))
    }

    /// Calls a method.
    ///
    /// # Errors
    /// If there is none, or what is wrong in it.
    pub fn method(
        &mut self,
        object: Val<'g>,
        name: &str,
        mut places: Vec<Val<'g>>,
        named: Vec<(&'g str, Val<'g>)>,
    ) -> Result<Val<'g>> {
        let Val::Object(of) = &object else {
            return Err(format!("{} has no method '{name}'", object.kind()));
        };
        let method = self
            .script
            .class(&of.class)
            .and_then(|class| class.methods.get(name));
        let method = method
            .ok_or_else(|| format!("the class {} has no method '{name}' in this file", of.class))?;
        places.insert(0, object);
        self.call(method, places, named)
    }

    fn arguments(
        &mut self,
        arguments: &'g [(Option<String>, Expr)],
        frame: &mut Frame<'g>,
    ) -> Result<Given<'g>> {
        let (mut places, mut named) = (Vec::new(), Vec::new());
        for (name, value) in arguments {
            let value = self.expr(value, frame)?;
            match name {
                Some(name) => named.push((name.as_str(), value)),
                None => places.push(value),
            }
        }
        Ok((places, named))
    }

    /// Calls what a path names.
    fn global_call(
        &mut self,
        path: &str,
        (places, named): Given<'g>,
        wanted: &[bool],
    ) -> Result<Val<'g>> {
        if let Some(function) = self.script.function(path) {
            return self.call(function, places, named);
        }
        if let Some(name) = path
            .strip_suffix(".__new__")
            .filter(|path| self.script.class(path).is_some())
        {
            return Ok(Val::Object(Rc::new(Object {
                class: name.into(),
                attributes: RefCell::new(BTreeMap::new()),
                path: None,
            })));
        }
        if let Some(class) = self.script.class(path) {
            let names = class.attributes.iter().map(|(name, _)| name.clone());
            return Ok(Val::Tuple(Rc::new(places.into()), Some(names.collect())));
        }
        let name = match path.split_once('.') {
            Some(("torch", name)) => format!("aten::{name}"),
            Some(("ops", name)) => name.replacen('.', "::", 1),
            Some(_) => return Err(format!("nothing is called '{path}'")),
            None => format!("aten::{path}"),
        };
        self.operator(&name, places, named, wanted)
    }
}
