//! The metadata section: constants and devices, in TVM's JSON.
//!
//! The JSON is a list of nodes that name each other by their numbers. The root is a map from kinds of objects to arrays of
//! them; a `relay.Constant` names one of the tensors, each of which is TVM's stream of an `NDArray` in Base64. A
//! `VirtualDevice` has DLPack's number of its kind, and names a text, its memory, and a target, which nothing here reads.

use base64::{Engine, engine::general_purpose::STANDARD as BASE64};
use relay_dialects::{
    element::{Element, Kind},
    relay::{VirtualDevice, device::KINDS},
};
use serde_json::{Value, json};

/// The kind of constants: TVM's name for it, and none of our ops.
pub const CONSTANT: &str = concat!("relay", ".Constant");

/// The kind of devices.
pub const DEVICE: &str = "VirtualDevice";

/// What a number is that says nothing of a device.
const OPEN: i64 = -1;

/// What TVM's stream of a tensor begins with.
const MAGIC: u64 = 0xDD5E_40F0_96B4_A13F;

/// DLPack's number of the processor.
const CPU: i32 = 1;

/// A tensor.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    /// Its element type.
    pub element: Element,
    /// Its dimensions.
    pub shape: Vec<i64>,
    /// Its elements in row-major order, a byte for each boolean.
    pub bytes: Vec<u8>,
}

/// What a metadata section holds, by its numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Metadata {
    /// `meta[relay.Constant][...]`
    pub constants: Vec<Array>,
    /// `meta[VirtualDevice][...]`
    pub devices: Vec<VirtualDevice>,
}

/// Reads a metadata section.
///
/// # Errors
/// What is not as TVM writes it.
pub fn read(text: &str) -> Result<Metadata, String> {
    let json: Value = serde_json::from_str(text).map_err(|error| format!("no JSON: {error}"))?;
    let nodes = Nodes(&json);
    let constants = nodes.of_kind(CONSTANT)?.into_iter().enumerate();
    let constants = constants.map(|(number, node)| {
        let constant = nodes.constant(node);
        constant.map_err(|error| format!("constant {number}{error}"))
    });
    let devices = nodes.of_kind(DEVICE)?.into_iter().enumerate();
    let devices = devices.map(|(number, node)| {
        let device = nodes.device(node);
        device.map_err(|error| format!("device {number}{error}"))
    });
    Ok(Metadata {
        constants: constants.collect::<Result<_, String>>()?,
        devices: devices.collect::<Result<_, String>>()?,
    })
}

/// The constants of a metadata section.
///
/// # Errors
/// What is not as TVM writes it.
pub fn constants_of(text: &str) -> Result<Vec<Array>, String> {
    read(text).map(|metadata| metadata.constants)
}

/// A section as it is read.
struct Nodes<'j>(&'j Value);

impl<'j> Nodes<'j> {
    fn node(&self, number: &Value) -> Option<&'j Value> {
        let number = number.as_u64().or_else(|| number.as_str()?.parse().ok())?;
        self.0["nodes"].get(usize::try_from(number).ok()?)
    }

    /// The objects of a kind, in order; `Value::Null` for one that is not there.
    fn of_kind(&self, kind: &str) -> Result<Vec<&'j Value>, String> {
        let root = self.node(&self.0["root"]).ok_or("there is no root node")?;
        let kinds = root["keys"].as_array().ok_or("the root node is no map")?;
        let Some(place) = kinds.iter().position(|known| known == kind) else {
            return Ok(Vec::new());
        };
        let array = root["data"].get(place).and_then(|number| self.node(number));
        let array = array.and_then(|node| node["data"].as_array());
        let array = array.ok_or_else(|| format!("what is of kind {kind} is no array"))?;
        let nodes = array.iter().map(|number| self.node(number));
        Ok(nodes.map(|node| node.unwrap_or(&Value::Null)).collect())
    }

    fn constant(&self, node: &Value) -> Result<Array, String> {
        let index = node["attrs"]["data"].as_str();
        let index = index.and_then(|index| index.parse::<usize>().ok());
        let text = index.and_then(|index| self.0["b64ndarrays"].get(index)?.as_str());
        let text = text.ok_or(" names no tensor")?;
        let bytes = BASE64.decode(text).map_err(|error| error.to_string());
        let tensor = bytes.and_then(|bytes| Array::of_stream(&bytes));
        tensor.map_err(|error| format!(": {error}"))
    }

    fn device(&self, node: &Value) -> Result<VirtualDevice, String> {
        let attrs = &node["attrs"];
        let number = |name: &str| {
            let number = attrs[name]
                .as_str()
                .and_then(|text| text.parse::<i64>().ok());
            number.ok_or_else(|| format!(" has no {name}"))
        };
        let kind = match number("device_type_int")? {
            OPEN => None,
            kind => {
                let known = KINDS.iter().find(|(_, code)| i64::from(*code) == kind);
                let known =
                    known.ok_or_else(|| format!(" is of kind {kind}, which nothing here knows"))?;
                Some(known.0)
            }
        };
        let number = match number("virtual_device_id")? {
            OPEN => None,
            number => Some(u32::try_from(number).map_err(|_| format!(" has the number {number}"))?),
        };
        let scope = self.node(&attrs["memory_scope"]).map(text_of).transpose()?;
        Ok(VirtualDevice {
            kind,
            number,
            scope: scope.filter(|scope| !scope.is_empty()),
        })
    }
}

