//! The function that looks at the extent that it is given.

use super::{Request, variants::Variant};
use relay_dialects::{
    index::{Predicate, compare},
    ir::{Block, Builder, DYNAMIC, Op, Type, Value, named},
    ops::{arith, func, scf, tensor},
    pass::{PassResult, fail},
    relay::{build::scalar, relation::normalize_axis},
};

/// Makes the function before `main`, with its name. Of the variants, the last one takes any extent.
pub fn build(main: Op, request: &Request, variants: &[Variant]) -> PassResult {
    let Some((any, buckets)) = variants.split_last() else {
        return Ok(());
    };
    let results = any.results();
    for bucket in buckets {
        check(main, request, bucket, &results)?;
    }
    let types: Vec<Type> = any.parameters().iter().map(|value| value.ty()).collect();
    let body = Block::at(main.loc(), &types);
    let kept = main.attrs();
    let mut attrs = named(&kept);
    attrs.retain(|(name, _)| !["sym_name", "function_type"].contains(name));
    let name = main.symbol().unwrap_or_default();
    Builder::before(main).func_of(&name, body, &results, &attrs);
    let b = Builder::at_end(body, main.loc(), main.ctx());
    let (place, dim) = request.inputs[0];
    let at = b.index(dim as i64);
    let input = body.arg(place);
    let dispatcher = Dispatcher {
        request,
        arguments: body.args(),
        extent: tensor::Dim::build(&b, input, at),
        results,
    };
    let values = dispatcher.choose(&b, buckets, any);
    func::Return::build(&b, &values);
    Ok(())
}

/// Checks that what a bucket's function gives can be what the whole gives.
fn check(main: Op, request: &Request, bucket: &Variant, results: &[Type]) -> PassResult {
    let extent = bucket.extent;
    for (number, (ty, wanted)) in bucket.results().into_iter().zip(results).enumerate() {
        let gives = format!(
            "gives {ty} as result {number} for an extent of {extent}, and {wanted} for any"
        );
        let Some(cut) = cut_type(request, ty, *wanted, extent) else {
            return fail(
                main,
                format!(
                    "{gives}: not the extent in dimension {} alone, where padding would be cut off; \
                     affects-output=false leaves results whole",
                    request.axis
                ),
            );
        };
        let is_like = cut.is_tensor() && wanted.is_tensor() && cut.is_compatible(*wanted);
        if cut != *wanted && !is_like {
            return fail(main, gives);
        }
    }
    Ok(())
}

/// The type of a bucket's result when the padding is cut off, which is `wanted` for any extent; `None` if it cannot be.
fn cut_type(request: &Request, ty: Type, wanted: Type, extent: i64) -> Option<Type> {
    // A result whose shape does not depend on the extent has no padding.
    if !request.cuts() || !wanted.is_tensor() || wanted.is_static() {
        return Some(ty);
    }
    let mut shape = ty.shape();
    let dim = normalize_axis(request.axis, shape.len()).ok()?;
    let open = wanted.shape().into_iter().enumerate();
    let mut open = open.filter(|(_, extent)| *extent == DYNAMIC);
    if shape[dim] != extent || open.any(|(other, _)| other != dim) {
        return None;
    }
    shape[dim] = DYNAMIC;
    Some(Type::tensor(&shape, ty.element()))
}

impl Request {
    /// Whether results that have the dimension are cut.
    fn cuts(&self) -> bool {
        self.padding.is_some() && self.affects_output
    }
}

struct Dispatcher<'a> {
    request: &'a Request,
    arguments: Vec<Value>,
    /// The extent that was given.
    extent: Value,
    results: Vec<Type>,
}

impl Dispatcher<'_> {
    /// The results of the first bucket's function that takes the extent, or else of the one for any.
    fn choose(&self, b: &Builder, buckets: &[Variant], any: &Variant) -> Vec<Value> {
        let Some((bucket, rest)) = buckets.split_first() else {
            return self.call(b, any, &self.arguments);
        };
        let predicate = match self.request.padding {
            Some(_) => Predicate::Sle,
            None => Predicate::Eq,
        };
        let limit = b.index(bucket.extent);
        let fits = compare(b, predicate, self.extent, limit);
        let (then, otherwise) = (Block::new(b.ctx, &[]), Block::new(b.ctx, &[]));
        let inside = Builder::at_end(then, b.loc, b.ctx);
        let arguments = self.fitted(&inside, bucket, limit);
        let values = self.call(&inside, bucket, &arguments);
        scf::Yield::build(&inside, &values);
        let inside = Builder::at_end(otherwise, b.loc, b.ctx);
        let values = self.choose(&inside, rest, any);
        scf::Yield::build(&inside, &values);
        scf::If::build(b, &self.results, fits, then, Some(otherwise)).results()
    }

    /// The arguments as a bucket's function takes them.
    fn fitted(&self, b: &Builder, bucket: &Variant, limit: Value) -> Vec<Value> {
        let mut arguments = self.arguments.clone();
        let missing = self.request.padding.map(|padding| {
            let missing = arith::SubI::build(b, limit, self.extent);
            (missing, padding)
        });
        for &(place, dim) in &self.request.inputs {
            let ty = bucket.parameters()[place].ty();
            arguments[place] = match missing {
                Some((missing, padding)) => pad(b, arguments[place], ty, dim, missing, padding),
                None => cast(b, arguments[place], ty),
            };
        }
        arguments
    }

    /// Calls a variant, and gives what the whole gives.
    fn call(&self, b: &Builder, variant: &Variant, arguments: &[Value]) -> Vec<Value> {
        let name = variant.function.symbol().unwrap_or_default();
        let call = b.call(&name, arguments, &variant.results());
        let results = call.results().into_iter().zip(&self.results);
        results
            .map(|(value, wanted)| {
                let (ty, extent) = (value.ty(), variant.extent);
                let cut = cut_type(self.request, ty, *wanted, extent);
                let cut = cut.filter(|cut| *cut != ty && extent != DYNAMIC);
                let value = cut.map_or(value, |ty| self.cut(b, value, ty));
                cast(b, value, *wanted)
            })
            .collect()
    }

    /// The first elements of a value along the dimension: as many as there are in the inputs.
    fn cut(&self, b: &Builder, value: Value, ty: Type) -> Value {
        let sizes = ty.shape();
        let (zeros, ones) = (vec![0; sizes.len()], vec![1; sizes.len()]);
        let extent = [self.extent];
        tensor::ExtractSlice::build(b, ty, value, &[], &extent, &[], &zeros, &sizes, &ones)
    }
}

/// Fills a value up along `dim` with `missing` elements.
fn pad(b: &Builder, value: Value, ty: Type, dim: usize, missing: Value, padding: f64) -> Value {
    let number = scalar(b, ty.element(), padding);
    let number = tensor::Extract::build(b, number, &[]);
    let rank = ty.shape().len();
    let element = Block::at(b.loc, &vec![Type::index(b.ctx); rank]);
    tensor::Yield::build(&Builder::at_end(element, b.loc, b.ctx), number);
    let low = vec![0; rank];
    let mut high = low.clone();
    high[dim] = DYNAMIC;
    tensor::Pad::build(b, ty, value, &[], &[missing], &low, &high, element)
}

fn cast(b: &Builder, value: Value, ty: Type) -> Value {
    match value.ty() == ty {
        true => value,
        false => tensor::Cast::build(b, ty, value),
    }
}
