//! Features of small kernels, counted by hand.

use super::{features, statements::statements};
use relay_dialects::{context, ir::Op};
use relay_tune::cost::{Features, Row};

/// What something says of the function of a module.
fn of<T>(text: &str, look: impl FnOnce(Op) -> T) -> T {
    crate::register();
    let context = context();
    let module = melior::ir::Module::parse(&context, text).expect("the text is a module");
    let kernel = Op::of_module(&module).lookup("k");
    look(kernel.expect("there is a kernel"))
}

/// A product of 8 x 32 and 32 x 16 numbers: `c` is added to, element by element of a row.
const PRODUCT: &str = "
    func.func @k(%a: memref<8x32xf32>, %b: memref<32x16xf32>, %c: memref<8x16xf32>) {
      tir.for %i = 0 to 8 parallel {
        tir.for %k = 0 to 32 {
          tir.for %j = 0 to 16 vectorized {
            %x = memref.load %a[%i, %k] : memref<8x32xf32>
            %y = memref.load %b[%k, %j] : memref<32x16xf32>
            %z = memref.load %c[%i, %j] : memref<8x16xf32>
            %p = arith.mulf %x, %y : f32
            %s = arith.addf %z, %p : f32
            memref.store %s, %c[%i, %j] : memref<8x16xf32>
          }
        }
      }
      return
    }";

fn product() -> Features {
    of(PRODUCT, |kernel| features(kernel, &[4]))
}

/// Checks sizes, which rows hold as logarithms.
fn check(row: &Row, about: (&str, usize), expected: &[(&str, f64)]) {
    for (name, size) in expected {
        let found = row
            .get(about, name)
            .map(|found| f64::from(found.exp2()) - 1.0);
        let is_near = found.is_some_and(|found| (found - size).abs() <= 1e-4 * size.max(1.0));
        assert!(is_near, "{about:?} {name}: {found:?}, not {size}");
    }
}

#[test]
fn operations_and_loops() {
    let product = product();
    let [row] = &product.stores[..] else {
        panic!("there is one store");
    };
    let steps = 8.0 * 32.0 * 16.0;
    let counts = [
        ("float additions", steps),
        ("float products", steps),
        ("functions", 0.0),
    ];
    check(row, ("operations", 0), &counts);
    let vectors = [("number", 1.0), ("length of the innermost", 16.0)];
    check(row, ("vectors", 0), &vectors);
    assert_eq!(row.get(("vectors", 0), "innermost of elements"), Some(1.0));
    assert_eq!(
        row.get(("parallel loops", 0), "outermost of elements"),
        Some(1.0)
    );
    check(row, ("unrolled loops", 0), &[("number", 0.0)]);
    check(
        row,
        ("loops", 0),
        &[("number", 3.0), ("product of reductions", 32.0)],
    );
}

#[test]
fn buffers_from_the_largest_on() {
    let product = product();
    let row = &product.stores[0];
    // All of b is read for each of 8 rows, which meet 64 bytes of c, 128 of a and b itself meanwhile.
    let b = [
        ("bytes", 4.0 * 4096.0),
        ("different bytes", 2048.0),
        ("lines", 256.0),
        ("different lines", 32.0),
        ("iterations until again", 512.0),
        ("bytes until again", 64.0 + 128.0 + 2048.0),
        ("times again", 8.0),
        ("stride", 1.0),
    ];
    check(row, ("buffer", 0), &b);
    assert_eq!(row.get(("buffer", 0), "is read"), Some(1.0));
    // An element of a is the same for all columns.
    let a = [
        ("different bytes", 1024.0),
        ("iterations until again", 1.0),
        ("times again", 16.0),
        ("stride of the innermost loop", 0.0),
    ];
    check(row, ("buffer", 1), &a);
    // A row of c is added to 32 times, with as much of b and one element of a in between.
    let c = [
        ("bytes", 2.0 * 4.0 * 4096.0),
        ("different bytes", 512.0),
        ("iterations until again", 16.0),
        ("bytes until again", 64.0 + 64.0 + 4.0),
        ("times again", 32.0),
    ];
    check(row, ("buffer", 2), &c);
    assert_eq!(row.get(("buffer", 2), "is read and written"), Some(1.0));
    check(row, ("buffer", 3), &[("bytes", 0.0)]);
}

