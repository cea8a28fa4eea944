//! The code generator `dnnl`: calls of oneDNN, whose primitives compute a product with all that follows it.
//!
//! What it writes is C that builds a graph of primitives (`dnnl/support.c`) at the first call: oneDNN chooses layouts, weights
//! are brought into them once. The library needs `libdnnl.so` when it runs, and oneDNN's own threads: as many as
//! `OMP_NUM_THREADS` says.

use super::{
    ExternalCodegen, Generated, Library,
    graph::{Function, Node, Tensor},
};
use crate::{CodegenError, Target};
use std::fmt::Write as _;

/// The generator.
#[derive(Debug)]
pub(super) struct Dnnl;

impl ExternalCodegen for Dnnl {
    fn name(&self) -> &str {
        "dnnl"
    }

    fn rules(&self) -> String {
        "target=dnnl".into()
    }

    fn generate(&self, functions: &[Function], _: &Target) -> Result<Generated, CodegenError> {
        let mut source = include_str!("dnnl/support.c").to_owned();
        for function in functions {
            source += &Writer::new(function).write()?;
        }
        let library = Library {
            name: "dnnl".into(),
            remedy: "install oneDNN 2 (Debian: libdnnl-dev)".into(),
        };
        Ok(Generated {
            sources: vec![source],
            libraries: vec![library],
            ..Generated::default()
        })
    }
}

/// No tensor, in the C code.
const NONE: &str = "NONE";

/// Writes a function.
struct Writer<'f> {
    function: &'f Function,
    text: String,
}

impl<'f> Writer<'f> {
    fn new(function: &'f Function) -> Self {
        Self {
            function,
            text: String::new(),
        }
    }

    fn write(mut self) -> Result<String, CodegenError> {
        let function = self.function;
        let (name, symbol) = (&function.name, &function.symbol);
        let _ = writeln!(
            self.text,
            "\nstatic struct graph *make_{symbol}(void **parameters) {{"
        );
        let _ = writeln!(
            self.text,
            "  struct graph *g = begin(\"{name}\", parameters);"
        );
        for (number, input) in function.inputs.iter().enumerate() {
            let (rank, dims) = dims(&input.tensor.shape);
            let constant = u8::from(input.constant);
            let _ = writeln!(
                self.text,
                "  int v{number} = input(g, {number}, {constant}, {rank}, {dims});"
            );
        }
        for (number, node) in function.numbered() {
            let call = self.node(number, node)?;
            let _ = writeln!(
                self.text,
                "  /* {} */",
                node.origin.join(" + ").replace("*/", "")
            );
            let _ = writeln!(self.text, "  int v{number} = {call};");
        }
        self.outputs();
        self.text += "  return g;\n}\n";
        self.entry();
        Ok(self.text)
    }

    /// What the function gives.
    fn outputs(&mut self) {
        let Function {
            inputs, outputs, ..
        } = self.function;
        for (place, value) in outputs.iter().enumerate() {
            let is_once = outputs.iter().filter(|other| *other == value).count() == 1;
            let (parameter, is_once) = (inputs.len() + place, u8::from(is_once));
            let _ = writeln!(self.text, "  output(g, v{value}, {parameter}, {is_once});");
        }
    }

    /// The function that the model calls.
    fn entry(&mut self) {
        let Function {
            inputs,
            outputs,
            symbol,
            ..
        } = self.function;
        let parameters = (0..inputs.len() + outputs.len()).map(|number| format!("p{number}"));
        let parameters: Vec<String> = parameters.collect();
        let declared: Vec<String> = parameters
            .iter()
            .map(|name| format!("void *{name}"))
            .collect();
        let (declared, parameters) = (declared.join(", "), parameters.join(", "));
        self.text += &format!(
            "
void {symbol}({declared}) {{
  static struct once once = {{NULL, PTHREAD_MUTEX_INITIALIZER}};
  void *parameters[] = {{{parameters}}};
  call(&once, make_{symbol}, parameters);
}}
"
        );
    }

