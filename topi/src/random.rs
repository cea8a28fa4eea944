//! Random numbers of Threefry keys: a word follows from the key and its number, so that threads share the words.
//!
//! The words are those of TVM: 20 rounds, before each four of which a part of the key is added (Salmon et al., Parallel random numbers: as
//! easy as 1, 2, 3, 2011), and keys that split (Claessen and Palka, Splittable pseudorandom number generators using cryptographic hashing, 2013).

use crate::{
    Compute, Expression,
    program::{flat, load, local, repeat, share, store, when},
    scalar::{self, Comparison, compare},
    transform::flatten,
};
use relay_dialects::{
    Element,
    dim::{self, Dim},
    index::{self, Predicate},
    ir::{Builder, Type, Value},
    ops::math,
    relay::ops::random::KEY_WORDS,
    te::build,
    tir::{AllocBuffer, Scope},
};
use std::f64::consts::TAU;

/// The family's rows.
pub const ROWS: &[(&str, Compute)] = &[
    ("random.threefry_generate", generate),
    ("random.threefry_split", split),
    ("random.uniform", uniform),
    ("random.normal", normal),
    ("random.multinomial", multinomial),
];

/// The words that are hashed together.
const WORDS: usize = 4;

/// By how many bits the second word of each pair is turned, in each of eight rounds (Ferguson et al., The Skein hash function family, 2010).
const TURNS: [[i64; 2]; 8] = [
    [14, 16],
    [52, 57],
    [23, 40],
    [5, 37],
    [25, 33],
    [46, 12],
    [58, 22],
    [32, 32],
];

/// What the last word of a key is combined with.
const PARITY: i64 = 0x1BD1_1BDA_A9FC_1A22;

/// The rounds between two parts of the key, and how often a part is added.
const ROUNDS: usize = 4;
const PARTS: usize = 5;

/// The bits of a word.
const BITS: i64 = 64;

/// The first bit of a word, and the second one.
const FIRST: i64 = i64::MIN;
const SECOND: i64 = 1 << 62;

/// The words of a key: four of the Threefry key, two of the path, two of the counter, two of the place in the path.
type Key = [Value; KEY_WORDS as usize];

fn word(b: &Builder) -> Type {
    Element::U64.ty(b.ctx)
}

fn constant(b: &Builder, number: i64) -> Value {
    b.int_constant(word(b), number)
}

/// Four words that a key makes of four others.
fn hash(b: &Builder, key: &[Value], words: [Value; WORDS]) -> [Value; WORDS] {
    let parity = key
        .iter()
        .fold(constant(b, PARITY), |all, part| scalar::xor(b, all, *part));
    let key = [key, &[parity]].concat();
    let mut words = words;
    for part in 0..PARTS {
        for (at, word) in words.iter_mut().enumerate() {
            *word = scalar::add(b, *word, key[(part + at) % key.len()]);
        }
        words[WORDS - 1] = scalar::add(b, words[WORDS - 1], constant(b, part as i64));
        for round in 0..ROUNDS {
            let turns = TURNS[(part * ROUNDS + round) % TURNS.len()];
            let [x0, y0] = mixed(b, [words[0], words[1]], turns[0]);
            let [x1, y1] = mixed(b, [words[2], words[3]], turns[1]);
            words = [x0, y1, x1, y0];
        }
    }
    words
}

/// The sum of two words, and the second one turned and combined with it.
fn mixed(b: &Builder, [x, y]: [Value; 2], turn: i64) -> [Value; 2] {
    let sum = scalar::add(b, x, y);
    let left = scalar::shift_left(b, y, constant(b, turn));
    let right = scalar::shift_right(b, y, constant(b, BITS - turn));
    [sum, scalar::xor(b, scalar::or(b, left, right), sum)]
}

fn equals(b: &Builder, value: Value, number: i64) -> Value {
    compare(b, Comparison::Equal, value, constant(b, number))
}

/// The next place in a path: two words of which one bit is set, moved one bit on.
fn next_place(b: &Builder, [high, low]: [Value; 2]) -> [Value; 2] {
    let (zero, one) = (constant(b, 0), constant(b, 1));
    let moved = [high, low].map(|word| scalar::shift_right(b, word, one));
    let (is_zero, is_one) = (equals(b, high, 0), equals(b, high, 1));
    let behind = b.select(is_one, constant(b, FIRST), zero);
    [
        b.select(is_one, zero, moved[0]),
        b.select(is_zero, moved[1], behind),
    ]
}

/// Of two keys, the first where a condition holds.
fn chosen(b: &Builder, condition: Value, one: Key, other: Key) -> Key {
    std::array::from_fn(|at| b.select(condition, one[at], other[at]))
}

/// Whether the path of a key has no place left.
fn is_full(b: &Builder, key: &Key) -> Value {
    scalar::and(b, equals(b, key[8], 0), equals(b, key[9], 0))
}

/// A key with a step more in its path.
fn stepped(b: &Builder, key: &Key) -> Key {
    let [high, low] = next_place(b, [key[8], key[9]]);
    let path = [0, 1].map(|at| scalar::or(b, key[4 + at], key[8 + at]));
    [
        key[0], key[1], key[2], key[3], path[0], path[1], key[6], key[7], high, low,
    ]
}

