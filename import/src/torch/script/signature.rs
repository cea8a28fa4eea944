//! What a program takes and returns, and which operators it names.

use super::{
    builtin::is_builtin,
    operator,
    program::{Example, Script},
    quantized,
    scalar::Scalar,
    syntax::{Expr, Stmt, StmtKind, path, text},
};
use crate::{
    error::Unsupported,
    graph::{
        error::Result,
        literal::Literal,
        options::Options,
        port::{Dimension, Port},
        signature::Signature,
    },
    model::TensorInfo,
};
use relay_dialects::element::Element;
use std::collections::BTreeSet;

/// The most items of a list that is an input.
const MOST_ITEMS: usize = 1024;

/// What is given for a parameter of the program.
pub enum Given {
    /// Its default value, or none.
    Default,
    /// The value of a parameter of this name, which is no tensor.
    Scalar(String, Scalar),
    /// A tensor.
    Tensor(Box<Port>),
    /// Complex numbers, as pairs of their parts.
    Complex(Box<Port>),
    /// A list.
    List(Vec<Given>),
    /// A tuple.
    Tuple(Vec<Given>),
    /// A dictionary.
    Dict(Vec<(String, Given)>),
}

/// What is given for each parameter of the program, behind the object itself.
///
/// # Errors
/// If a parameter needs a value that nothing says.
pub fn given(script: &Script, options: &Options) -> Result<Vec<Given>> {
    let forward = script.forward()?;
    let parameters = forward.parameters.iter().skip(1).enumerate();
    let all = parameters.map(|(place, parameter)| {
        let example = script.example(place);
        let ty = parameter.ty.as_ref().unwrap_or(&Expr::None);
        let reader = Reader { options };
        let given = reader.given(ty, &parameter.name, example.as_ref());
        match given? {
            Some(given) => Ok(given),
            None if parameter.default.is_some() => Ok(Given::Default),
            None => Err(format!(
                "input '{0}' is no tensor ({1}) and has no default value; give it one: --value {0}=...",
                parameter.name,
                text(ty)
            )),
        }
    });
    all.collect()
}

struct Reader<'o> {
    options: &'o Options,
}

impl Reader<'_> {
    fn is_named(&self, name: &str) -> bool {
        self.options.shapes.contains_key(name) || self.options.is_fixed(name)
    }

    /// What is given for a parameter of a type; none if that has no tensors.
    fn given(&self, ty: &Expr, name: &str, example: Option<&Example>) -> Result<Option<Given>> {
        if let Some(said) = self.options.literals.get(name)
            && !is_tensor(ty)
        {
            let value = Scalar::parse(ty, said);
            let value =
                value.map_err(|reason| format!("value '{said}' of input '{name}': {reason}"));
            return Ok(Some(Given::Scalar(name.into(), value?)));
        }
        Ok(match ty {
            Expr::Name(ty) if ty == "Tensor" => Some(self.tensor(name, example)),
            Expr::None => Some(self.tensor(name, example)),
            Expr::Item(of, inner) => match &**of {
                Expr::Name(of) if of == "Optional" => match self.is_said(name) || example.is_some()
                {
                    true => self.given(&inner[0], name, example)?,
                    false => Some(Given::Default),
                },
                Expr::Name(of) if of == "Tuple" => {
                    let mut items = Vec::new();
                    for (place, ty) in inner.iter().enumerate() {
                        let name = format!("{name}.{place}");
                        match self.given(ty, &name, example_at(example, place))? {
                            Some(item) => items.push(item),
                            None => return Ok(None),
                        }
                    }
                    Some(Given::Tuple(items))
                }
                Expr::Name(of) if of == "List" => self.list(&inner[0], name, example)?,
                Expr::Name(of) if of == "Dict" && inner.len() == 2 => {
                    let prefix = format!("{name}.");
                    let keys = self.options.shapes.keys();
                    let keys: Vec<&str> =
                        keys.filter_map(|key| key.strip_prefix(&prefix)).collect();
                    let mut items = Vec::new();
                    for key in keys {
                        if let Some(item) = self.given(&inner[1], &format!("{name}.{key}"), None)? {
                            items.push((key.to_owned(), item));
                        }
                    }
                    (!items.is_empty()).then_some(Given::Dict(items))
                }
                _ => None,
            },
            _ => None,
        })
    }

    /// Whether a shape or a value is given for an input, or for a part of it.
    fn is_said(&self, name: &str) -> bool {
        let prefix = format!("{name}.");
        let mut said = self
            .options
            .shapes
            .keys()
            .chain(self.options.literals.keys());
        self.is_named(name) || said.any(|key| key.starts_with(&prefix))
    }

    /// A list: as long as shapes are given for its items, or as the one that the model was traced with.
    fn list(&self, ty: &Expr, name: &str, example: Option<&Example>) -> Result<Option<Given>> {
        let mut items = Vec::new();
        for place in 0..MOST_ITEMS {
            let inner = format!("{name}.{place}");
            let example = example_at(example, place);
            if !self.is_said(&inner) && example.is_none() {
                break;
            }
            match self.given(ty, &inner, example)? {
                Some(item) => items.push(item),
                None => return Ok(None),
            }
        }
        if items.is_empty() && matches!(ty, Expr::Name(ty) if ty == "Tensor") {
            return Err(format!(
                "input '{name}' is a list, and its length is not known; give the shape of each item: --shape {name}.0=3,224,224"
            ));
        }
        Ok((!items.is_empty()).then_some(Given::List(items)))
    }

    /// A tensor. That it is complex is known of the one that the model was traced with.
    fn tensor(&self, name: &str, example: Option<&Example>) -> Given {
        let port = Box::new(self.port(name, example));
        match example {
            Some(Example::Tensor(stored)) if stored.is_complex => Given::Complex(port),
            _ => Given::Tensor(port),
        }
    }

    fn port(&self, name: &str, example: Option<&Example>) -> Port {
        let (element, dims) = match example {
            Some(Example::Tensor(stored)) => (Some(stored.element), Some(&stored.sizes)),
            _ => (None, None),
        };
        let said = self.options.types.get(name).copied();
        let value = self.options.literals.get(name);
        let value = value.and_then(|text| Literal::parse(text).ok());
        let element = value.as_ref().map(Literal::element).or(element);
        let dims = match (self.is_named(name), value) {
            (_, Some(value)) => Some(value.shape().into_iter().map(Dimension::Known).collect()),
            (true, None) => None,
            (false, None) => {
                dims.map(|sizes| sizes.iter().copied().map(Dimension::Known).collect())
            }
        };
        let shown = |dims: &Vec<Dimension>| {
            let all = dims.iter().map(|dim| match dim {
                Dimension::Known(size) => size.to_string(),
                _ => "?".into(),
            });
            all.collect::<Vec<_>>().join(", ")
        };
        let element = said.or(element).unwrap_or(Element::F32);
        let text = match &dims {
            Some(dims) => format!("{element}[{}]", shown(dims)),
            None => "Tensor".into(),
        };
        Port {
            name: name.into(),
            text,
            element: Ok(element),
            dims,
        }
    }
}

