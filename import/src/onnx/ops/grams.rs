//! TfIdfVectorizer: how often sequences of numbers occur.

use super::{
    reduce::along,
    row::{Row, row},
    select::strided_slice,
    steps::joined,
};
use crate::{
    graph::{
        builder::GraphBuilder,
        constant::{Const, Numbers},
        error::Result,
        value::Value,
    },
    onnx::node::Node,
};
use relay_dialects::{dim::Dim, element::Element};

/// The family's row.
pub const ROWS: &[Row] = &[row("TfIdfVectorizer", 9, count_grams)];

/// The n-grams of a node: sequences of numbers.
struct Grams {
    /// Those of each length that occurs, one after the other: the length, and the numbers.
    of_lengths: Vec<(usize, Vec<i64>)>,
    /// The place of each in the result.
    places: Vec<i64>,
    /// How many numbers are left out between two numbers of an n-gram, at most.
    most_skipped: i64,
}

impl Grams {
    fn read(n: &Node<'_>) -> Result<Self> {
        if n.attr_strings("pool_strings")?.is_some() {
            return Err("its n-grams are of strings; only those of numbers are supported".into());
        }
        let list = |name: &str| -> Result<Vec<i64>> {
            n.attr_ints(name)?
                .ok_or_else(|| format!("attribute '{name}' is missing"))
        };
        let (pool, starts) = (list("pool_int64s")?, list("ngram_counts")?);
        let places = list("ngram_indexes")?;
        let shortest = n.required_i64("min_gram_length")?;
        let longest = n.required_i64("max_gram_length")?;
        let most_skipped = n.required_i64("max_skip_count")?;
        if shortest < 1 || longest < shortest || (starts.len() as i64) < longest || most_skipped < 0
        {
            return Err(format!(
                "n-grams of {shortest} to {longest} numbers with {most_skipped} between them do not fit {} starts",
                starts.len()
            ));
        }
        let (mut of_lengths, mut kept, mut seen) = (Vec::new(), Vec::new(), 0);
        for (index, &start) in starts.iter().enumerate() {
            let end = starts.get(index + 1).copied().unwrap_or(pool.len() as i64);
            let numbers = usize::try_from(start)
                .ok()
                .zip(usize::try_from(end).ok())
                .and_then(|(start, end)| pool.get(start..end))
                .filter(|numbers| numbers.len() % (index + 1) == 0)
                .ok_or_else(|| format!("attribute 'ngram_counts' is {starts:?}"))?;
            let count = numbers.len() / (index + 1);
            let of_these = places
                .get(seen..seen + count)
                .ok_or("attribute 'ngram_indexes' has too few numbers")?;
            seen += count;
            let is_wanted = (shortest..=longest).contains(&(index as i64 + 1));
            if is_wanted && count > 0 {
                kept.extend_from_slice(of_these);
                of_lengths.push((index + 1, numbers.to_vec()));
            }
        }
        let places = columns_of(&places, &kept)?;
        Ok(Self {
            of_lengths,
            places,
            most_skipped,
        })
    }
}

/// The column of the result where each n-gram that counts is; those that do not count are behind the last of these, where all is 0.
fn columns_of(places: &[i64], kept: &[i64]) -> Result<Vec<i64>> {
    let columns = places.iter().max().map_or(0, |most| most.saturating_add(1));
    let mut is_taken = vec![false; places.len()];
    for &place in places {
        let taken = usize::try_from(place)
            .ok()
            .and_then(|at| is_taken.get_mut(at));
        match taken {
            Some(taken) if !*taken => *taken = true,
            _ => {
                return Err(format!(
                    "attribute 'ngram_indexes' has {place}: it has to number {} n-grams from 0 on",
                    places.len()
                ));
            }
        }
    }
    let mut from = vec![kept.len() as i64; columns as usize];
    for (at, &place) in kept.iter().enumerate() {
        from[place as usize] = at as i64;
    }
    Ok(from)
}

