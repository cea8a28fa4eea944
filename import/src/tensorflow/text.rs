//! Graphs in protobuf's text format, as `tf.io.write_graph(..., as_text=True)` writes them: `node { name: "x" op: "Placeholder" }`.
//!
//! A text becomes the bytes of the same message, which are decoded as those of other files. Fields that the importer does not read are
//! left out.

use super::{
    element::number_of_name,
    fields::{Field, Kind, Message},
};
use crate::graph::error::Result;
use prost::encoding::{WireType, encode_key, encode_varint};

/// How deep messages may lie in others.
const DEEPEST: usize = 64;
/// The bytes at the start of a file by which a text is known.
const HEAD: usize = 64;

/// Whether a file is text.
pub fn is_text(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(HEAD)];
    let is_readable = |byte: &u8| byte.is_ascii_graphic() || byte.is_ascii_whitespace();
    head.iter().all(is_readable) && head.iter().any(|byte| b"{:#<".contains(byte))
}

/// The bytes of the message that a text stands for.
///
/// # Errors
/// If it is no such text. The error names the line.
pub fn encode(text: &[u8], message: &'static Message) -> Result<Vec<u8>> {
    let mut reader = Reader { text, at: 0 };
    let mut bytes = Vec::new();
    let read = reader.message(Some(message), None, 0, &mut bytes);
    read.map_err(|reason| {
        let lines = text[..reader.at].iter().filter(|byte| **byte == b'\n');
        format!("line {}: {reason}", lines.count() + 1)
    })?;
    Ok(bytes)
}

struct Reader<'t> {
    text: &'t [u8],
    at: usize,
}

impl<'t> Reader<'t> {
    /// The fields of a message up to its end: a bracket, or that of the text. Of an unknown message, nothing is written.
    fn message(
        &mut self,
        message: Option<&'static Message>,
        end: Option<u8>,
        depth: usize,
        bytes: &mut Vec<u8>,
    ) -> Result<()> {
        if depth > DEEPEST {
            return Err(format!("more than {DEEPEST} messages lie in each other"));
        }
        loop {
            self.skip_space();
            if self.peek() == end {
                self.at += usize::from(end.is_some());
                return Ok(());
            }
            let name = self.word()?;
            let field = message.and_then(|message| message.iter().find(|field| field.name == name));
            let has_colon = self.takes(b':');
            if has_colon && self.takes(b'[') {
                while !self.takes(b']') {
                    self.value(name, field, depth, bytes)?;
                    self.takes(b',');
                }
            } else {
                let starts_message = matches!(self.peek(), Some(b'{' | b'<'));
                if !has_colon && !starts_message {
                    return Err(format!("':' is missing behind '{name}'"));
                }
                self.value(name, field, depth, bytes)?;
            }
            let _ = self.takes(b',') || self.takes(b';');
        }
    }

    /// A value of a field.
    fn value(
        &mut self,
        name: &str,
        field: Option<&'static Field>,
        depth: usize,
        bytes: &mut Vec<u8>,
    ) -> Result<()> {
        self.skip_space();
        let close = match self.peek() {
            Some(b'{') => b'}',
            Some(b'<') => b'>',
            Some(quote @ (b'"' | b'\'')) => {
                let text = self.quoted(quote)?;
                return match field.map(|field| (field, field.kind)) {
                    Some((field, Kind::Text)) => {
                        lengthy(field.tag, &text, bytes);
                        Ok(())
                    }
                    Some(_) => Err(format!("a text is no value of '{name}'")),
                    None => Ok(()),
                };
            }
            _ => return self.number(name, field, bytes),
        };
        self.at += 1;
        let inner = match field.map(|field| field.kind) {
            Some(Kind::Message(inner)) => Some(inner),
            Some(_) => return Err(format!("a message is no value of '{name}'")),
            None => None,
        };
        let mut own = Vec::new();
        self.message(inner, Some(close), depth + 1, &mut own)?;
        if let Some(field) = field {
            lengthy(field.tag, &own, bytes);
        }
        Ok(())
    }