/// The inputs that a caller gives.
///
/// # Errors
/// If shapes are missing.
pub fn signature(script: &Script, options: &Options) -> Result<Signature> {
    let (mut ports, mut scalars) = (Vec::new(), BTreeSet::new());
    given(script, options)?
        .into_iter()
        .for_each(|given| add_ports(given, &mut ports, &mut scalars));
    let states: Vec<Port> = states(script, options, &ports).collect();
    let states_of = states.iter().map(|port| port.name.clone()).collect();
    ports.extend(states);
    if let Some(name) = options
        .types
        .keys()
        .find(|name| !ports.iter().any(|port: &Port| port.name == **name))
    {
        return Err(format!("a type is given for '{name}', which is no input"));
    }
    let parameters = script.tensors().iter().map(|(name, _)| name.clone());
    Ok(Signature {
        states: states_of,
        ports,
        scalars,
        parameters: parameters.collect(),
        ..Signature::default()
    })
}

/// The tensors of the model that have a shape from outside: inputs, and what the program makes of them are outputs.
fn states<'s>(
    script: &'s Script,
    options: &'s Options,
    ports: &'s [Port],
) -> impl Iterator<Item = Port> + 's {
    let is_state = |name: &str| {
        options.shapes.contains_key(name) && !ports.iter().any(|port| port.name == name)
    };
    let tensors = script.tensors().iter();
    let states = tensors.filter(move |(name, stored)| !stored.is_complex && is_state(name));
    states.map(|(name, stored)| Port {
        name: name.clone(),
        text: format!("{}", stored.element),
        element: Ok(stored.element),
        dims: None,
    })
}

/// Fails if nothing says the shape of an input.
///
/// # Errors
/// The inputs, and how to give their shapes.
pub fn check_shapes(signature: &Signature, options: &Options) -> Result<()> {
    let is_open = |port: &&Port| {
        port.dims.is_none()
            && !options.shapes.contains_key(&port.name)
            && !options.is_fixed(&port.name)
    };
    let missing: Vec<&str> = signature
        .ports
        .iter()
        .filter(is_open)
        .map(|port| port.name.as_str())
        .collect();
    match missing.first() {
        None => Ok(()),
        Some(first) => Err(format!(
            "a TorchScript file does not say the shapes of its inputs ({}): give them, such as --shape {first}=1,3,224,224, and --type \
             {first}=i64 for elements that are not f32",
            missing.join(", ")
        )),
    }
}

/// The inputs that a caller may give, whether they are tensors or not.
pub fn inputs(script: &Script) -> Vec<TensorInfo> {
    let Ok(forward) = script.forward() else {
        return Vec::new();
    };
    let options = Options::default();
    let reader = Reader { options: &options };
    let parameters = forward.parameters.iter().skip(1).enumerate();
    let inputs = parameters.flat_map(|(place, parameter)| {
        let ty = parameter.ty.as_ref().unwrap_or(&Expr::None);
        let example = script.example(place);
        let given = reader.given(ty, &parameter.name, example.as_ref());
        let mut ports = Vec::new();
        if let Ok(Some(given)) = given {
            add_ports(given, &mut ports, &mut BTreeSet::new());
            return ports.iter().map(TensorInfo::from).collect();
        }
        vec![TensorInfo {
            name: parameter.name.clone(),
            ty: text(ty),
        }]
    });
    inputs.collect()
}

