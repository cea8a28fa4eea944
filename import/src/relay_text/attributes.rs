//! Attributes of functions. Those that passes go by have names of their own; all others are kept as they are written, but for
//! those that refer to metadata: modules keep no metadata but constants and devices.

use super::{
    metadata::DEVICE,
    syntax::{AttrValue, Attribute, Kind, Number},
};
use relay_dialects::{
    attrs::{COMPILER, COMPOSITE, HASH, INLINE, PARTITIONED, PRIMITIVE, VIRTUAL_DEVICE, WRITTEN},
    ir::{Attr, Ctx, Op, Type, named},
    relay::{VirtualDevice, device::OnDevice},
};

/// How Relay calls an attribute, how passes do, and whether it is a flag: there if it is not 0. The others are texts.
const KNOWN: &[(&str, &str, bool)] = &[
    ("Compiler", COMPILER, false),
    (COMPOSITE, COMPOSITE, false),
    ("Inline", INLINE, true),
    (PARTITIONED, PARTITIONED, false),
    ("Primitive", PRIMITIVE, true),
    ("hash", HASH, false),
];

/// The attributes of a function from what is written, and the devices of the metadata.
///
/// # Errors
/// A value that is none of an attribute.
pub fn read(
    ctx: Ctx,
    given: &[Attribute],
    devices: &[VirtualDevice],
) -> Result<Vec<(String, Attr)>, String> {
    let mut made = Vec::new();
    let mut others = Vec::new();
    for Attribute { name, value } in given {
        let known = KNOWN.iter().find(|(theirs, ..)| theirs == name);
        match (known, value) {
            (Some((_, ours, true)), AttrValue::Expr(expr)) => match expr.kind {
                Kind::Bool(true) | Kind::Number(Number::Int(1, _)) => {
                    made.push(((*ours).into(), Attr::unit(ctx)));
                }
                Kind::Bool(false) | Kind::Number(Number::Int(0, _)) => {}
                _ => return Err(format!("{name} is a flag, which is 0 or 1")),
            },
            (Some((_, ours, false)), AttrValue::Text(text)) => {
                made.push(((*ours).into(), Attr::str(ctx, text)));
            }
            (Some((_, _, flag)), _) => {
                let kind = if *flag { "a flag" } else { "a text" };
                return Err(format!("{name} is {kind}, and has another value here"));
            }
            (None, value) if name == OnDevice::DEVICE => {
                made.push((VIRTUAL_DEVICE.into(), device(ctx, value, devices)?));
            }
            (None, value) if refers(value) => {}
            (None, value) => {
                let kept = keep(ctx, value);
                let kept =
                    kept.ok_or_else(|| format!("{name} has a value that is none of an attribute"))?;
                others.push((name.clone(), kept));
            }
        }
    }
    if !others.is_empty() {
        made.push((WRITTEN.into(), Attr::dict(ctx, &named(&others))));
    }
    Ok(made)
}

/// The device that `meta[VirtualDevice][...]` refers to.
///
/// # Errors
/// If it refers to something else, or to one that is not there.
pub fn device(ctx: Ctx, value: &AttrValue, devices: &[VirtualDevice]) -> Result<Attr, String> {
    let meta = match value {
        AttrValue::Expr(expr) => match &expr.kind {
            Kind::Meta(meta) if meta.key == DEVICE => Some(meta),
            _ => None,
        },
        _ => None,
    };
    let meta = meta.ok_or("a device is written as meta[VirtualDevice][...]")?;
    let device = devices.get(meta.index as usize);
    let device = device.ok_or_else(|| format!("the metadata has no device {}", meta.index))?;
    Ok(Attr::str(ctx, &device.to_string()))
}

/// Whether a value refers to the metadata.
fn refers(value: &AttrValue) -> bool {
    match value {
        AttrValue::List(values) => values.iter().any(refers),
        AttrValue::Expr(expr) => matches!(expr.kind, Kind::Meta(_)),
        AttrValue::Text(_) | AttrValue::Nothing => false,
    }
}

/// A value that says nothing to passes.
fn keep(ctx: Ctx, value: &AttrValue) -> Option<Attr> {
    match value {
        AttrValue::Text(text) => Some(Attr::str(ctx, text)),
        AttrValue::Nothing => Some(Attr::unit(ctx)),
        AttrValue::List(values) => {
            let values = values.iter().map(|value| keep(ctx, value));
            Some(Attr::array(ctx, &values.collect::<Option<Vec<Attr>>>()?))
        }
        AttrValue::Expr(expr) => match &expr.kind {
            Kind::Bool(value) => Some(Attr::bool(ctx, *value)),
            Kind::Number(Number::Int(value, bits)) => {
                Some(Attr::int(Type::int(ctx, *bits), *value))
            }
            Kind::Number(Number::Float(value, bits)) => {
                let ty = match bits {
                    16 => Type::f16(ctx),
                    32 => Type::f32(ctx),
                    _ => Type::f64(ctx),
                };
                Some(Attr::float(ty, *value))
            }
            _ => None,
        },
    }
}

/// The attributes of a function as they are written.
pub fn written(op: Op) -> Vec<Attribute> {
    let known = KNOWN.iter().filter_map(|(theirs, ours, flag)| {
        let attr = op.attr(ours)?;
        let value = match flag {
            true => AttrValue::Expr(Kind::Number(Number::Int(1, 32)).into()),
            false => AttrValue::Text(attr.as_str()?),
        };
        let name = (*theirs).into();
        Some(Attribute { name, value })
    });
    let others = op
        .attr(WRITTEN)
        .and_then(Attr::as_entries)
        .unwrap_or_default();
    let others = others.into_iter().filter_map(|(name, attr)| {
        let value = kept(attr)?;
        Some(Attribute { name, value })
    });
    known.chain(others).collect()
}

/// A value that [`keep`] kept.
fn kept(attr: Attr) -> Option<AttrValue> {
    let expr = |kind: Kind| Some(AttrValue::Expr(kind.into()));
    if attr == Attr::unit(attr.ctx()) {
        return Some(AttrValue::Nothing);
    }
    if let Some(text) = attr.as_str() {
        return Some(AttrValue::Text(text));
    }
    if let Some(values) = attr.as_array() {
        let values = values.into_iter().map(kept).collect::<Option<Vec<_>>>()?;
        return Some(AttrValue::List(values));
    }
    if let Some(flag) = attr.as_bool() {
        return expr(Kind::Bool(flag));
    }
    if let Some(value) = attr.as_i64() {
        return expr(Kind::Number(Number::Int(value, attr.typ().bit_width())));
    }
    let bits = attr.typ().bit_width();
    attr.as_f64()
        .and_then(|value| expr(Kind::Number(Number::Float(value, bits))))
}
