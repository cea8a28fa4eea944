// Functions as values, data types, matches and references, out of Relay's own text.
// RUN: split-file %s %t
// RUN: relay-translate --from-relay-text %t/closures.relay | relay-opt --infer-type | FileCheck %s --check-prefix=CLOSURES
// RUN: relay-translate --from-relay-text %t/lists.relay | relay-opt --infer-type | FileCheck %s --check-prefix=LISTS
// RUN: relay-translate --from-relay-text %t/later.relay | relay-opt --infer-type | FileCheck %s --check-prefix=LATER
// RUN: relay-translate --from-relay-text %t/cells.relay | relay-opt --infer-type | FileCheck %s --check-prefix=CELLS
// RUN: relay-translate --from-relay-text %t/values.relay | relay-opt --infer-type --verify-each | FileCheck %s --check-prefix=VALUES
// RUN: relay-translate --from-relay-text %t/results.relay -o %t/results.mlir
// RUN: FileCheck %s --check-prefix=RESULTS --input-file %t/results.mlir
// RUN: relay-translate --from-relay-text %S/../../import/prelude/prelude.relay | relay-opt --infer-type --verify-each | FileCheck %s --check-prefix=PRELUDE
// PRELUDE-NOT: incomplete

//--- closures.relay
def @main(%n: int32, %x: float32) {
  let %scale = fn (%y) { %y * %x };
  let %down = fn (%i: int32, %so_far) {
    if (%i < 1) { %so_far } else { %down(%i - 1, %scale(%so_far)) }
  };
  @twice(%down, %n)(1f)
}
def @twice(%f, %i) {
  fn (%y) { %f(%i, %f(%i, %y)) }
}
// CLOSURES-LABEL: func.func @main
// CLOSURES: %[[SCALE:.+]] = relay.fn(%y: tensor<f32>) -> tensor<f32> {
// CLOSURES: relay.multiply %y, %arg1
// CLOSURES: %[[DOWN:.+]] = relay.fn rec %down(%i: tensor<i32>, %so_far: tensor<f32>) -> tensor<f32> {
// CLOSURES: relay.call %[[SCALE]](%so_far)
// CLOSURES: relay.call %down(
// CLOSURES: %[[TWICE:.+]] = relay.global @twice : ((tensor<i32>, tensor<f32>) -> tensor<f32>, tensor<i32>) -> ((tensor<f32>) -> tensor<f32>)
// CLOSURES: %[[BOTH:.+]] = relay.call %[[TWICE]](%[[DOWN]], %arg0)
// CLOSURES: %[[ONE:.+]] = relay.constant dense<1.000000e+00> : tensor<f32>
// CLOSURES: relay.call %[[BOTH]](%[[ONE]])
// CLOSURES-LABEL: func.func @twice
// CLOSURES-SAME: (tensor<i32>, tensor<f32>) -> tensor<f32> {{.*}}, %arg1: tensor<i32> {{.*}}) -> ((tensor<f32>) -> tensor<f32>)

//--- lists.relay
type Shape {
  Circle(float32),
  Box(float32, float32),
}
def @area(%shape: Shape) {
  match (%shape) {
    Circle(%r) => { 3f * %r * %r },
    Box(%w, %h) => { %w * %h },
  }
}
def @main(%shapes: List[Shape]) {
  let %pairs = @zip(@map(@area, %shapes), @map(Circle, @map(@area, %shapes)));
  match (%pairs) {
    Cons((%first, Circle(_)), _) => { %first },
    _ => { 0f },
  }
}
// LISTS: relay.type_def @List ["A"]
// LISTS: relay.type_def @Shape
// LISTS: relay.constructor @Circle [tensor<f32>]
// LISTS: relay.constructor @Box [tensor<f32>, tensor<f32>]
// LISTS-DAG: func.func @map
// LISTS-DAG: func.func @zip
// LISTS-LABEL: func.func @area
// LISTS: relay.match %arg0 : !relay.adt<@Shape> -> tensor<f32>
// LISTS-NEXT: case @Shape::@Circle(%r: tensor<f32>) {
// LISTS-LABEL: func.func @main
// LISTS: relay.global @area : (!relay.adt<@Shape>) -> tensor<f32>
// LISTS: relay.global @map : ((!relay.adt<@Shape>) -> tensor<f32>, !relay.adt<@List, !relay.adt<@Shape>>) -> !relay.adt<@List, tensor<f32>>
// LISTS: relay.fn(%{{.+}}: tensor<f32>) -> !relay.adt<@Shape> {
// LISTS-NEXT: relay.construct @Shape::@Circle(
// LISTS: relay.match %{{.+}} : !relay.adt<@List, tuple<tensor<f32>, !relay.adt<@Shape>>> -> tensor<f32>
// LISTS-NEXT: case @List::@Cons((%first: tensor<f32>, @Shape::@Circle(_)), _) {