/// Whether a parameter of a type takes a tensor, or none.
fn is_tensor(ty: &Expr) -> bool {
    match ty {
        Expr::None => true,
        Expr::Name(ty) => ty == "Tensor",
        Expr::Item(of, inner) => {
            matches!(&**of, Expr::Name(of) if of == "Optional") && inner.iter().all(is_tensor)
        }
        _ => false,
    }
}

fn add_ports(given: Given, ports: &mut Vec<Port>, scalars: &mut BTreeSet<String>) {
    match given {
        Given::Default => {}
        Given::Scalar(name, _) => drop(scalars.insert(name)),
        Given::Tensor(port) | Given::Complex(port) => ports.push(*port),
        Given::List(items) | Given::Tuple(items) => {
            (items.into_iter()).for_each(|item| add_ports(item, ports, scalars));
        }
        Given::Dict(items) => {
            (items.into_iter()).for_each(|(_, item)| add_ports(item, ports, scalars));
        }
    }
}

/// The outputs, as far as the type of the result says them.
pub fn outputs(script: &Script) -> Vec<TensorInfo> {
    let returns = script
        .forward()
        .ok()
        .and_then(|forward| forward.returns.as_ref());
    let types = match returns {
        Some(Expr::Item(of, inner)) if matches!(&**of, Expr::Name(name) if name == "Tuple") => {
            inner.iter().map(text).collect()
        }
        Some(ty) => vec![text(ty)],
        None => vec!["Tensor".into()],
    };
    let count = types.len();
    let named = types.into_iter().enumerate().map(|(place, ty)| TensorInfo {
        name: match count {
            1 => "output".into(),
            _ => format!("output_{place}"),
        },
        ty,
    });
    named.collect()
}

/// The operators that the code names, each with its place.
pub fn calls(script: &Script) -> Vec<(String, String)> {
    let mut calls = Vec::new();
    for function in script.all_functions() {
        let place = |line: u32| format!("{}:{line}", function.file);
        stmts(&function.body, &mut |name, line| {
            calls.push((place(line), name));
        });
    }
    calls.sort();
    calls
}

/// The operators without a conversion that the code names, though it may not be reached.
pub fn unsupported(script: &Script) -> Vec<Unsupported> {
    let is_unknown = |name: &str| {
        let name = name.replacen('.', "::", 1);
        !is_builtin(&name) && !quantized::is_known(&name) && !operator::is_converted(&name)
    };
    let calls = calls(script).into_iter();
    let unknown = calls.filter(|(_, name)| is_unknown(name));
    let all = unknown.map(|(node, op_type)| Unsupported {
        node,
        op_type,
        attributes: Vec::new(),
        reason: "there is no conversion of this operator".into(),
    });
    all.collect()
}

fn stmts(body: &[Stmt], see: &mut impl FnMut(String, u32)) {
    for stmt in body {
        let mut see_expr = |expr: &Expr| exprs(expr, &mut |name| see(name, stmt.line));
        match &stmt.kind {
            StmtKind::Assign { value, .. } | StmtKind::Return(value) | StmtKind::Expr(value) => {
                see_expr(value);
            }
            StmtKind::If(condition, branches) => {
                see_expr(condition);
                branches.iter().for_each(|branch| stmts(branch, see));
            }
            StmtKind::While(values, inner)
            | StmtKind::For(_, values, inner)
            | StmtKind::With(values, _, inner) => {
                see_expr(values);
                stmts(inner, see);
            }
            StmtKind::Declare(..) | StmtKind::Pass => {}
        }
    }
}

fn exprs(expr: &Expr, see: &mut impl FnMut(String)) {
    match expr {
        Expr::Call(callee, arguments) => {
            match path(callee) {
                Some(path) => {
                    if let Some(name) = path.strip_prefix("torch.") {
                        see(format!("aten.{name}"));
                    } else if let Some(name) = path.strip_prefix("ops.") {
                        see(name.to_owned());
                    }
                }
                None => exprs(callee, see),
            }
            arguments
                .iter()
                .for_each(|(_, argument)| exprs(argument, see));
        }
        Expr::Attribute(of, _) | Expr::Negative(of) => exprs(of, see),
        Expr::Item(of, items) => {
            exprs(of, see);
            items.iter().for_each(|item| exprs(item, see));
        }
        Expr::Tuple(items) | Expr::List(items) => items.iter().for_each(|item| exprs(item, see)),
        Expr::Dict(items) => items.iter().for_each(|(key, value)| {
            exprs(key, see);
            exprs(value, see);
        }),
        Expr::Choice(parts) => parts.iter().for_each(|part| exprs(part, see)),
        _ => {}
    }
}

/// The example that a place of a nested input has.
fn example_at(example: Option<&Example>, place: usize) -> Option<&Example> {
    match example? {
        Example::Several(items) => items.get(place),
        Example::Tensor(..) => None,
    }
}
