//! Lists of tensors, of both kinds: handles that operators return, and arrays with a value that stands for what was written.

use super::row::{Row, items};
use crate::{
    compose::{gather::few_known, shape::parts},
    graph::{attr::Param, builder::GraphBuilder, error::Result, value::Value},
    tensorflow::{
        item::Item,
        list::{Contents, List},
        node::Node,
        proto::Shape,
        tensor::known_int,
    },
};
use relay_dialects::{
    dim::{self, Dim},
    element::Element,
};

/// The family's rows.
pub const ROWS: &[Row] = &[
    items(&["TensorListReserve"], |n, b| {
        let count = n.size(b, 1)?;
        Ok(vec![new(n, shape_of_input(n, 0)?, count)?])
    }),
    items(&["EmptyTensorList"], |n, _| {
        Ok(vec![new(n, shape_of_input(n, 0)?, Dim::Known(0))?])
    }),
    items(&["TensorListFromTensor"], |n, _| {
        n.attrs.ignore(&["element_dtype", "shape_type"]);
        Ok(vec![Item::List(List::of(n.input(0)?)?)])
    }),
    items(&["TensorListGetItem"], |n, b| read(n, b, 0)),
    items(&["TensorListSetItem"], |n, b| write(n, b, (0, 1, 2))),
    items(&["TensorListStack"], |n, b| {
        n.attrs.ignore(&["element_dtype", "num_elements"]);
        Ok(vec![shaped(n, 1, n.item(0)?.list()?)?.stacked(b)?.into()])
    }),
    items(&["TensorListLength"], |n, b| length(n, b, 0)),
    items(&["TensorListPushBack"], |n, _| {
        n.attrs.ignore(&["element_dtype"]);
        Ok(vec![Item::List(n.item(0)?.list()?.pushed(&n.input(1)?)?)])
    }),
    items(&["TensorListPopBack"], |n, b| {
        n.attrs.ignore(&["element_dtype"]);
        let (rest, last) = shaped(n, 1, n.item(0)?.list()?)?.popped(b)?;
        Ok(vec![Item::List(rest), last.into()])
    }),
    items(&["TensorListGather"], |n, b| {
        n.attrs.ignore(&["element_dtype"]);
        gather(n, b, (0, 1))
    }),
    items(&["TensorListConcat", "TensorListConcatV2"], |n, b| {
        concat(n, b, 0)
    }),
    items(&["TensorArrayV3"], array),
    items(&["TensorArrayReadV3"], |n, b| read(n, b, 2)),
    items(&["TensorArrayWriteV3"], |n, b| write(n, b, (3, 1, 2))),
    items(&["TensorArrayGatherV3"], |n, b| {
        n.attrs.ignore(&["dtype", "element_shape"]);
        gather(n, b, (2, 1))
    }),
    items(&["TensorArrayScatterV3"], scatter),
    items(&["TensorArraySizeV3"], |n, b| length(n, b, 1)),
    items(&["TensorArrayConcatV3"], |n, b| concat(n, b, 1)),
    items(&["TensorArraySplitV3"], split),
    items(&["TensorArrayCloseV3"], |_, _| Ok(Vec::new())),
];

/// The dimensions of a list's tensors as an input says them, if all are known.
fn shape_of_input(n: &Node<'_, '_>, place: usize) -> Result<Option<Vec<Dim>>> {
    let input = n.input(place)?;
    let known = few_known(&input);
    // One number, -1, is a shape of which nothing is known.
    let known = known.filter(|dims| input.rank() == 1 && dims.iter().all(|dim| *dim >= 0));
    Ok(match (known, input.elements()) {
        (Some(dims), _) => Some(dim::dims(&dims)),
        (None, Some(forms)) if input.rank() == 1 => {
            let is_negative = |form: &Dim| form.known().is_some_and(|form| form < 0);
            (!forms.iter().any(is_negative)).then(|| forms.to_vec())
        }
        _ => None,
    })
}

fn new(n: &Node<'_, '_>, dims: Option<Vec<Dim>>, count: Dim) -> Result<Item> {
    n.attrs.ignore(&["shape_type"]);
    let element = n.attrs.element("element_dtype", Element::F32)?;
    Ok(Item::List(List::unset(element, dims, count)))
}

/// A list with the dimensions of its tensors, if an input says them.
fn shaped(n: &Node<'_, '_>, place: usize, list: &List) -> Result<List> {
    let mut list = list.clone();
    if list.dims.is_none() {
        list.dims = shape_of_input(n, place)?;
    }
    Ok(list)
}

fn read(n: &Node<'_, '_>, b: &mut GraphBuilder, list: usize) -> Result<Vec<Item>> {
    n.attrs.ignore(&["dtype", "element_dtype"]);
    let of = n.item(list)?.list()?;
    let of = match list {
        0 => shaped(n, 2, of)?,
        _ => of.clone(),
    };
    Ok(vec![of.get(b, &n.input(1)?)?.into()])
}