/// The text that a node is; one that is nothing has none.
fn text_of(node: &Value) -> Result<String, String> {
    if let Some(text) = node["repr_str"].as_str() {
        return Ok(text.into());
    }
    let coded = node["repr_b64"].as_str().unwrap_or_default();
    let bytes = BASE64.decode(coded).map_err(|error| format!(": {error}"))?;
    String::from_utf8(bytes).map_err(|error| format!(": {error}"))
}

/// The metadata section of constants and devices.
pub fn write(metadata: &Metadata) -> String {
    let Metadata { constants, devices } = metadata;
    // Node 0 is nothing, node 1 the map; an array for each kind follows, and then what is in the arrays.
    let kinds: Vec<&str> = [(CONSTANT, constants.len()), (DEVICE, devices.len())]
        .into_iter()
        .filter_map(|(kind, count)| (count > 0).then_some(kind))
        .collect();
    let arrays: Vec<usize> = (2..2 + kinds.len()).collect();
    let first = 2 + kinds.len();
    let (middle, end) = (
        first + constants.len(),
        first + constants.len() + devices.len(),
    );
    let mut nodes = vec![
        json!({"type_key": ""}),
        json!({"type_key": "Map", "keys": kinds, "data": arrays}),
    ];
    let lists = [first..middle, middle..end].into_iter();
    nodes.extend(lists.filter(|list| !list.is_empty()).map(|list| {
        let numbers: Vec<usize> = list.collect();
        json!({"type_key": "Array", "data": numbers})
    }));
    nodes.extend((0..constants.len()).map(|index| {
        let attrs = json!({
            "_checked_type_": "0",
            "data": index.to_string(),
            "span": "0",
            "virtual_device_": "0",
        });
        json!({"type_key": CONSTANT, "attrs": attrs})
    }));
    // Behind the devices are their texts.
    nodes.extend(
        (devices.iter())
            .zip(end..)
            .map(|(device, text)| device_node(device, text)),
    );
    nodes.extend(devices.iter().map(|device| {
        json!({"type_key": "runtime.String", "repr_str": device.scope.clone().unwrap_or_default()})
    }));
    let tensors: Vec<String> = (constants.iter())
        .map(|array| BASE64.encode(array.to_stream()))
        .collect();
    let json = json!({
        "root": 1,
        "nodes": nodes,
        "b64ndarrays": tensors,
        "attrs": {"tvm_version": "0.18.0"},
    });
    format!("{json:#}")
}

/// A device whose memory is named in node `text`.
fn device_node(device: &VirtualDevice, text: usize) -> Value {
    let kind = KINDS.iter().find(|(kind, _)| Some(*kind) == device.kind);
    let kind = kind.map_or(OPEN, |(_, code)| (*code).into());
    let number = device.number.map_or(OPEN, i64::from);
    let attrs = json!({
        "device_type_int": kind.to_string(),
        "memory_scope": text.to_string(),
        "target": "0",
        "virtual_device_id": number.to_string(),
    });
    json!({"type_key": DEVICE, "attrs": attrs})
}

impl Array {
    fn to_stream(&self) -> Vec<u8> {
        let (code, bits) = dtype(self.element);
        let mut stream = Vec::new();
        stream.extend(MAGIC.to_le_bytes());
        stream.extend(0u64.to_le_bytes());
        stream.extend(CPU.to_le_bytes());
        stream.extend(0i32.to_le_bytes());
        stream.extend((self.shape.len() as i32).to_le_bytes());
        stream.extend([code, bits]);
        stream.extend(1u16.to_le_bytes());
        for extent in &self.shape {
            stream.extend(extent.to_le_bytes());
        }
        stream.extend((self.bytes.len() as i64).to_le_bytes());
        stream.extend(&self.bytes);
        stream
    }

