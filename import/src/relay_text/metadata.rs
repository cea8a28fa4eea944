//! The metadata section: constants, in TVM's JSON.
//!
//! The JSON is a list of nodes that name each other by their numbers. The root is a map from kinds of objects to arrays of
//! them; a `relay.Constant` names one of the tensors, each of which is TVM's stream of an `NDArray` in Base64.

use base64::{Engine, engine::general_purpose::STANDARD as BASE64};
use relay_dialects::element::{Element, Kind};
use serde_json::{Value, json};

/// The kind of constants: TVM's name for it, and none of our ops.
pub const CONSTANT: &str = concat!("relay", ".Constant");

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

/// The constants of a metadata section, by their numbers.
///
/// # Errors
/// What is not as TVM writes it.
pub fn read(text: &str) -> Result<Vec<Array>, String> {
    let json: Value = serde_json::from_str(text).map_err(|error| format!("no JSON: {error}"))?;
    let node = |number: &Value| {
        let number = number.as_u64().or_else(|| number.as_str()?.parse().ok())?;
        json["nodes"].get(usize::try_from(number).ok()?)
    };
    let root = node(&json["root"]).ok_or("there is no root node")?;
    let kinds = root["keys"].as_array().ok_or("the root node is no map")?;
    let Some(place) = kinds.iter().position(|kind| kind == CONSTANT) else {
        return Ok(Vec::new());
    };
    let array = root["data"].get(place).and_then(node);
    let array = array.and_then(|node| node["data"].as_array());
    let array = array.ok_or("the constants are no array")?;
    let constants = array.iter().enumerate();
    constants
        .map(|(number, constant)| {
            let data = node(constant).map(|node| &node["attrs"]["data"]);
            let index = data.and_then(|data| data.as_str()?.parse::<usize>().ok());
            let text = index.and_then(|index| json["b64ndarrays"].get(index)?.as_str());
            let text = text.ok_or_else(|| format!("constant {number} names no tensor"))?;
            let bytes = BASE64.decode(text).map_err(|error| error.to_string());
            let tensor = bytes.and_then(|bytes| Array::of_stream(&bytes));
            tensor.map_err(|error| format!("constant {number}: {error}"))
        })
        .collect()
}

/// The metadata section of constants.
pub fn write(constants: &[Array]) -> String {
    // Nodes 0 to 2 are nothing, the map and the array.
    const FIRST: usize = 3;
    let numbers: Vec<usize> = (FIRST..FIRST + constants.len()).collect();
    let mut nodes = vec![
        json!({"type_key": ""}),
        json!({"type_key": "Map", "keys": [CONSTANT], "data": [2]}),
        json!({"type_key": "Array", "data": numbers}),
    ];
    nodes.extend((0..constants.len()).map(|index| {
        let attrs = json!({
            "_checked_type_": "0",
            "data": index.to_string(),
            "span": "0",
            "virtual_device_": "0",
        });
        json!({"type_key": CONSTANT, "attrs": attrs})
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
        assert_eq!(read(&write(&constants)), Ok(constants.to_vec()));
        assert_eq!(read(&write(&[])), Ok(Vec::new()));
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
        let other = r#"{"root": 0, "nodes": [{"keys": ["VirtualDevice"], "data": [0]}]}"#;
        assert_eq!(read(other), Ok(Vec::new()));
    }
}