#[test]
fn intensity_from_one_element_to_all() {
    let product = product();
    let name = "operations for each byte";
    // Two operations for three elements; in the end 8192 for all of the buffers.
    check(&product.stores[0], ("intensity", 0), &[(name, 2.0 / 12.0)]);
    let all = 2.0 * 4096.0 / (2048.0 + 1024.0 + 512.0);
    check(&product.stores[0], ("intensity", 9), &[(name, all)]);
}

#[test]
fn curves_over_caches() {
    let product = product();
    let name = "bytes that go into it";
    let row = &product.kernel;
    // 512 bytes hold the columns of a row: c goes in and out for each row, b again and again, and a once.
    let some = 2.0 * 512.0 + 8.0 * 2048.0 + 1024.0;
    check(row, ("cache of 128 bytes, by 4", 1), &[(name, some)]);
    // 8192 bytes hold all.
    let all = 2.0 * 512.0 + 2048.0 + 1024.0;
    check(row, ("cache of 128 bytes, by 4", 3), &[(name, all)]);
    check(row, ("knob", 0), &[("value", 4.0)]);
    check(row, ("knob", 1), &[("value", 0.0)]);
    check(
        row,
        ("loop from inside", 1),
        &[("length", 32.0), ("bytes", 2240.0)],
    );
    assert_eq!(row.get(("loop from inside", 1), "reduces"), Some(1.0));
}

/// Rows of 3 of every other element of a buffer of 100, and a buffer that each iteration makes anew.
#[test]
fn windows_and_allocations() {
    let text = "
        func.func @k(%a: memref<100xf32>, %b: memref<10xf32>) {
          %c2 = arith.constant 2 : index
          tir.for %i = 0 to 10 {
            %t = tir.alloc_buffer : memref<3xf32, #tir.scope<local>>
            tir.for %j = 0 to 3 {
              %twice = arith.muli %i, %c2 : index
              %at = arith.addi %twice, %j : index
              %x = memref.load %a[%at] : memref<100xf32>
              memref.store %x, %t[%j] : memref<3xf32, #tir.scope<local>>
            }
            %c0 = arith.constant 0 : index
            %y = memref.load %t[%c0] : memref<3xf32, #tir.scope<local>>
            memref.store %y, %b[%i] : memref<10xf32>
          }
          return
        }";
    let found = of(text, |kernel| features(kernel, &[]));
    let [copy, last] = &found.stores[..] else {
        panic!("there are two stores");
    };
    // 0 to 20: two iterations share an element.
    check(copy, ("buffer", 0), &[("different bytes", 4.0 * 21.0)]);
    let allocation = [("bytes", 12.0), ("times", 10.0), ("iterations inside", 3.0)];
    check(copy, ("allocation", 0), &allocation);
    check(last, ("allocation", 0), &[("bytes", 0.0)]);
    check(
        &found.kernel,
        ("kernel", 0),
        &[("bytes of the largest local buffer", 12.0)],
    );
}

#[test]
fn statements_after_unrolling() {
    let kernel = |outer: &str, inner: &str| {
        format!(
            "func.func @k(%a: memref<4x16xf32>) {{
              tir.for %i = 0 to 4 {outer} {{
                tir.for %j = 0 to 16 {inner} {{
                  %x = memref.load %a[%i, %j] : memref<4x16xf32>
                  memref.store %x, %a[%i, %j] : memref<4x16xf32>
                }}
              }}
              return
            }}"
        )
    };
    let count = |outer, inner| of(&kernel(outer, inner), statements);
    // A return, two loops, a load and a store.
    assert_eq!(count("", ""), 5.0);
    assert_eq!(count("", "vectorized"), 5.0);
    assert_eq!(count("unrolled", "vectorized"), 1.0 + 4.0 * 3.0);
    assert_eq!(count("unrolled", "unrolled"), 1.0 + 4.0 * 16.0 * 2.0);
    // What cannot become vectors is written for each lane.
    assert_eq!(count("vectorized", ""), 1.0 + 4.0 * 3.0);
}
