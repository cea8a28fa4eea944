//! What a kernel is known by in records: what it computes, as a text that does not depend on names.
//!
//! The text of `relu(a . b^T)` on matrices of 512 x 512 is
//! ```text
//! f32[512,512], f32[512,512] -> t0 f32[512,512] sum 512 = mulf(a0[x0,r0], a1[x1,r0]);
//! t1 f32[512,512] = select(cmpf{predicate=4}(t0[x0,x1], 0.0), 0.0, t0[x0,x1]) -> t1
//! ```
//! in one line. `a0` is the first argument, `t0` the first stage, `x0` a stage's first data axis and `r0` its first reduce axis.
//! So equal kernels of two models, or of one model whose tensors were renamed, have equal keys. Where all samples of a batch are
//! computed alike, a second text has `n` for their number.

use relay_dialects::{
    ir::{Attr, Block, Op, Value},
    names,
    ops::{arith, func, tensor},
    te::Compute,
};
use sha2::{Digest, Sha256};
use std::{
    collections::{HashMap, HashSet},
    fmt::{self, Write as _},
};

/// The version of the text: it changes when kernels are written in another way, or schedules mean something else.
pub const VERSION: u32 = 1;

/// A kernel's key.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    /// What it computes.
    pub text: String,
    /// The same for any number of samples, and how many it has, if its samples are computed alike.
    pub family: Option<(String, i64)>,
}

impl Key {
    /// The key of a function of tensor expressions. Schedules in it do not count.
    pub fn of(func: Op) -> Self {
        let batch = Batch::of(func);
        let family = batch.map(|batch| {
            let samples = batch.samples;
            (Writer::new(Some(batch)).function(func), samples)
        });
        Self {
            text: Writer::new(None).function(func),
            family,
        }
    }

    /// Twelve hexadecimal digits that stand for the text, and from version 2 on for the [version](VERSION): what was found for another
    /// one is of another kernel.
    pub fn digest(&self) -> String {
        match VERSION {
            1 => digest(&self.text),
            version => digest(&format!("{version} {}", self.text)),
        }
    }
}

