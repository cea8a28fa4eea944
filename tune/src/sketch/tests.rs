//! Spaces of small functions.

use super::{
    Choice, Form, Place, Sketch, Space, State, Wanted,
    rules::{Condition, Context, Rule},
    wanted::{DataAxis, Outer, Partial, ReduceAxis, Spot, Tiles},
};
use fastrand::Rng;
use relay_dialects::{context, ir::Op, parse};
use relay_topi::Machine;

/// A product and what follows it element by element.
const PRODUCT: &str = r#"
func.func @f(%a: tensor<64x96xf32>, %b: tensor<96x80xf32>) -> tensor<64x80xf32> {
  %product = te.compute "product" (%i: 64, %j: 80) sum (%k: 96) {
    %x = tensor.extract %a[%i, %k] : tensor<64x96xf32>
    %y = tensor.extract %b[%k, %j] : tensor<96x80xf32>
    %z = arith.mulf %x, %y : f32
    te.yield %z : f32
  } : tensor<64x80xf32>
  %twice = te.compute "twice" (%i: 64, %j: 80) {
    %x = tensor.extract %product[%i, %j] : tensor<64x80xf32>
    %y = arith.addf %x, %x : f32
    te.yield %y : f32
  } : tensor<64x80xf32>
  return %twice : tensor<64x80xf32>
}
"#;

/// Rows divided by their sums.
const ROWS: &str = r#"
func.func @f(%a: tensor<40x100xf32>) -> tensor<40x100xf32> {
  %sum = te.compute "sum" (%i: 40) sum (%k: 100) {
    %x = tensor.extract %a[%i, %k] : tensor<40x100xf32>
    te.yield %x : f32
  } : tensor<40xf32>
  %share = te.compute "share" (%i: 40, %j: 100) {
    %x = tensor.extract %a[%i, %j] : tensor<40x100xf32>
    %y = tensor.extract %sum[%i] : tensor<40xf32>
    %z = arith.divf %x, %y : f32
    te.yield %z : f32
  } : tensor<40x100xf32>
  return %share : tensor<40x100xf32>
}
"#;

/// What a function of a module is asked about.
fn with<T>(text: &str, ask: impl FnOnce(Op) -> T) -> T {
    let context = context();
    let module = parse(&context, text.as_bytes(), "test.mlir");
    let module = module.expect("the test's function is one");
    ask(Op::of_module(&module).functions()[0])
}

fn space(text: &str) -> Space {
    let found = with(text, |func| Space::of(func, Machine::new(512)));
    found.expect("the test's function holds computes")
}

/// States that a seed leads to, each made of the one before.
fn states(space: &Space, seed: u64) -> Vec<State> {
    let mut random = Rng::with_seed(seed);
    let mut states = vec![space.sample(&mut random), space.sample(&mut random)];
    for _ in 0..50 {
        let last = &states[states.len() - 1];
        let next = space.mutate(last, &mut random);
        let mixed = space.crossover(last, &states[0], &mut random);
        states.extend(next);
        states.extend(mixed);
    }
    states
}

#[test]
fn the_same_seed_gives_the_same_states() {
    for text in [PRODUCT, ROWS] {
        let (space, again) = (self::space(text), self::space(text));
        assert_eq!(states(&space, 7), states(&again, 7));
        assert_ne!(states(&space, 7), states(&space, 8));
    }
}

#[test]
fn what_mutations_and_crossovers_make_differs_and_is_legal() {
    for text in [PRODUCT, ROWS] {
        let space = space(text);
        let mut random = Rng::with_seed(1);
        for _ in 0..200 {
            let (a, b) = (space.sample(&mut random), space.sample(&mut random));
            let mutated = space.mutate(&a, &mut random);
            let mutated = mutated.expect("there is something to change");
            assert_ne!(a, mutated);
            let mixed = space.crossover(&a, &b, &mut random);
            assert!(
                mixed
                    .as_ref()
                    .is_none_or(|mixed| *mixed != a && *mixed != b)
            );
            for state in [a, b, mutated].iter().chain(&mixed) {
                assert_eq!(space.check(state), Ok(()), "{state}");
            }
        }
    }
}

#[test]
fn states_are_the_same_from_text() {
    let space = space(ROWS);
    for state in states(&space, 3) {
        let text = serde_json::to_string(&state).expect("a state is plain data");
        let read: State = serde_json::from_str(&text).expect("it was written as one");
        assert_eq!(state, read);
    }
}

#[test]
fn sketches_follow_from_the_computes() {
    assert_eq!(space(PRODUCT).sketches(), 1);
    assert_eq!(space(ROWS).sketches(), 1);
    // What is summed lies together in both operands: in tiles, or in partial sums.
    let rows_by_rows = PRODUCT.replace(
        "%b[%k, %j] : tensor<96x80xf32>",
        "%b[%j, %k] : tensor<80x96xf32>",
    );
    let rows_by_rows = rows_by_rows.replace("%b: tensor<96x80xf32>", "%b: tensor<80x96xf32>");
    assert_eq!(space(&rows_by_rows).sketches(), 2);
}

/// Nothing is tiled.
struct NoTiles;