/// How often each n-gram is in a row, [rows, n-grams]: in the numbers at equal distances from each other.
fn occurrences(
    b: &mut GraphBuilder,
    rows: &Value,
    (length, numbers): (usize, &[i64]),
    most_skipped: i64,
) -> Result<Value> {
    let (samples, columns) = (rows.dims()[0], rows.extent(1)?);
    let count = (numbers.len() / length) as i64;
    let mut all = b.full(Element::F32, &[samples, Dim::Known(count)], 0.0)?;
    // A single number has no others at a distance.
    let most = if length == 1 { 0 } else { most_skipped };
    for distance in 1..=most.min(columns) + 1 {
        let places = columns - (length as i64 - 1) * distance;
        if places < 1 {
            break;
        }
        let mut are_equal: Option<Value> = None;
        for at in 0..length {
            let of_grams: Vec<i64> = numbers.iter().skip(at).step_by(length).copied().collect();
            let of_grams = b.known(Const::ints(&of_grams));
            let first = at as i64 * distance;
            let part = strided_slice(b, rows, &[(1, first, first + places, 1)])?;
            let part = b.reshape(&part, &[samples, Dim::Known(places), Dim::Known(1)])?;
            let is_equal = b.binary("equal", &part, &of_grams)?;
            are_equal = Some(match are_equal {
                Some(before) => b.binary("logical_and", &before, &is_equal)?,
                None => is_equal,
            });
        }
        let are_equal = are_equal.ok_or("an n-gram has no numbers")?;
        let ones = b.cast(&are_equal, Element::F32)?;
        let found = along(b, "sum", &ones, (&[1], false))?;
        all = b.binary("add", &all, &found)?;
    }
    Ok(all)
}

fn count_grams(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(1)?;
    let x = n.input(0)?;
    let grams = Grams::read(n)?;
    let (rows, shape) = match *x.dims() {
        [columns] => (b.reshape(&x, &[Dim::Known(1), columns])?, vec![]),
        [samples, _] => (x.clone(), vec![samples]),
        _ => return Err(format!("the input has rank {}, expected 1 or 2", x.rank())),
    };
    let rows = b.cast(&rows, Element::I64)?;
    let mut found = Vec::new();
    for (length, numbers) in &grams.of_lengths {
        found.push(occurrences(
            b,
            &rows,
            (*length, numbers),
            grams.most_skipped,
        )?);
    }
    found.push(b.full(Element::F32, &[rows.dims()[0], Dim::Known(1)], 0.0)?);
    let found = joined(b, found, 1)?;
    let places = b.known(Const::ints(&grams.places));
    let counts = b.taken(&found, &places, 1)?;
    let result = weighted(n, b, &counts, grams.places.len())?;
    let shape = [&shape[..], &[Dim::Known(grams.places.len() as i64)]].concat();
    Ok(vec![b.reshape(&result, &shape)?])
}

/// The counts, or whether there are any, with the weights of the node.
fn weighted(n: &Node<'_>, b: &mut GraphBuilder, counts: &Value, columns: usize) -> Result<Value> {
    let weights = match n.attr_floats("weights")? {
        Some(weights) if weights.len() != columns => {
            return Err(format!(
                "attribute 'weights' has {} numbers, expected {columns}",
                weights.len()
            ));
        }
        Some(weights) => {
            let numbers = Numbers::Floats(weights.into_iter().map(f64::from).collect());
            Some(b.known(Const::new(Element::F32, vec![columns as i64], &numbers)))
        }
        None => None,
    };
    let (is_capped, weights) = match n.attr_str_or("mode", "")?.as_str() {
        "TF" => return Ok(counts.clone()),
        "IDF" => (true, weights),
        "TFIDF" => (false, weights),
        other => {
            return Err(format!(
                "attribute 'mode' is '{other}', expected TF, IDF or TFIDF"
            ));
        }
    };
    let counts = match is_capped {
        true => b.with_scalar("minimum", counts, 1.0)?,
        false => counts.clone(),
    };
    match weights {
        Some(weights) => b.binary("multiply", &counts, &weights),
        None => Ok(counts),
    }
}