//--- later.relay
def @main(%x: Tensor[(2, 3), float32]) { @turned(%x) }
def @turned(%x) { squeeze(reshape(transpose(%x, axes=[1, 0]), newshape=[3, 2, 1]), axis=[2]) }
// LATER-LABEL: func.func @turned(%arg0: tensor<2x3xf32> {{.*}}) -> tensor<3x2xf32>

//--- cells.relay
def @main(%x: float32) {
  let %cell = ref(%x);
  let %add: fn (float32) -> () = fn (%y) { ref_write(%cell, ref_read(%cell) + %y) };
  %add(1f);
  %add(2f);
  ref_read(%cell)
}
// CELLS: %[[CELL:.+]] = relay.ref_create %arg0 : (tensor<f32>) -> !relay.ref<tensor<f32>>
// CELLS: relay.fn(%y: tensor<f32>) -> tuple<> {
// CELLS: relay.ref_read %[[CELL]]
// CELLS: relay.ref_write %[[CELL]]
// CELLS: relay.call
// CELLS: relay.call
// CELLS: relay.ref_read %[[CELL]]

// Constructors, operators and functions without types as values: the types that are declared are theirs. The type parameter of a
// function inside of another hides one of the same name.
//--- values.relay
extern type Handle[A]
def @make[A]() -> fn (A, List[A]) -> List[A] { Cons }
def @same[A]() -> fn (A) -> A { fn [A](%x: A) -> A { %x } }
def @double() -> fn (float32) -> float32 { fn (%x) { %x + %x } }
def @first(%x) -> float32 { %x }
def @main(%x: float32, %h: Handle[float32]) {
  (@foldl(add, 0f, @map(log, @make()(%x, Nil))), @same()(%x), @double()(%x), @first(%x))
}
// VALUES: relay.type_def @Handle ["A"]
// VALUES-LABEL: func.func @make
// VALUES: relay.fn(%{{.+}}: !relay.type_var<"A">, %{{.+}}: !relay.adt<@List, !relay.type_var<"A">>) -> !relay.adt<@List, !relay.type_var<"A">>
// VALUES-LABEL: func.func @same
// VALUES: relay.fn(%x: !relay.type_var<"A_1">) -> !relay.type_var<"A_1"> attributes {relay.type_params = ["A_1"]}
// VALUES-LABEL: func.func @double
// VALUES: relay.fn(%x: tensor<f32>) -> tensor<f32>
// VALUES-LABEL: func.func @first(%arg0: tensor<f32>
// VALUES-LABEL: func.func @main
// VALUES: relay.fn(%[[A:.+]]: tensor<f32>, %[[B:.+]]: tensor<f32>) -> tensor<f32> {
// VALUES-NEXT: relay.add %[[A]], %[[B]]
// VALUES: relay.fn(%[[A:.+]]: tensor<f32>) -> tensor<f32> {
// VALUES-NEXT: relay.log %[[A]]

// A result may be declared to have open dimensions that are known. Calls of compiled functions are calls, and nothing has to be
// said about the ends of values.
//--- results.relay
def @main(%a: Tensor[(5, 7), float32]) -> Tensor[(?, ?), float32] {
  %0 = (%a, %a);
  let %x = call_lowered(@sum, %0);
  let %_ = memory.kill(%a);
  @sum(%x, %x)
}
def @sum(%x: Tensor[(5, 7), float32], %y: Tensor[(5, 7), float32], Extern=1) -> Tensor[(?, ?), float32] {
  add(%x, %y)
}
// RESULTS-LABEL: func.func @main
// RESULTS: %[[SUM:.+]] = relay.global @sum
// RESULTS: %[[X:.+]] = relay.call %[[SUM]](%arg0, %arg0)
// RESULTS: relay.call %{{.+}}(%[[X]], %[[X]])
// RESULTS-LABEL: func.func @sum
// RESULTS-SAME: -> tensor<5x7xf32>
