//! Devices: what `relay.on_device` and `relay.device_copy` name, and functions of their parameters and results.

use crate::{
    ir::{Attr, Builder, Op, Value},
    names::relay,
};
use std::fmt;

/// The kinds of devices, with DLPack's numbers of them.
pub const KINDS: &[(&str, i32)] = &[
    ("cpu", 1),
    ("cuda", 2),
    ("opencl", 4),
    ("vulkan", 7),
    ("metal", 8),
    ("rocm", 10),
    ("ext_dev", 12),
    ("webgpu", 15),
    ("hexagon", 16),
];

/// The kind of the processor that runs the program itself.
pub const CPU: &str = KINDS[0].0;

/// A place for values. What is `None` is not constrained. TVM: `VirtualDevice`; what TVM's `target` says is the kind's.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct VirtualDevice {
    /// The kind of device, one of [`KINDS`].
    pub kind: Option<&'static str>,
    /// Which of the devices of this kind.
    pub number: Option<u32>,
    /// Which of the device's memories.
    pub scope: Option<String>,
}

impl VirtualDevice {
    /// Reads `cuda:1@global.texture`, each part of which may be missing.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (place, scope) = match text.split_once('@') {
            Some((_, "")) => return Err(format!("'{text}' names no memory after '@'")),
            Some((place, scope)) => (place, Some(scope.to_owned())),
            None => (text, None),
        };
        let (kind, number) = match place.split_once(':') {
            Some((kind, number)) => (kind, Some(number)),
            None => (place, None),
        };
        let kind = match kind {
            "" => None,
            kind => Some(known(kind)?),
        };
        let number = number.map(str::parse).transpose();
        let number = number.map_err(|_| {
            format!("'{text}' has something else than the number of a device after ':'")
        })?;
        Ok(Self {
            kind,
            number,
            scope,
        })
    }

    /// Whether nothing is known.
    pub fn is_unconstrained(&self) -> bool {
        *self == Self::default()
    }

    /// What agrees with both as far as they say something; `None` if they contradict each other.
    #[must_use]
    pub fn join(&self, other: &Self) -> Option<Self> {
        fn part<T: Clone + PartialEq>(one: &Option<T>, other: &Option<T>) -> Option<Option<T>> {
            match (one, other) {
                (Some(one), Some(other)) if one != other => None,
                _ => Some(one.clone().or_else(|| other.clone())),
            }
        }
        Some(Self {
            kind: part(&self.kind, &other.kind)?,
            number: part(&self.number, &other.number)?,
            scope: part(&self.scope, &other.scope)?,
        })
    }

    /// The same with what is missing from another one: its number and its memory only if it is of the same kind. A device
    /// of another kind without a number is the first one.
    #[must_use]
    pub fn or(&self, default: &Self) -> Self {
        let kind = self.kind.or(default.kind);
        let like = (kind == default.kind).then_some(default);
        let number = like.and_then(|like| like.number).or(Some(0));
        let scope = like.and_then(|like| like.scope.clone());
        Self {
            kind,
            number: self.number.or(number),
            scope: self.scope.clone().or(scope),
        }
    }
}

/// The kind of that name.
fn known(kind: &str) -> Result<&'static str, String> {
    let found = KINDS.iter().find(|(known, _)| *known == kind);
    found.map(|(known, _)| *known).ok_or_else(|| {
        let all: Vec<&str> = KINDS.iter().map(|(known, _)| *known).collect();
        format!(
            "'{kind}' is no kind of device; kinds are {}",
            all.join(", ")
        )
    })
}

impl fmt::Display for VirtualDevice {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.kind.unwrap_or_default())?;
        if let Some(number) = self.number {
            write!(formatter, ":{number}")?;
        }
        match &self.scope {
            Some(scope) => write!(formatter, "@{scope}"),
            None => Ok(()),
        }
    }
}

/// The device that an attribute holds.
///
/// # Errors
/// If it holds none.
pub fn of_attr(attr: Attr) -> Result<VirtualDevice, String> {
    match attr.as_str() {
        Some(text) => VirtualDevice::parse(&text),
        None => Err(format!("{attr} is no device, which is written as a string")),
    }
}

/// A `relay.on_device`.
#[derive(Clone, Debug)]
pub struct OnDevice {
    /// The op.
    pub op: Op,
    /// The device that it names.
    pub device: VirtualDevice,
    /// Whether its operand has to lie there.
    pub constrains_body: bool,
    /// Whether its result has to lie there.
    pub constrains_result: bool,
}

impl OnDevice {
    /// The attribute with the device.
    pub const DEVICE: &str = "virtual_device";
    /// The attributes with what is constrained.
    pub const CONSTRAINS: [&str; 2] = ["constrain_body", "constrain_result"];