    /// The call that adds a node to the graph.
    fn node(&self, number: usize, node: &Node) -> Result<String, CodegenError> {
        let wrong = || {
            CodegenError::External(format!(
                "'dnnl' writes no code of '{}': it has no row for it",
                node.op
            ))
        };
        let body = node.body.as_deref().ok_or_else(wrong)?;
        let anchor = body
            .nodes
            .iter()
            .position(|inner| inner.op != "constant")
            .ok_or_else(wrong)?;
        let source = |place: usize| self.outer(node, body, body.nodes[anchor].inputs[place]);
        let main = &body.nodes[anchor];
        let shape = &node.outputs[0].shape;
        let (rank, out) = dims(shape);
        Ok(match main.op.as_str() {
            "nn.conv1d" | "nn.conv2d" | "nn.conv3d" => {
                let roles = self.roles(number, node, body, anchor)?;
                convolution(main, body, [source(0), source(1)], &main.outputs[0], &roles)
            }
            "nn.dense" => {
                let roles = self.roles(number, node, body, anchor)?;
                let [rows, columns] = main.outputs[0].shape[..] else {
                    return Err(wrong());
                };
                let depth = body.tensor(main.inputs[1]).shape[1];
                let (data, weight) = (source(0), source(1));
                let call =
                    format!("dense(g, {data}, {weight}, {rows}, {columns}, {depth}, {roles})");
                match **shape == [rows, columns] {
                    true => call,
                    false => format!("view(g, {call}, {rank}, {out})"),
                }
            }
            "nn.batch_matmul" => {
                let flag = |name: &str| u8::from(main.flag(name));
                let (a, b) = (flag("transpose_a"), flag("transpose_b"));
                format!(
                    "batch_matmul(g, {}, {}, {a}, {b}, {out})",
                    source(0),
                    source(1)
                )
            }
            "nn.softmax" => {
                let axis = main.int("axis").unwrap_or(-1);
                let axis = if axis < 0 { axis + rank as i64 } else { axis };
                format!("softmax(g, {}, {axis})", source(0))
            }
            "nn.relu" => format!("relu(g, {})", source(0)),
            "add" => format!("sum_of(g, {}, {})", source(0), source(1)),
            name if name.contains("_pool") => pool(main, &source(0), &out, rank),
            _ => return Err(wrong()),
        })
    }

    /// The name of what an operator in a composite reads.
    fn outer(&self, node: &Node, body: &Function, value: usize) -> String {
        match value < body.inputs.len() {
            true => format!("v{}", node.inputs[value]),
            // Rules name no operator before the first one.
            false => NONE.into(),
        }
    }

    /// What follows the first operator of a composite, as the C code has it.
    fn roles(
        &self,
        number: usize,
        node: &Node,
        body: &Function,
        anchor: usize,
    ) -> Result<String, CodegenError> {
        // oneDNN has no place for what a rule does not name, so its name says what there is.
        let wants = |word: &str| node.op.split(['.', '_']).any(|part| part == word);
        let (mut bias, mut sum, mut in_place) = (NONE.to_owned(), NONE.to_owned(), false);
        let mut scale = 1.0;
        let mut chain = vec![first_result(body, anchor)];
        for (result, inner) in body.numbered().skip(anchor + 1) {
            let others: Vec<usize> = inner
                .inputs
                .iter()
                .copied()
                .filter(|value| !chain.contains(value))
                .collect();
            match (inner.op.as_str(), &others[..]) {
                ("reshape", []) => {}
                ("add", [other]) if wants("bias") && bias == NONE => {
                    bias = self.outer(node, body, *other)
                }
                ("add", [other]) if wants("sum") && sum == NONE => {
                    sum = self.outer(node, body, *other);
                    in_place = self.is_last_use(number, node.inputs[*other]);
                }
                // Something and itself.
                ("add", []) if wants("sum") && scale == 1.0 => scale = 2.0,
                _ => break,
            }
            chain.push(result);
        }
        let activation = match (wants("relu"), wants("gelu")) {
            (true, _) => "dnnl_eltwise_relu",
            (_, true) => "dnnl_eltwise_gelu_erf",
            _ => "dnnl_alg_kind_undef",
        };
        let missing =
            (wants("bias") && bias == NONE) || (wants("sum") && sum == NONE && scale == 1.0);
        if missing {
            return Err(CodegenError::External(format!(
                "'dnnl' does not find in '{}' what its name says",
                node.op
            )));
        }
        let in_place = u8::from(in_place);
        Ok(format!(
            "(struct behind){{{bias}, {sum}, {in_place}, {scale:.1}f, {activation}}}"
        ))
    }