/// A key of four words, with an empty path.
fn fresh(b: &Builder, words: [Value; WORDS], path: i64, place: i64) -> Key {
    let zero = constant(b, 0);
    let [path, place] = [path, place].map(|number| constant(b, number));
    let [w0, w1, w2, w3] = words;
    [w0, w1, w2, w3, path, zero, zero, zero, place, zero]
}

/// A key with room for `count` numbers in its counter.
fn with_room(b: &Builder, key: Key, count: i64) -> Key {
    let end = constant(b, -1 - count);
    let has_room = compare(b, Comparison::Less, key[7], end);
    let ones = [constant(b, -1); WORDS];
    let renewed = fresh(b, hash(b, &key[..WORDS], ones), 0, FIRST);
    let mut next = stepped(b, &key);
    (next[6], next[7]) = (constant(b, 0), constant(b, 0));
    let other = chosen(b, is_full(b, &key), renewed, next);
    chosen(b, has_room, key, other)
}

fn read_key(b: &Builder, buffer: Value) -> Key {
    std::array::from_fn(|at| load(b, buffer, &[b.index(at as i64)]))
}

fn write_key(b: &Builder, key: &Key, buffer: Value) {
    for (at, word) in key.iter().enumerate() {
        store(b, *word, buffer, &[b.index(at as i64)]);
    }
}

/// The next key, and so many numbers of the given type: what `number` makes of words.
fn numbers(
    e: &Expression<'_>,
    count: i64,
    ty: Type,
    number: impl Fn(&Builder, Value) -> Value,
) -> [Value; 2] {
    let words = WORDS as i64;
    let (whole, rest) = (count / words, count % words);
    let key = Type::tensor(&[KEY_WORDS], word(e.b));
    let types = [key, Type::tensor(&[count], ty)];
    let write = |b: &Builder, read: &[Value], filled: &[Value]| {
        let (next, result) = (filled[0], filled[1]);
        let key = with_room(b, read_key(b, read[0]), count);
        let state = Type::memref(&[KEY_WORDS], word(b));
        let state = AllocBuffer::build(b, state, Scope::Global, "state");
        write_key(b, &key, state);
        let block = |b: &Builder, counter: [Value; WORDS], first: Value, count: i64| {
            let key = read_key(b, state);
            let made = hash(b, &key[..WORDS], counter);
            for (at, word) in made.into_iter().enumerate().take(count as usize) {
                let place = index::add(b, first, b.index(at as i64));
                store(b, number(b, word), result, &[place]);
            }
        };
        if whole > 0 {
            share(b, whole, |b, at| {
                let step = scalar::from_index(b, at, word(b));
                let key = read_key(b, state);
                let counter = [4, 5, 6, 7].map(|part| scalar::add(b, key[part], step));
                block(b, counter, index::scale(b, at, words), words);
            });
        }
        // Those that are left come of four words, too.
        let used = scalar::add(b, key[7], constant(b, whole * words));
        if rest > 0 {
            let counter = [key[4], key[5], key[6], used];
            block(b, counter, b.index(whole * words), rest);
        }
        let last = if rest > 0 { words } else { 0 };
        let mut key = key;
        (key[6], key[7]) = (constant(b, 0), scalar::add(b, used, constant(b, last)));
        write_key(b, &key, next);
    };
    let made = build::program(e.b, &e.name(), &e.inputs[..1], &types, write);
    [made[0], made[1]]
}

fn generate(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let ty = e.op.result(1).ty();
    let shape = ty.dims();
    let count = known_count(&shape)?;
    let [key, words] = numbers(e, count, ty.element(), |_, word| word);
    let random = build::compute(e.b, "words", &shape, ty.element(), |b, at| {
        build::read(b, words, &[flatten(b, at, &shape)])
    });
    Ok(vec![key, random])
}

/// The number of elements of a shape.
fn known_count(shape: &[Dim]) -> Result<i64, String> {
    let count = dim::product(shape)?.known();
    count.ok_or_else(|| "draws as many numbers as an open dimension says".into())
}

fn split(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let types: Vec<Type> = e.op.results().iter().map(|value| value.ty()).collect();
    let write = |b: &Builder, read: &[Value], filled: &[Value]| {
        let key = read_key(b, read[0]);
        let words = hash(b, &key[..WORDS], [key[4], key[5], key[6], key[7]]);
        let right = stepped(b, &key);
        let mut left = key;
        (left[8], left[9]) = (right[8], right[9]);
        let is_full = is_full(b, &key);
        let left = chosen(b, is_full, fresh(b, words, 0, SECOND), left);
        let right = chosen(b, is_full, fresh(b, words, FIRST, SECOND), right);
        write_key(b, &left, filled[0]);
        write_key(b, &right, filled[1]);
    };
    Ok(build::program(e.b, &e.name(), e.inputs, &types, write))
}