/// Twelve hexadecimal digits that stand for a text: by chance, two of a million kernels have the same in one of 500 databases.
pub fn digest(text: &str) -> String {
    let bytes = Sha256::digest(text.as_bytes());
    bytes.iter().take(6).fold(String::new(), |mut text, byte| {
        // Writing to a string does not fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

impl fmt::Display for Key {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}

/// The tensors whose first dimension counts samples.
struct Batch {
    samples: i64,
    tensors: HashSet<Value>,
}

impl Batch {
    /// The results, and what they read at their own sample alone, and so on. None if one of these tensors is read at
    /// another sample, too.
    fn of(func: Op) -> Option<Self> {
        let returned = func.body().terminator()?.operands();
        let samples = *returned.first()?.ty().shape().first()?;
        let mut tensors = HashSet::new();
        let mut others = HashSet::new();
        for result in returned {
            (result.ty().shape().first() == Some(&samples)).then(|| tensors.insert(result))?;
        }
        for op in func.body().ops().into_iter().rev() {
            if op.is(names::te::SCHEDULE) || op.is(func::Return::NAME) {
                continue;
            }
            let stage =
                Compute::of(op).filter(|_| op.results().iter().any(|it| tensors.contains(it)));
            let axis = stage.and_then(|_| op.body().args().first().copied());
            op.walk(|read| {
                for (place, operand) in read.operands().into_iter().enumerate() {
                    if !operand.ty().is_tensor() {
                        continue;
                    }
                    let is_own = place == 0
                        && read.is(tensor::Extract::NAME)
                        && axis == read.operands().get(1).copied();
                    let is_counted = operand.ty().shape().first() == Some(&samples);
                    if is_own && axis.is_some() && is_counted {
                        tensors.insert(operand);
                    } else {
                        others.insert(operand);
                    }
                }
            });
        }
        tensors
            .is_disjoint(&others)
            .then_some(Self { samples, tensors })
    }
}

/// Writes the text.
struct Writer {
    batch: Option<Batch>,
    names: HashMap<Value, String>,
    /// How many values were named that are used more than once.
    shared: usize,
    text: String,
}

impl Writer {
    fn new(batch: Option<Batch>) -> Self {
        Self {
            batch,
            names: HashMap::new(),
            shared: 0,
            text: String::new(),
        }
    }

    fn function(mut self, func: Op) -> String {
        let arguments = func.body().args();
        for (number, argument) in arguments.iter().enumerate() {
            self.names.insert(*argument, format!("a{number}"));
        }
        let types: Vec<String> = arguments.iter().map(|it| self.tensor(*it)).collect();
        let _ = write!(self.text, "{} -> ", types.join(", "));
        let mut stages = 0;
        for op in func.body().ops() {
            if op.is(names::te::SCHEDULE) {
                continue;
            }
            if op.is(func::Return::NAME) {
                let results: Vec<String> =
                    op.operands().into_iter().map(|it| self.value(it)).collect();
                let _ = write!(self.text, "-> {}", results.join(", "));
                continue;
            }
            let results = op.results();
            for (number, result) in results.iter().enumerate() {
                let name = match results.len() {
                    1 => format!("t{stages}"),
                    _ => format!("t{stages}.{number}"),
                };
                self.names.insert(*result, name);
            }
            stages += 1;
            self.stage(op);
        }
        self.text
    }

    /// A line of a stage.
    fn stage(&mut self, op: Op) {
        let results: Vec<String> = (op.results().iter())
            .map(|it| format!("{} {}", self.names[it], self.tensor(*it)))
            .collect();
        let _ = write!(self.text, "{}", results.join(", "));
        let Some(compute) = Compute::of(op) else {
            let whole = self.op(op);
            let _ = write!(self.text, " = {whole}; ");
            return;
        };
        let shape = compute.shape();
        let reduce = compute.reduce_extents();
        if let Some(reducer) = op.attr("reducer").filter(|_| !reduce.is_empty()) {
            let extents: Vec<String> = reduce.iter().map(i64::to_string).collect();
            let how = match compute.reducer() {
                Some(reducer) if compute.combiner().is_none() => {
                    format!("{reducer:?}").to_lowercase()
                }
                _ => format!("reduce {reducer}"),
            };
            let _ = write!(self.text, " {how} {}", extents.join(","));
        }
        for (number, axis) in op.body().args().into_iter().enumerate() {
            let name = match number.checked_sub(shape.len()) {
                None => format!("x{number}"),
                Some(number) => format!("r{number}"),
            };
            self.names.insert(axis, name);
        }
        let body = self.block(op.body());
        let _ = write!(self.text, " = {body}");
        if let Some(combiner) = compute.combiner() {
            for (number, argument) in combiner.args().into_iter().enumerate() {
                self.names.insert(argument, format!("c{number}"));
            }
            let identity: Vec<String> =
                compute.identity().iter().map(|it| it.to_string()).collect();
            let combined = self.block(combiner);
            let _ = write!(self.text, " from ({}) by {combined}", identity.join(", "));
        }
        self.text.push_str("; ");
    }

    /// What a block yields; values that are used more than once come first, with a name.
    fn block(&mut self, block: Block) -> String {
        let mut text = String::new();
        for op in block.ops() {
            let is_last = op.result_count() == 0 && op.next().is_none();
            if is_last {
                let values: Vec<String> =
                    op.operands().into_iter().map(|it| self.value(it)).collect();
                text.push_str(&values.join(", "));
                break;
            }
            let uses: usize = op.results().iter().map(|it| it.uses().len()).sum();
            if uses <= 1 && op.result_count() == 1 && op.regions().is_empty()
                || op.is(arith::Constant::NAME)
            {
                continue;
            }
            let written = self.op(op);
            let names: Vec<String> = (op.results().into_iter())
                .map(|result| {
                    let name = format!("v{}", self.shared);
                    self.shared += 1;
                    self.names.insert(result, name.clone());
                    name
                })
                .collect();
            let _ = write!(text, "{} = {written}, ", names.join(", "));
        }
        text
    }

    /// A value: its name, or the op that makes it.
    fn value(&mut self, value: Value) -> String {
        if let Some(name) = self.names.get(&value) {
            return name.clone();
        }
        match value.def() {
            Some(op) => self.op(op),
            None => "?".to_owned(),
        }
    }

    /// An op with its operands.
    fn op(&mut self, op: Op) -> String {
        if op.is(arith::Constant::NAME)
            && let Some(value) = op.attr("value")
        {
            return constant(value);
        }
        let operands: Vec<String> = op.operands().into_iter().map(|it| self.value(it)).collect();
        if op.is(tensor::Extract::NAME)
            && let Some((tensor, subscripts)) = operands.split_first()
        {
            return format!("{tensor}[{}]", subscripts.join(","));
        }
        let name = op.name();
        let short = name.split_once('.').map_or(&name[..], |(_, short)| short);
        let mut text = format!("{short}{}({})", attributes(op), operands.join(", "));
        let operand = op.operands().first().map(|it| it.ty());
        let result = op.results().first().map(|it| it.ty());
        if let Some(ty) = result.filter(|_| operand != result)
            && !ty.is_tensor()
        {
            let _ = write!(text, ":{ty}");
        }
        for region in op.regions() {
            for block in region.blocks() {
                let mut arguments = Vec::new();
                for argument in block.args() {
                    let name = format!("v{}", self.shared);
                    self.shared += 1;
                    arguments.push(format!("{name}:{}", argument.ty()));
                    self.names.insert(argument, name);
                }
                let body = self.block(block);
                let _ = write!(text, "{{{}|{body}}}", arguments.join(", "));
            }
        }
        text
    }

    /// A tensor's type.
    fn tensor(&self, value: Value) -> String {
        let ty = value.ty();
        let mut dims: Vec<String> = ty.shape().iter().map(i64::to_string).collect();
        let batch = self.batch.as_ref();
        if let Some(first) = dims.first_mut()
            && batch.is_some_and(|batch| batch.tensors.contains(&value))
        {
            "n".clone_into(first);
        }
        format!("{}[{}]", ty.element(), dims.join(","))
    }
}

/// A constant; its type where it is not the usual one.
fn constant(value: Attr) -> String {
    let text = value.to_string();
    let (number, ty) = text.split_once(" : ").unwrap_or((&text, ""));
    match (number.parse::<f64>(), ty) {
        (Ok(float), "f32") if number.contains('e') => format!("{float:?}"),
        (_, "index" | "") => number.to_owned(),
        _ => format!("{number}:{ty}"),
    }
}

/// What an op says beside its operands; not what it is called, and not what stands there for schedules.
fn attributes(op: Op) -> String {
    let is_part = |(name, value): &(String, Attr)| {
        let is_name = ["name", "axes", "role"].contains(&&name[..]) || name.contains('.');
        let is_usual = value.to_string() == "#arith.fastmath<none>"
            || value.to_string() == "#arith.overflow<none>";
        !is_name && !is_usual && name != "operandSegmentSizes"
    };
    let attributes: Vec<String> = (op.attrs().into_iter())
        .filter(is_part)
        .map(|(name, value)| {
            let value = value.to_string();
            format!("{name}={}", value.strip_suffix(" : i64").unwrap_or(&value))
        })
        .collect();
    match attributes.is_empty() {
        true => String::new(),
        false => format!("{{{}}}", attributes.join(",")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use relay_dialects::{context, parse};

    /// The key of a function whose body has placeholders: `X` is its argument, `N` its number of samples.
    fn key(body: &str, argument: &str, samples: i64) -> Key {
        let text = format!(
            "func.func @f(%X: tensor<Nx8xf32>) -> tensor<Nx8xf32> {{\n{body}\nreturn %y : tensor<Nx8xf32>\n}}"
        );
        let text = text
            .replace('X', argument)
            .replace('N', &samples.to_string());
        let context = context();
        let module = parse(&context, text.as_bytes(), "key.mlir").expect("the text is a module");
        let function = Op::of_module(&module)
            .lookup("f")
            .expect("it has a function");
        Key::of(function)
    }

    const DOUBLE: &str = "%y = te.compute \"double\" (%i: N, %j: 8) {
        %v = tensor.extract %X[%i, %j] : tensor<Nx8xf32>
        %d = arith.addf %v, %v : f32
        te.yield %d : f32
    } : tensor<Nx8xf32>";

    #[test]
    fn names_are_no_part_of_it() {
        let first = key(DOUBLE, "x", 4);
        let renamed = DOUBLE
            .replace("%i", "%row")
            .replace("\"double\"", "\"twice\"");
        assert_eq!(key(&renamed, "other", 4), first);
        assert_eq!(
            first.text,
            "f32[4,8] -> t0 f32[4,8] = v0 = a0[x0,x1], addf(v0, v0); -> t0"
        );
        let other = DOUBLE.replace("addf", "mulf");
        assert_ne!(key(&other, "x", 4).text, first.text);
    }

    #[test]
    fn samples_that_are_computed_alike_are_a_family() {
        let (four, seven) = (key(DOUBLE, "x", 4), key(DOUBLE, "x", 7));
        assert_ne!(four.text, seven.text);
        let text = |key: Key| key.family.map(|(text, _)| text);
        assert_eq!(text(four), text(seven));
        // The sum over all samples is another one for another number of them.
        let centred = "%s = te.compute \"sum\" (%j: 8) sum (%k: N) {
            %v = tensor.extract %X[%k, %j] : tensor<Nx8xf32>
            te.yield %v : f32
        } : tensor<8xf32>
        %y = te.compute \"centred\" (%i: N, %j: 8) {
            %v = tensor.extract %X[%i, %j] : tensor<Nx8xf32>
            %m = tensor.extract %s[%j] : tensor<8xf32>
            %d = arith.subf %v, %m : f32
            te.yield %d : f32
        } : tensor<Nx8xf32>";
        assert_eq!(key(centred, "x", 4).family, None);
    }
}