    /// An op as one, if it is one.
    pub fn of(op: Op) -> Option<Self> {
        if !op.is(relay::ON_DEVICE) {
            return None;
        }
        let device = op.attr(Self::DEVICE).map(of_attr);
        let [body, result] = Self::CONSTRAINS;
        let flag = |name: &str, default: bool| {
            let value = op.attr(name).and_then(Attr::as_bool);
            value.unwrap_or(default)
        };
        Some(Self {
            op,
            device: device.and_then(Result::ok).unwrap_or_default(),
            constrains_body: flag(body, true),
            constrains_result: flag(result, false),
        })
    }

    /// Whether it is of the usual form: it constrains its operand, and leaves its result open.
    pub fn is_normal(&self) -> bool {
        self.constrains_body && !self.constrains_result
    }

    /// The same of another value.
    pub fn around(&self, b: &Builder, value: Value) -> Value {
        let [body, result] = Self::CONSTRAINS;
        let attrs = [
            (Self::DEVICE, Attr::str(b.ctx, &self.device.to_string())),
            (body, Attr::bool(b.ctx, self.constrains_body)),
            (result, Attr::bool(b.ctx, self.constrains_result)),
        ];
        b.value(relay::ON_DEVICE, &[value], value.ty(), &attrs)
    }
}

/// A value of which operand and result are said to lie on a device.
pub fn fixed(b: &Builder, value: Value, device: &VirtualDevice) -> Value {
    let [body, result] = OnDevice::CONSTRAINS;
    let attrs = [
        (OnDevice::DEVICE, Attr::str(b.ctx, &device.to_string())),
        (body, Attr::bool(b.ctx, true)),
        (result, Attr::bool(b.ctx, true)),
    ];
    b.value(relay::ON_DEVICE, &[value], value.ty(), &attrs)
}

/// A `relay.device_copy`.
#[derive(Clone, Debug)]
pub struct DeviceCopy {
    /// The op.
    pub op: Op,
    /// Where its operand lies.
    pub from: VirtualDevice,
    /// Where its result lies.
    pub to: VirtualDevice,
}

impl DeviceCopy {
    /// The attributes with the devices.
    pub const DEVICES: [&str; 2] = ["src_virtual_device", "dst_virtual_device"];

    /// An op as one, if it is one.
    pub fn of(op: Op) -> Option<Self> {
        if !op.is(relay::DEVICE_COPY) {
            return None;
        }
        let [from, to] = Self::DEVICES.map(|name| {
            let device = op.attr(name).map(of_attr);
            device.and_then(Result::ok).unwrap_or_default()
        });
        Some(Self { op, from, to })
    }

    /// Makes one.
    pub fn build(b: &Builder, value: Value, from: &VirtualDevice, to: &VirtualDevice) -> Value {
        let [source, target] = Self::DEVICES;
        let attrs = [
            (source, Attr::str(b.ctx, &from.to_string())),
            (target, Attr::str(b.ctx, &to.to_string())),
        ];
        b.value(relay::DEVICE_COPY, &[value], value.ty(), &attrs)
    }
}

#[cfg(test)]
mod tests {
    use super::VirtualDevice;

    fn device(text: &str) -> VirtualDevice {
        VirtualDevice::parse(text).expect("it is a device")
    }

    #[test]
    fn devices_are_written_as_they_are_read() {
        for text in [
            "",
            "cpu",
            "cuda:1",
            "cuda:1@global.texture",
            "@shared",
            ":3",
            ":0@a@b",
        ] {
            assert_eq!(device(text).to_string(), text);
        }
        for text in ["gpu", "cpu:", "cpu:x", "cpu:-1", "cpu@", "cpu:1:2"] {
            assert!(VirtualDevice::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn devices_that_do_not_contradict_each_other_join() {
        let join = |one: &str, other: &str| {
            let joined = device(one).join(&device(other));
            joined.map(|joined| joined.to_string())
        };
        assert_eq!(join("cpu", ":1").as_deref(), Some("cpu:1"));
        assert_eq!(join("cpu:0", "@a").as_deref(), Some("cpu:0@a"));
        assert_eq!(join("cpu:0@b", "@a"), None);
        assert_eq!(join("cpu:0", "cpu:1"), None);
        assert_eq!(join("cpu", "cuda"), None);
    }

    #[test]
    fn what_is_missing_is_the_default() {
        let or = |one: &str, other: &str| device(one).or(&device(other)).to_string();
        assert_eq!(or("", "cuda:1@a"), "cuda:1@a");
        assert_eq!(or("cuda", "cuda:1@a"), "cuda:1@a");
        assert_eq!(or("cpu", "cuda:1@a"), "cpu:0");
        assert_eq!(or("@b", "cuda"), "cuda:0@b");
    }
}
