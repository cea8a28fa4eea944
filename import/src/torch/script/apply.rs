//! Calls of operators.

use super::{
    eval::{Evaluator, Frame},
    operator::{self, Arguments},
    syntax::Expr,
    value::Val,
};
use crate::{
    error::Unsupported,
    graph::error::Result,
    torch::{
        item::{Item, Number},
        ops,
        schema::{self, Argument, Name, NamedArgument, Symbolic},
        scope::Origin,
    },
};

impl<'g> Evaluator<'g, '_> {
    /// What is written as a call and takes types or names; none if it is another call.
    ///
    /// # Errors
    /// What is wrong with its arguments.
    pub fn form(
        &mut self,
        name: &str,
        arguments: &'g [(Option<String>, Expr)],
        frame: &mut Frame<'g>,
    ) -> Result<Option<Val<'g>>> {
        let value = match (name, arguments) {
            ("annotate", [(_, ty), (_, value)]) => {
                let value = self.expr(value, frame)?;
                match ty {
                    Expr::Name(ty) if value.is_tensor() && ty != "Tensor" => {
                        self.scalar(&value, ty)?
                    }
                    _ => value,
                }
            }
            ("unchecked_cast", [_, (_, value)]) => self.expr(value, frame)?,
            ("uninitialized", _) => Val::None,
            ("isinstance", [(_, value), (_, ty)]) => {
                let value = self.expr(value, frame)?;
                Val::bool(is_instance(&value, ty))
            }
            ("getattr", [(_, object), (_, Expr::Text(name))]) => {
                let object = self.expr(object, frame)?;
                self.attribute_of(&object, name)?
            }
            ("hasattr", [(_, object), (_, Expr::Text(name))]) => {
                let object = self.expr(object, frame)?;
                Val::bool(self.attribute_of(&object, name).is_ok())
            }
            _ => return Ok(None),
        };
        Ok(Some(value))
    }

    /// Calls an operator, `aten::add`. `wanted` says which of several results are read; all are if it says nothing.
    ///
    /// # Errors
    /// If it takes no such arguments, or cannot be converted.
    pub fn operator(
        &mut self,
        name: &str,
        places: Vec<Val<'g>>,
        named: Vec<(&'g str, Val<'g>)>,
        wanted: &[bool],
    ) -> Result<Val<'g>> {
        let name = operator::renamed(name);
        self.state.op = name.to_owned();
        let mut arguments = Arguments { places, named };
        if arguments.values().any(Val::is_lost) {
            return Ok(Val::Lost);
        }
        for value in arguments.values_mut() {
            *value = self.resolved(value)?;
        }
        match self.quantized(name, &arguments)? {
            Some(value) => Ok(value),
            None => self.plain(name, arguments, wanted),
        }
    }

    /// The same of an operator that does not ask whether tensors are quantised.
    ///
    /// # Errors
    /// As [`Self::operator`].
    pub fn plain(
        &mut self,
        name: &str,
        mut arguments: Arguments<'g>,
        wanted: &[bool],
    ) -> Result<Val<'g>> {
        match self.builtin(name, &arguments) {
            Ok(Some(value)) => return Ok(value),
            // Lists are looked through only here: what a list is called with most, such as `append`, reads no items.
            Ok(None) | Err(_) if arguments.values().any(Val::has_lost) => return Ok(Val::Lost),
            Ok(None) => {}
            Err(reason) => return Err(reason),
        }
        for value in arguments.values_mut() {
            *value = self.resolved_items(value)?;
        }
        self.check_quotient(name, &arguments.places)?;
        if !operator::is_listed(name) {
            return Ok(self.lose(name));
        }
        let operator = operator::find(name, &arguments)?;
        if ops::find(&operator.target).is_none() {
            return Ok(self.lose(operator.target.trim_start_matches("torch.ops.")));
        }
        let mut numbers = Vec::new();
        let inputs = operator.arguments(&arguments, &mut |number| {
            let name = self.fresh("number");
            numbers.push((name, number.clone()));
            name.to_owned()
        })?;
        for (name, number) in numbers {
            self.define_number(name, &number);
        }
        let base = name.split_once("::").map_or(name, |(_, base)| base);
        let results: Vec<&'g str> = (0..operator.results.unwrap_or(0))
            .map(|_| self.fresh(base.trim_end_matches('_')))
            .collect();
        let named = results.iter().map(|name| {
            Argument::AsTensor(Name {
                name: (*name).to_owned(),
            })
        });
        let node = schema::Node {
            target: operator.target.clone(),
            inputs,
            outputs: named.collect(),
        };
        self.emit((node, base), &results, (operator.results, wanted))
    }

    /// Fails if an operator is a quotient of integers in a file whose PyTorch rounds it.
    fn check_quotient(&mut self, name: &str, places: &[Val<'g>]) -> Result<()> {
        if !self.script.rounds_quotients() || !matches!(name, "aten::div" | "aten::div_") {
            return Ok(());
        }
        for value in places {
            if self.value_of(value)?.element().is_float() {
                return Ok(());
            }
        }
        Err("PyTorch before 1.6 rounds this quotient of integers, which is not supported: load and save the file with a newer one".into())
    }

    /// Converts a node.
    fn emit(
        &mut self,
        (node, base): (schema::Node, &str),
        results: &[&'g str],
        (count, wanted): (Option<usize>, &[bool]),
    ) -> Result<Val<'g>> {
        let node: &'g schema::Node = self.made.nodes.alloc(node);
        for (place, name) in results.iter().enumerate() {
            let is_wanted = wanted.is_empty() || wanted.get(place) == Some(&true);
            if is_wanted || count == Some(1) {
                self.converter.mark_used(name);
            }
        }
        self.converter.b.enter(results.first().unwrap_or(&base));
        let converted = self.converter.converted(node)?;
        let known = converted.results.len();
        // How many results a list has is known now.
        let listed = match count {
            None => known,
            Some(_) => 0,
        };
        let mut names = results.to_vec();
        names.extend((0..listed).map(|_| self.fresh(base)));
        self.converter.bind(node, &names, converted)?;
        let mut values = vec![Val::None; names.len()];
        for (value, name) in values.iter_mut().zip(names).take(known) {
            *value = self.number(name)?;
            if !self.state.is_guarded {
                self.state.computed.push(name);
            }
        }
        Ok(match count {
            Some(0) => Val::None,
            Some(1) => values.pop().unwrap_or(Val::None),
            Some(_) => Val::tuple(values),
            None => Val::list(values),
        })
    }

    /// Notes an operator without a conversion.
    fn lose(&mut self, name: &str) -> Val<'g> {
        self.state.unsupported.push(Unsupported {
            node: self.state.place.clone(),
            op_type: name.to_owned(),
            attributes: Vec::new(),
            reason: "there is no conversion of this operator".into(),
        });
        Val::Lost
    }

    /// Gives a name to a number that an operator takes.
    fn define_number(&mut self, name: &'g str, number: &Number) {
        if let Number::Computed(item) = number {
            self.converter.scope.define(name, item.clone(), Origin::Own);
        }
    }

    /// What an operator on numbers, `_operator.add`, makes of numbers of which some are computed.
    ///
    /// # Errors
    /// If there is no such operator, or it cannot be converted.
    pub fn operate(&mut self, target: &str, values: &[Val<'g>]) -> Result<Val<'g>> {
        let mut inputs = Vec::new();
        for value in values {
            let Val::Number(number) = value else {
                return Err(format!("{} stands in the place of a number", value.kind()));
            };
            let arg = match number {
                Number::Int(number) => Argument::AsInt(*number),
                Number::Float(number) => Argument::AsFloat(schema::Float(*number)),
                Number::Bool(flag) => Argument::AsBool(*flag),
                Number::Computed(_) => {
                    let name = self.fresh("number");
                    self.define_number(name, number);
                    Argument::AsSymInt(Symbolic::Name(name.to_owned()))
                }
            };
            inputs.push(NamedArgument {
                name: String::new(),
                arg,
            });
        }
        if ops::find(target).is_none() {
            return Err(format!("numbers that are computed have no '{target}'"));
        }
        let result = self.fresh("number");
        let node = schema::Node {
            target: target.into(),
            inputs,
            outputs: vec![Argument::AsTensor(Name {
                name: result.to_owned(),
            })],
        };
        self.emit((node, "number"), &[result], (Some(1), &[]))
    }

    /// The number in a tensor, as `int`, `float`, `bool` or whatever it is.
    ///
    /// # Errors
    /// If it has not one element.
    pub fn scalar(&mut self, value: &Val<'g>, ty: &str) -> Result<Val<'g>> {
        let number = match value.is_tensor() {
            true => {
                let places = vec![value.clone()];
                self.operator("aten::item", places, Vec::new(), &[])?
            }
            false => value.clone(),
        };
        match (ty, &number) {
            (_, Val::Lost) => Ok(Val::Lost),
            ("int" | "Int", Val::Number(Number::Float(number))) => Ok(Val::int(*number as i64)),
            ("int" | "Int", Val::Number(Number::Bool(flag))) => Ok(Val::int((*flag).into())),
            ("int" | "Int", Val::Number(Number::Computed(Item::Number(of)))) => {
                match of.element().is_float()
                    || of.element() == relay_dialects::element::Element::Bool
                {
                    true => self.operate("torch.sym_int", &[number]),
                    false => Ok(number),
                }
            }
            ("float" | "Float", Val::Number(Number::Computed(_))) => {
                self.operate("torch.sym_float", &[number])
            }
            ("float" | "Float", Val::Number(known)) => {
                Ok(Val::Number(Number::Float(known.known().unwrap_or(0.0))))
            }
            ("float" | "Float", Val::Text(text)) => match text.trim().parse::<f64>() {
                Ok(number) => Ok(Val::Number(Number::Float(number))),
                Err(_) => Err(format!("'{text}' is no float")),
            },
            ("bool" | "Bool", Val::Number(Number::Computed(item))) => match item {
                Item::Number(of) if of.element() == relay_dialects::element::Element::Bool => {
                    Ok(number)
                }
                _ => self.operate("_operator.ne", &[number, Val::int(0)]),
            },
            ("bool" | "Bool", Val::Number(known)) => Ok(Val::bool(known.known() != Some(0.0))),
            (_, Val::Number(_)) => Ok(number),
            (_, other) => Err(format!("{} is no number", other.kind())),
        }
    }
}

/// Whether a value is of a type, as far as a value says it: a list of its items.
fn is_instance(value: &Val<'_>, ty: &Expr) -> bool {
    match (ty, value) {
        (Expr::Tuple(types) | Expr::List(types), value) => {
            types.iter().any(|ty| is_instance(value, ty))
        }
        (Expr::Item(of, inner), value) => match (&**of, value) {
            (Expr::Name(name), Val::List(items)) if name == "List" => items
                .borrow()
                .iter()
                .all(|item| is_instance(item, &inner[0])),
            (Expr::Name(name), Val::Tuple(items, _)) if name == "Tuple" => {
                items.len() == inner.len()
                    && items
                        .iter()
                        .zip(inner)
                        .all(|(item, ty)| is_instance(item, ty))
            }
            (Expr::Name(name), Val::Dict(_)) => name == "Dict",
            (Expr::Name(name), value) if name == "Optional" => {
                matches!(value, Val::None) || is_instance(value, &inner[0])
            }
            _ => false,
        },
        (Expr::None, value) => matches!(value, Val::None),
        (Expr::Name(name), value) => match (name.as_str(), value) {
            ("Tensor", value) => value.is_tensor(),
            ("NoneType", Val::None) | ("str", Val::Text(_)) => true,
            ("int", Val::Number(number)) => {
                matches!(number, Number::Int(_) | Number::Computed(Item::Dim(_)))
            }
            ("float", Val::Number(Number::Float(_))) => true,
            ("bool", Val::Number(Number::Bool(_))) => true,
            ("list", Val::List(_)) | ("tuple", Val::Tuple(..)) => true,
            _ => false,
        },
        (Expr::Attribute(..), Val::Object(object)) => {
            super::syntax::path(ty).as_deref() == Some(&*object.class)
        }
        _ => false,
    }
}