/// How a float from 1 to before 2 is made of a word: the bits of the word's type, those behind the point, and the exponent.
fn layout_of(ty: Type) -> (Element, i64, i64) {
    match ty.bit_width() {
        32 => (Element::U32, 23, 127),
        _ => (Element::U64, 52, 1023),
    }
}

/// So many numbers from 0 to before 1.
fn fractions(e: &Expression<'_>, count: i64, ty: Type) -> [Value; 2] {
    let (holder, behind, exponent) = layout_of(ty);
    numbers(e, count, ty, |b, word| {
        let holder = holder.ty(b.ctx);
        let bits = scalar::cast(b, word, holder);
        let dropped = b.int_constant(holder, i64::from(holder.bit_width()) - behind);
        let fraction = scalar::shift_right(b, bits, dropped);
        let bits = scalar::or(b, fraction, b.int_constant(holder, exponent << behind));
        let number = scalar::reinterpret(b, bits, ty);
        scalar::sub(b, number, b.constant(ty, 1.0))
    })
}

fn uniform(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let ty = e.op.result(1).ty();
    let (shape, element) = (ty.dims(), ty.element());
    let [key, fractions] = fractions(e, known_count(&shape)?, element);
    let random = build::compute(e.b, "uniform", &shape, element, |b, at| {
        let place = flatten(b, at, &shape);
        let fraction = build::read(b, fractions, &[place]);
        let [low, high] = [1, 2].map(|operand| build::read(b, e.inputs[operand], &[]));
        scalar::add(b, scalar::mul(b, fraction, scalar::sub(b, high, low)), low)
    });
    Ok(vec![key, random])
}

fn normal(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let ty = e.op.result(1).ty();
    let (shape, element) = (ty.dims(), ty.element());
    let count = known_count(&shape)?;
    let [key, fractions] = fractions(e, count.saturating_mul(2), element);
    let random = build::compute(e.b, "normal", &shape, element, |b, at| {
        let place = flatten(b, at, &shape);
        let places = [place, index::add(b, place, b.index(count))];
        let [u, v] = places.map(|place| build::read(b, fractions, &[place]));
        let [mean, scale] = [1, 2].map(|operand| build::read(b, e.inputs[operand], &[]));
        let log = math::Log::build(b, scalar::sub(b, b.constant(element, 1.0), u));
        let radius = math::Sqrt::build(b, scalar::mul(b, log, b.constant(element, -2.0)));
        let sine = math::Sin::build(b, scalar::mul(b, v, b.constant(element, TAU)));
        let number = scalar::mul(b, radius, sine);
        scalar::add(b, scalar::mul(b, number, scale), mean)
    });
    Ok(vec![key, random])
}

fn multinomial(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let ty = e.op.result(1).ty();
    let (shape, probs) = (ty.dims(), e.dims(1));
    let single = Type::f32(e.b.ctx);
    let count = known_count(&shape)?;
    let [key, fractions] = fractions(e, count, single);
    if count == 0 {
        return Ok([&[key], &e.zeros(&[ty])[..]].concat());
    }
    let (classes, samples) = (probs[probs.len() - 1], shape[shape.len() - 1]);
    let all = dim::product(&probs)?;
    let write = |b: &Builder, read: &[Value], filled: &[Value]| {
        let probs = flat(b, read[0], all);
        let result = flat(b, filled[0], Dim::Known(count));
        share(b, count, |b, number| {
            let line = index::scale(b, index::div(b, number, samples), classes);
            let read_class = |b: &Builder, class: Value| {
                let x = load(b, probs, &[index::add(b, line, class)]);
                let x = scalar::cast(b, x, single);
                scalar::max(b, x, b.constant(single, 0.0))
            };
            let sums = local(b, Dim::Known(2), single, "sums");
            let [total, up_to] = [b.index(0), b.index(1)];
            for sum in [total, up_to] {
                store(b, b.constant(single, 0.0), sums, &[sum]);
            }
            repeat(b, classes, |b, class| {
                let sum = scalar::add(b, load(b, sums, &[total]), read_class(b, class));
                store(b, sum, sums, &[total]);
            });
            let found = local(b, Dim::Known(1), Type::index(b.ctx), "found");
            store(b, b.index(-1), found, &[b.index(0)]);
            let fraction = load(b, read[1], &[number]);
            repeat(b, classes, |b, class| {
                let share = scalar::div(b, read_class(b, class), load(b, sums, &[total]));
                let sum = scalar::add(b, load(b, sums, &[up_to]), share);
                store(b, sum, sums, &[up_to]);
                let before = load(b, found, &[b.index(0)]);
                let is_open = index::compare(b, Predicate::Slt, before, b.index(0));
                let is_above = compare(b, Comparison::Greater, sum, fraction);
                when(b, scalar::and(b, is_open, is_above), |b| {
                    store(b, class, found, &[b.index(0)]);
                });
            });
            let class = index::max(b, load(b, found, &[b.index(0)]), 0);
            store(
                b,
                scalar::from_index(b, class, ty.element()),
                result,
                &[number],
            );
        });
    };
    let inputs = [e.inputs[1], fractions];
    let made = build::program(e.b, "samples", &inputs, &[ty], write);
    Ok(vec![key, made[0]])
}