    /// A number, a truth or the name of an element type.
    fn number(
        &mut self,
        name: &str,
        field: Option<&'static Field>,
        bytes: &mut Vec<u8>,
    ) -> Result<()> {
        let is_negative = self.takes(b'-');
        let word = self.word()?;
        let Some(field) = field else { return Ok(()) };
        let wrong = || format!("'{word}' is no value of '{name}'");
        let written = match is_negative {
            true => format!("-{word}"),
            false => word.to_owned(),
        };
        let tag = field.tag;
        match field.kind {
            Kind::Int => varint(tag, integer(&written).ok_or_else(wrong)?, bytes),
            Kind::Bool => match word {
                "true" | "True" | "t" | "1" => varint(tag, 1, bytes),
                "false" | "False" | "f" | "0" => varint(tag, 0, bytes),
                _ => return Err(wrong()),
            },
            Kind::Element => {
                let number = word.parse().ok().or_else(|| number_of_name(word));
                varint(tag, number.ok_or_else(wrong)? as u64, bytes);
            }
            Kind::Float => {
                encode_key(tag, WireType::ThirtyTwoBit, bytes);
                let number: f32 = float(&written).ok_or_else(wrong)? as f32;
                bytes.extend(number.to_le_bytes());
            }
            Kind::Double => {
                encode_key(tag, WireType::SixtyFourBit, bytes);
                bytes.extend(float(&written).ok_or_else(wrong)?.to_le_bytes());
            }
            Kind::Text | Kind::Message(_) => return Err(wrong()),
        }
        Ok(())
    }

    /// Texts in quotes. Those that follow each other are one.
    fn quoted(&mut self, first: u8) -> Result<Vec<u8>> {
        let (mut text, mut next) = (Vec::new(), Some(first));
        while let Some(quote @ (b'"' | b'\'')) = next {
            self.at += 1;
            loop {
                match self.take()? {
                    byte if byte == quote => break,
                    b'\n' => return Err("a text does not end in its line".into()),
                    b'\\' => self.escaped(&mut text)?,
                    byte => text.push(byte),
                }
            }
            self.skip_space();
            next = self.peek();
        }
        Ok(text)
    }

    fn escaped(&mut self, text: &mut Vec<u8>) -> Result<()> {
        let letter = self.take()?;
        let byte = match letter {
            b'n' => b'\n',
            b't' => b'\t',
            b'r' => b'\r',
            b'a' => 7,
            b'b' => 8,
            b'f' => 12,
            b'v' => 11,
            b'x' | b'X' => self.digits(16, 2, 0)?,
            b'0'..=b'7' => self.digits(8, 2, u32::from(letter - b'0'))?,
            b'\\' | b'\'' | b'"' | b'?' => letter,
            _ => return Err(format!("'\\{}' stands for nothing", letter as char)),
        };
        text.push(byte);
        Ok(())
    }

    /// A byte of up to some digits.
    fn digits(&mut self, base: u32, most: usize, first: u32) -> Result<u8> {
        let mut number = first;
        for _ in 0..most {
            let digit = self.peek().and_then(|byte| (byte as char).to_digit(base));
            let Some(digit) = digit else { break };
            number = number * base + digit;
            self.at += 1;
        }
        u8::try_from(number).map_err(|_| format!("{number} is no byte"))
    }