    /// Whether nothing but a node reads a value that another node made.
    fn is_last_use(&self, number: usize, value: usize) -> bool {
        let later = self
            .function
            .numbered()
            .filter(|(other, _)| *other > number);
        let is_read = later
            .flat_map(|(_, node)| &node.inputs)
            .any(|read| *read == value);
        let own = self.function.numbered().find(|(other, _)| *other == number);
        let reads = own.map_or(0, |(_, node)| {
            node.inputs.iter().filter(|read| **read == value).count()
        });
        value >= self.function.inputs.len()
            && !is_read
            && reads == 1
            && !self.function.outputs.contains(&value)
    }
}

/// The number of a node's first result.
fn first_result(function: &Function, place: usize) -> usize {
    let found = function.numbered().nth(place);
    found.map_or(0, |(number, _)| number)
}

/// A list of extents as a C expression, and its length.
fn dims(shape: &[i64]) -> (usize, String) {
    // A scalar has one dimension here.
    let shape = if shape.is_empty() { &[1] } else { shape };
    (shape.len(), list(shape))
}

fn list(numbers: &[i64]) -> String {
    let numbers: Vec<String> = numbers.iter().map(i64::to_string).collect();
    format!("(dnnl_dim_t[]){{{}}}", numbers.join(", "))
}

/// Strides, dilation as oneDNN counts it, and the padding before and behind.
fn window(node: &Node, spatial: usize) -> [Vec<i64>; 4] {
    let of = |name: &str, count: usize, default: i64| {
        let found = node.ints(name).filter(|list| list.len() == count);
        found.unwrap_or_else(|| vec![default; count])
    };
    let padding = of("padding", 2 * spatial, 0);
    let dilation = of("dilation", spatial, 1).into_iter();
    let (before, behind) = padding.split_at(spatial);
    [
        of("strides", spatial, 1),
        dilation.map(|step| step - 1).collect(),
        before.to_vec(),
        behind.to_vec(),
    ]
}

fn convolution(
    node: &Node,
    body: &Function,
    [data, weight]: [String; 2],
    result: &Tensor,
    roles: &str,
) -> String {
    let mut by = body.tensor(node.inputs[1]).shape.clone();
    let groups = node.int("groups").unwrap_or(1);
    if groups != 1 {
        by[0] /= groups;
        by.insert(0, groups);
    }
    let (rank, out) = dims(&result.shape);
    let [strides, dilation, before, behind] = window(node, rank - 2).map(|numbers| list(&numbers));
    format!(
        "convolution(g, {data}, {weight}, {rank}, {out}, {}, {}, {strides}, {dilation}, {before}, {behind}, {roles})",
        by.len(),
        list(&by)
    )
}

fn pool(node: &Node, source: &str, out: &str, rank: usize) -> String {
    let kind = match (node.op.contains("max"), node.flag("count_include_pad")) {
        (true, _) => "dnnl_pooling_max",
        (_, true) => "dnnl_pooling_avg_include_padding",
        (_, false) => "dnnl_pooling_avg_exclude_padding",
    };
    let kernel = list(&node.ints("pool_size").unwrap_or_default());
    let [strides, dilation, before, behind] = window(node, rank - 2).map(|numbers| list(&numbers));
    format!(
        "pool(g, {kind}, {source}, {rank}, {out}, {kernel}, {strides}, {dilation}, {before}, {behind})"
    )
}