impl Rule for NoTiles {
    fn condition(&self, context: Context<'_>, _: &Sketch, stage: usize) -> Condition {
        match context.graph.stages[stage].reduces() {
            true => Condition::ApplyAlone,
            false => Condition::Skip,
        }
    }

    fn apply(&self, _: Context<'_>, sketch: &Sketch, stage: usize) -> Vec<Sketch> {
        vec![sketch.with(stage, Form::Plain)]
    }
}

#[test]
fn rules_of_others_come_first() {
    let rules: [Box<dyn Rule>; 1] = [Box::new(NoTiles)];
    let found = with(PRODUCT, |func| {
        Space::with_rules(func, Machine::new(512), &rules)
    });
    let space = found.expect("the test's function holds computes");
    let forms: Vec<&[Form]> = space
        .sketches
        .iter()
        .map(|sketch| &sketch.forms[..])
        .collect();
    assert_eq!(forms, [[Form::Plain, Form::Plain]]);
}

#[test]
fn functions_without_computes_have_no_space() {
    let text = "func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {\n return %a : tensor<4xf32>\n}";
    assert!(with(text, |func| Space::of(func, Machine::new(512))).is_none());
}

/// Tiles of [`PRODUCT`].
fn tiles(rows: [i64; 3], columns: [i64; 3], inner: i64) -> Wanted {
    let data = |extent, sizes| DataAxis { extent, sizes };
    let outer = |axis| Outer { axis, level: 0 };
    let tiles = Tiles {
        data: vec![data(64, rows), data(80, columns)],
        reduce: vec![ReduceAxis { extent: 96, inner }],
        order: vec![1, 0],
        inner: vec![0, 1],
        shared: vec![outer(1), outer(0)],
        unroll: 64,
        producers: vec![],
    };
    Wanted {
        tiles: Some(tiles),
        partials: vec![],
    }
}

/// How the state nearest to a schedule of others is written.
fn near(text: &str, wanted: &Wanted) -> Option<String> {
    let state = space(text).near(wanted, &|_| true)?;
    Some(state.to_string())
}

#[test]
fn the_nearest_state_has_the_tiles_that_are_wanted() {
    let state = near(PRODUCT, &tiles([2, 1, 4], [1, 5, 16], 4));
    let expected = "tile 2x1x4,1x5x16 reduce=4 order=1,0/0,1 parallel=1 lanes=16 unroll=1";
    assert_eq!(state, Some(format!("sketch 0; 0: {expected}")));
    // Registers hold 30 vectors; the rest waits in the next level.
    let state = near(PRODUCT, &tiles([1, 1, 32], [1, 1, 80], 1));
    let expected = "tile 1x8x4,1x1x80";
    assert!(
        state.is_some_and(|state| state.contains(expected)),
        "too large a tile"
    );
}

#[test]
fn nothing_is_near_to_other_loops() {
    let mut other = tiles([2, 1, 4], [1, 5, 16], 4);
    if let Some(tiles) = &mut other.tiles {
        tiles.reduce[0].extent = 48;
    }
    assert_eq!(near(PRODUCT, &other), None);
    assert_eq!(near(ROWS, &tiles([2, 1, 4], [1, 5, 16], 4)), None);
    let wanted = tiles([2, 1, 4], [1, 5, 16], 4);
    let without_b = |elements| elements != 96 * 80;
    assert_eq!(space(PRODUCT).near(&wanted, &without_b), None);
}

#[test]
fn stages_before_are_computed_where_it_is_wanted() {
    let padded = PRODUCT.replace(
        "  %product",
        r#"  %pad = te.compute "pad" (%i: 64, %k: 96) {
    %x = tensor.extract %a[%i, %k] : tensor<64x96xf32>
    %y = math.exp %x : f32
    te.yield %y : f32
  } : tensor<64x96xf32>
  %product"#,
    );
    let padded = padded.replace(
        "%x = tensor.extract %a[%i, %k] : tensor<64x96xf32>\n    %y = tensor",
        "%x = tensor.extract %pad[%i, %k] : tensor<64x96xf32>\n    %y = tensor",
    );
    let place = |spot: Spot| {
        let mut wanted = tiles([2, 1, 4], [1, 5, 16], 4);
        if let Some(tiles) = &mut wanted.tiles {
            tiles.producers.push(spot);
        }
        let state = space(&padded).near(&wanted, &|_| true)?;
        match &state.choices[0] {
            Choice::Nest(nest) => Some(nest.place),
            _ => None,
        }
    };
    assert_eq!(place(Spot::Root), Some(Place::Root));
    let rows = vec![Outer { axis: 0, level: 0 }];
    let first = place(Spot::In(rows));
    assert!(
        matches!(first, Some(Place::At { stage: 2, .. })),
        "{first:?}"
    );
}

#[test]
fn partial_results_are_wanted() {
    let partial = Partial {
        terms: 100,
        inner: 32,
        by_parts: false,
    };
    let wanted = Wanted {
        tiles: None,
        partials: vec![partial],
    };
    let state = near(ROWS, &wanted).unwrap_or_default();
    assert!(state.contains("factor root lanes=16 sums=2"), "{state}");
}