    /// A name or a number.
    fn word(&mut self) -> Result<&'t str> {
        self.skip_space();
        let rest = &self.text[self.at..];
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"_.+-".contains(byte);
        let length = rest.iter().position(|byte| !is_part(byte));
        let word = &rest[..length.unwrap_or(rest.len())];
        self.at += word.len();
        match std::str::from_utf8(word) {
            Ok(word) if !word.is_empty() => Ok(word),
            _ => Err(match rest.first() {
                Some(byte) => format!("'{}' stands where a name should", byte.escape_ascii()),
                None => "the text ends within a message".into(),
            }),
        }
    }

    fn skip_space(&mut self) {
        while let Some(byte) = self.peek() {
            match byte {
                b'#' => {
                    let rest = &self.text[self.at..];
                    let length = rest.iter().position(|byte| *byte == b'\n');
                    self.at += length.unwrap_or(rest.len());
                }
                byte if byte.is_ascii_whitespace() => self.at += 1,
                _ => return,
            }
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn take(&mut self) -> Result<u8> {
        let byte = self.peek().ok_or("the text ends within quotes")?;
        self.at += 1;
        Ok(byte)
    }

    fn takes(&mut self, byte: u8) -> bool {
        self.skip_space();
        let is_there = self.peek() == Some(byte);
        self.at += usize::from(is_there);
        is_there
    }
}

/// An integer of any sign, as the bits of 64.
fn integer(word: &str) -> Option<u64> {
    let hexadecimal = word.strip_prefix("0x").or_else(|| word.strip_prefix("0X"));
    match hexadecimal {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => word
            .parse::<i64>()
            .map(|number| number as u64)
            .or_else(|_| word.parse())
            .ok(),
    }
}

fn float(word: &str) -> Option<f64> {
    let digits = word
        .strip_suffix(['f', 'F'])
        .filter(|digits| digits.ends_with(|last: char| last.is_ascii_digit() || last == '.'));
    digits.unwrap_or(word).parse().ok()
}

fn varint(tag: u32, number: u64, bytes: &mut Vec<u8>) {
    encode_key(tag, WireType::Varint, bytes);
    encode_varint(number, bytes);
}

fn lengthy(tag: u32, content: &[u8], bytes: &mut Vec<u8>) {
    encode_key(tag, WireType::LengthDelimited, bytes);
    encode_varint(content.len() as u64, bytes);
    bytes.extend(content);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tensorflow::{
        fields::GRAPH,
        proto::{Graph, Value},
    };
    use prost::Message as _;

    fn read(text: &str) -> Result<Graph> {
        let bytes = encode(text.as_bytes(), GRAPH)?;
        Graph::decode(&bytes[..]).map_err(|error| error.to_string())
    }

    #[test]
    fn texts_are_graphs() {
        let graph = read(
            r#"# A graph.
            node { name: "a" 'b' op: 'Const', device: "/gpu:0" input: ["x", "^y"];
              attr: < key: "value" value { tensor { dtype: DT_FLOAT tensor_shape { dim { size: 2 } }
                tensor_content: "\000\000\200?\x00\n\"\\" float_val: [1.5, -inf, 2f] int_val: -1 } } >
              attr { key: "f" value { b: true } } }
            versions { producer: 1395 min_consumer: 0x10 }"#,
        )
        .expect("a graph");
        let [node] = &graph.node[..] else {
            panic!("{} nodes", graph.node.len());
        };
        assert_eq!((&*node.name, &*node.op), ("ab", "Const"));
        assert_eq!(node.input, ["x", "^y"]);
        let Some(Value::Tensor(tensor)) = &node.attr["value"].value else {
            panic!("no tensor");
        };
        assert_eq!((tensor.dtype, &tensor.int[..]), (1, &[-1][..]));
        assert_eq!(&tensor.content[..], b"\0\0\x80?\0\n\"\\");
        assert_eq!(tensor.float, [1.5, f32::NEG_INFINITY, 2.0]);
        assert_eq!(node.attr["f"].value, Some(Value::B(true)));
    }

    #[test]
    fn damaged_texts_are_refused_with_their_line() {
        let said = |text: &str| read(text).expect_err("no graph");
        assert_eq!(
            said("node {\n name \"x\" }"),
            "line 2: ':' is missing behind 'name'"
        );
        assert_eq!(
            said("node { name: \"x"),
            "line 1: the text ends within quotes"
        );
        assert_eq!(said("node { "), "line 1: the text ends within a message");
        assert_eq!(said("node: 5"), "line 1: '5' is no value of 'node'");
        assert_eq!(
            said("node { name: 5 }"),
            "line 1: '5' is no value of 'name'"
        );
        assert_eq!(
            said("node { name { } }"),
            "line 1: a message is no value of 'name'"
        );
        assert_eq!(said("node { name: \"\\777\" }"), "line 1: 511 is no byte");
        assert_eq!(said("}"), "line 1: '}' stands where a name should");
        let deep = "other { ".repeat(100);
        assert_eq!(
            said(&deep),
            "line 1: more than 64 messages lie in each other"
        );
    }
}