fn write(
    n: &Node<'_, '_>,
    b: &mut GraphBuilder,
    (list, index, value): (usize, usize, usize),
) -> Result<Vec<Item>> {
    n.attrs
        .ignore(&["element_dtype", "resize_if_index_out_of_bounds"]);
    let (list, index, value) = (n.item(list)?.list()?, n.input(index)?, n.input(value)?);
    // A list that grows as it is written.
    if let (Contents::Parts(parts), Some(place)) = (&list.contents, known_int(&index))
        && usize::try_from(place) == Ok(parts.len())
    {
        return Ok(vec![Item::List(list.pushed(&value)?)]);
    }
    Ok(vec![Item::List(list.set(b, &index, &value)?)])
}

fn length(n: &Node<'_, '_>, b: &mut GraphBuilder, place: usize) -> Result<Vec<Item>> {
    let count = n.item(place)?.list()?.count()?;
    Ok(vec![b.size(Element::I32, count)?.into()])
}

/// The tensors at some places; all of them in their order are the list itself.
fn gather(
    n: &Node<'_, '_>,
    b: &mut GraphBuilder,
    (list, places): (usize, usize),
) -> Result<Vec<Item>> {
    let (list, places) = (n.item(list)?.list()?, n.input(places)?);
    let all = list.stacked(b)?;
    let known = few_known(&places);
    let is_all = known.is_some_and(|known| {
        let is_own = |(place, number): (usize, &i64)| place as i64 == *number;
        all.dims()[0] == known.len() as i64 && known.iter().enumerate().all(is_own)
    });
    if is_all {
        return Ok(vec![all.into()]);
    }
    Ok(vec![b.taken(&all, &places, 0)?.into()])
}

/// All tensors one after the other along their first axis, and their lengths.
fn concat(n: &Node<'_, '_>, b: &mut GraphBuilder, list: usize) -> Result<Vec<Item>> {
    n.attrs.ignore(&[
        "dtype",
        "element_dtype",
        "element_shape",
        "element_shape_except0",
        "shape_type",
    ]);
    let all = n.item(list)?.list()?.stacked(b)?;
    let [count, length, rest @ ..] = all.dims() else {
        return Err("tensors of rank 0 have no axis to be joined along".into());
    };
    let dims = [&[count.times(*length)?], rest].concat();
    let lengths = b.size(Element::I64, *length)?;
    let lengths = b.broadcast(&lengths, &[*count])?;
    Ok(vec![b.reshape(&all, &dims)?.into(), lengths.into()])
}

/// The dimensions of an array's tensors, if all are known.
fn known_dims(shape: Option<&Shape>) -> Option<Vec<Dim>> {
    let shape = shape.filter(|shape| !shape.is_rank_unknown && !shape.dim.is_empty())?;
    let dims = shape.dim.iter().map(|dim| match dim.size {
        ..0 => None,
        size => Some(Dim::Known(size)),
    });
    dims.collect()
}

/// An array: nothing is read of its handle, and what was written goes from node to node.
fn array(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Item>> {
    n.attrs.ignore(&[
        "clear_after_read",
        "dynamic_size",
        "identical_element_shapes",
        "tensor_array_name",
    ]);
    let element = n.attrs.element("dtype", Element::F32)?;
    let dims = known_dims(n.attrs.shape("element_shape")?);
    let list = List::unset(element, dims, n.size(b, 0)?);
    Ok(vec![Item::Opaque, Item::List(list)])
}

/// Tensors along the first axis of a value, at some places.
fn scatter(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Item>> {
    let (places, value) = (n.input(1)?, n.input(2)?);
    let list = n.item(3)?.list()?;
    let extents = (
        list.count()?,
        *value.dims().first().ok_or("a value of rank 0")?,
    );
    let known = few_known(&places);
    let is_all = known.is_some_and(|known| {
        let mut known = known.iter().enumerate();
        known.all(|(place, number)| place as i64 == *number)
    });
    if is_all && dim::unify(extents.0, extents.1).is_some() {
        return Ok(vec![Item::List(List::of(value)?)]);
    }
    let typed = List {
        dims: Some(value.dims()[1..].to_vec()),
        ..list.clone()
    };
    let rows = typed.stacked(b)?;
    let lists = b.reshape(&places, &[&[Dim::Known(1)], places.dims()].concat())?;
    let attrs = [("mode", Param::Str("update"))];
    let rows = b.op("scatter_nd", &[rows, lists, value], &attrs)?;
    Ok(vec![Item::List(List::of(rows)?)])
}

/// Parts of the first axis of a value, which have equal lengths.
fn split(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Item>> {
    let (value, lengths): (Value, Vec<i64>) = (n.input(1)?, n.known(2)?);
    let list = n.item(3)?.list()?;
    let made = parts(b, &value, 0, &lengths)?;
    Ok(vec![Item::List(List {
        contents: Contents::Parts(made.into_iter().map(Some).collect()),
        ..list.clone()
    })])
}