    fn of_stream(stream: &[u8]) -> Result<Self, String> {
        let mut rest = stream;
        let magic = u64::from_le_bytes(take(&mut rest)?);
        if magic != MAGIC {
            return Err("it is no tensor of TVM".into());
        }
        // What is reserved, and the device.
        take::<16>(&mut rest)?;
        let rank = i32::from_le_bytes(take(&mut rest)?);
        let [code, bits, lanes, more] = take(&mut rest)?;
        let element = Element::ALL
            .into_iter()
            .find(|element| dtype(*element) == (code, bits))
            .filter(|_| (lanes, more) == (1, 0));
        let element = element
            .ok_or_else(|| format!("no tensors have elements of code {code} and {bits} bits"))?;
        let shape = (0..rank).map(|_| take(&mut rest).map(i64::from_le_bytes));
        let shape = shape.collect::<Result<Vec<i64>, String>>()?;
        let length = i64::from_le_bytes(take(&mut rest)?);
        let count = crate::graph::constant::element_count(&shape)?;
        let bytes = count.saturating_mul(element.bytes() as i64);
        if length != bytes || rest.len() as i64 != bytes {
            return Err(format!(
                "it has {} bytes for {count} elements of {} bytes",
                rest.len(),
                element.bytes()
            ));
        }
        let bytes = rest.to_vec();
        Ok(Self {
            element,
            shape,
            bytes,
        })
    }
}

/// The next bytes of a stream.
fn take<const COUNT: usize>(rest: &mut &[u8]) -> Result<[u8; COUNT], String> {
    let (first, others) = rest.split_first_chunk().ok_or("it is cut short")?;
    *rest = others;
    Ok(*first)
}

/// DLPack's code and the bits of an element type. TVM's booleans are unsigned integers of one bit.
fn dtype(element: Element) -> (u8, u8) {
    let code = match element.kind() {
        // Later than TVM's format: DLPack 1.1 has them.
        Kind::Mini if element.bits() < 8 => 17,
        Kind::Mini => element.dlpack().0,
        Kind::Signed => 0,
        Kind::Bool | Kind::Unsigned => 1,
        Kind::Float => 2,
        Kind::Brain => 4,
    };
    let bits = match element.kind() {
        Kind::Bool => 1,
        _ => element.bits() as u8,
    };
    (code, bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn array(element: Element, shape: &[i64], bytes: &[u8]) -> Array {
        Array {
            element,
            shape: shape.into(),
            bytes: bytes.into(),
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let constants = [
            array(Element::F32, &[2], &[0, 0, 128, 63, 0, 0, 0, 64]),
            array(Element::Bool, &[], &[1]),
            array(Element::I64, &[0, 3], &[]),
        ];
        let devices = ["", "cpu", "cuda:1@global.texture", ":2"].map(VirtualDevice::parse);
        let devices: Result<Vec<VirtualDevice>, String> = devices.into_iter().collect();
        let all = Metadata {
            constants: constants.to_vec(),
            devices: devices.expect("they are devices"),
        };
        let only_devices = Metadata {
            constants: Vec::new(),
            ..all.clone()
        };
        for metadata in [all, only_devices, Metadata::default()] {
            assert_eq!(read(&write(&metadata)), Ok(metadata));
        }
    }

    /// The stream of numpy's float32 array [1, 2], by the layout that TVM's `ndarray.h` describes.
    #[test]
    fn a_stream_of_tvm_is_read() {
        let mut stream = vec![0x3f, 0xa1, 0xb4, 0x96, 0xf0, 0x40, 0x5e, 0xdd];
        stream.extend([0; 8]);
        stream.extend([1, 0, 0, 0, 0, 0, 0, 0]);
        stream.extend([1, 0, 0, 0, 2, 32, 1, 0]);
        stream.extend([2, 0, 0, 0, 0, 0, 0, 0]);
        stream.extend([8, 0, 0, 0, 0, 0, 0, 0]);
        stream.extend([0, 0, 128, 63, 0, 0, 0, 64]);
        let expected = array(Element::F32, &[2], &[0, 0, 128, 63, 0, 0, 0, 64]);
        assert_eq!(Array::of_stream(&stream), Ok(expected));
        for end in 0..stream.len() {
            assert!(Array::of_stream(&stream[..end]).is_err(), "{end}");
        }
        stream[0] = 0;
        assert!(Array::of_stream(&stream).is_err());
    }

    #[test]
    fn what_is_not_as_tvm_writes_it_is_an_error() {
        for text in [
            "",
            "{}",
            r#"{"root": 9, "nodes": []}"#,
            r#"{"root": 0, "nodes": [{"keys": ["relay.Constant"], "data": [0]}]}"#,
            r#"{"root": 0, "nodes": [{"keys": ["relay.Constant"], "data": [1]}, {"data": [0]}]}"#,
        ] {
            assert!(read(text).is_err(), "{text}");
        }
        let device =
            r#"{"root": 0, "nodes": [{"keys": ["VirtualDevice"], "data": [1]}, {"data": [0]}]}"#;
        assert!(read(device).is_err());
        let other = r#"{"root": 0, "nodes": [{"keys": ["Target"], "data": [0]}]}"#;
        assert_eq!(read(other), Ok(Metadata::default()));
    }
}
