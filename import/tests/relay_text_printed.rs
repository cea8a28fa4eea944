//! Texts in the form in which TVM 0.18 prints modules: with types and places in comments, graph bindings, metadata, attributes
//! of functions, and the other marks of its printer. Each of them reads, becomes a module, and says the same when it is printed.

use relay_dialects::{
    attrs::{COMPILER, INLINE, PRIMITIVE},
    ir::Op,
    names::relay,
};
use relay_import::relay_text::{export, import, parse, parse_any};

/// A module with one constant, as TVM writes its metadata.
const NETWORK: &str = r#"#[version = "0.0.5"]
def @main(%data: Tensor[(1, 3, 8, 8), float32] /* ty=Tensor[(1, 3, 8, 8), float32] span=from_string:3:13 */, %conv0/weight {virtual_device=meta[VirtualDevice][0]}: Tensor[(16, 3, 3, 3), float32] /* ty=Tensor[(16, 3, 3, 3), float32] */, executor=meta[Executor][0], runtime=meta[Runtime][0], global_symbol="tvmgen_default", TestAttribute=None, depth=3i64, scale=0.5f, shapes=[[1, 2], []], hash="a1b2", virtual_device=meta[VirtualDevice][1]) -> Tensor[(1, 16, 8, 8), float32] {
  %0 = nn.conv2d(%data, %conv0/weight, padding=[1, 1, 1, 1], channels=16, kernel_size=[3, 3], out_dtype="float32") /* ty=Tensor[(1, 16, 8, 8), float32] span=conv0:0:0 */;
  %1 = multiply(%0, meta[relay.Constant][0] /* ty=Tensor[(2), float32] span=p/*q*/:1:2 */) /* ty=Tensor[(1, 16, 8, 8), float32] */;
  %2 = nn.leaky_relu(%1, alpha=1e-05f) /* ty=Tensor[(1, 16, 8, 8), float32] */;
  %3 = (%2, %2) /* ty=(Tensor[(1, 16, 8, 8), float32], Tensor[(1, 16, 8, 8), float32]) */;
  %4 = %3.0 /* ty=Tensor[(1, 16, 8, 8), float32] */;
  %5 = fn (%p0: Tensor[(1, 16, 8, 8), float32] /* ty=Tensor[(1, 16, 8, 8), float32] */, Composite="dnnl.relu", PartitionedFromPattern="nn.relu_") -> Tensor[(1, 16, 8, 8), float32] {
    nn.relu(%p0) /* ty=Tensor[(1, 16, 8, 8), float32] */
  } /* ty=fn (Tensor[(1, 16, 8, 8), float32]) -> Tensor[(1, 16, 8, 8), float32] */;
  %6 = %5(%4) /* ty=Tensor[(1, 16, 8, 8), float32] */;
  %7 = nn.pad(%6, 0f /* ty=float32 */, pad_width=[[0, 0], [0, 0], [0, 0], [0, 0]]) /* ty=Tensor[(1, 16, 8, 8), float32] */;
  add(%7, 1f /* ty=float32 */) /* ty=Tensor[(1, 16, 8, 8), float32] */
}

"#;

/// The language: data types, of which one has no constructors, matches, references, functions with type parameters.
const LANGUAGE: &str = r#"#[version = "0.0.5"]
type Storage {
  
}

type Tree[A] {
  Rose(A, List[Tree[A]]),
  Empty,
}

type List[A] {
  Cons(A, List[A]),
  Nil,
}

def @depth[A](%tree: Tree[A] /* ty=Tree[A] */, Inline=1) -> int32 {
  match (%tree) {
    Rose(_, %children: List[Tree[A]] /* ty=List[Tree[A]] */) => {
      let %count: fn [B](List[B]) -> int32 = fn [B](%list: List[B] /* ty=List[B] */) -> int32 {
        match? (%list) {
          Cons(_, %rest) => {
            %0 = %count(%rest) /* ty=int32 */;
            add(1 /* ty=int32 */, %0) /* ty=int32 */
          },
          Nil => {
            0 /* ty=int32 */
          },
        }
      };
      %count(%children) /* ty=int32 */
    },
    Empty => {
      0 /* ty=int32 */
    },
  }
}

def @main(%v1: float32 /* ty=float32 */, %c: bool /* ty=bool */) -> (int32, float32, (bool,)) {
  %0 = Nil /* ty=List[Tree[float32]] */;
  %1 = Rose(%v1, %0) /* ty=Tree[float32] */;
  let %r: ref(float32) /* ty=ref(float32) */ = ref(%v1);
  let %u: () /* ty=() */ = ref_write(%r, 2f /* ty=float32 */);
  %2 = @depth(%1) /* ty=int32 */;
  %3 = if (%c) {
    ref_read(%r)
  } else {
    %4 = negative(%v1) /* ty=float32 */;
    multiply(%4, %4) /* ty=float32 */
  };
  %5 = (
    let %y: float32 /* ty=float32 */ = add(%3, 1f /* ty=float32 */) /* ty=float32 */;
    %y
  );
  %6 = (%c,) /* ty=(bool,) */;
  (%2, %5, %6) /* ty=(int32, float32, (bool,)) */
}
"#;

/// An expression with free variables, as it is printed on its own.
const EXPRESSION: &str = r#"#[version = "0.0.5"]
free_var %x: Tensor[(3, 2), float32] /* ty=Tensor[(3, 2), float32] span=Add0:0:0 */;
%0 = add(%x, 1e+11f /* ty=float32 */) /* ty=Tensor[(3, 2), float32] */;
free_var %y: float32 /* ty=float32 */;
%1 = fn (%z: float32 /* ty=float32 */) -> float32 {
  %z
} /* ty=fn (float32) -> float32 */;
%2 = %1(%y) /* ty=float32 */;
add(%0, %2) /* ty=Tensor[(3, 2), float32] */
"#;

/// The text, with the metadata of a constant and of two devices.
fn with_metadata(text: &str) -> String {
    let context = relay_dialects::context();
    let module = r#"func.func @main(%x: tensor<f32> {relay.virtual_device = "cpu:0"}) -> tensor<1x16x1x1xf32> attributes {relay.virtual_device = "cuda:0"} {
  %0 = relay.constant dense<2.0> : tensor<1x16x1x1xf32>
  return %0 : tensor<1x16x1x1xf32>
}"#;
    let module = melior::ir::Module::parse(&context, module).expect("it is right");
    let program = export(Op::of_module(&module)).expect("Relay has constants");
    let metadata = program.metadata.expect("there is a constant");
    format!("{text}#[metadata]\n{metadata}\n")
}

/// What reading a text and printing the module gives, and giving that to the same again.
fn printed_twice(text: &str) -> [String; 2] {
    let once = |text: &str| {
        let context = relay_dialects::context();
        let module = import(&context, text, "printed.relay");
        let module = module.unwrap_or_else(|error| panic!("{error}\n{text}"));
        let program = export(Op::of_module(&module));
        program
            .unwrap_or_else(|error| panic!("{error}\n{text}"))
            .to_string()
    };
    let first = once(text);
    let second = once(&first);
    [first, second]
}

#[test]
fn what_is_printed_reads_as_it_prints() {
    for text in [&with_metadata(NETWORK), LANGUAGE] {
        let tree = parse(text).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(parse(&tree.to_string()).expect("it is printed"), tree);
    }
    let tree = parse_any(EXPRESSION).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(parse(&tree.to_string()).expect("it is printed"), tree);
}

#[test]
fn modules_print_as_they_read() {
    for text in [&with_metadata(NETWORK), LANGUAGE, EXPRESSION] {
        let [first, second] = printed_twice(text);
        assert_eq!(first, second, "{text}");
    }
}

#[test]
fn attributes_of_functions_are_kept() {
    let [network, _] = printed_twice(&with_metadata(NETWORK));
    for kept in [
        r#"global_symbol="tvmgen_default""#,
        "TestAttribute=None",
        "depth=3i64",
        "scale=0.5f",
        "shapes=[[1, 2], []]",
        r#"hash="a1b2""#,
        r#"Composite="dnnl.relu""#,
        r#"PartitionedFromPattern="nn.relu_""#,
        "channels=16",
        "kernel_size=[3, 3]",
        "virtual_device=meta[VirtualDevice][1]",
        "{virtual_device=meta[VirtualDevice][0]}",
    ] {
        assert!(network.contains(kept), "{kept}\n{network}");
    }
    // Modules keep no metadata but constants and devices.
    assert!(!network.contains("Executor"), "{network}");
    let [language, _] = printed_twice(LANGUAGE);
    assert!(language.contains("Inline=1"), "{language}");
}

#[test]
fn attributes_that_passes_know_have_their_names() {
    let context = relay_dialects::context();
    let text = "def @f(%x: float32, Primitive=1, Inline=0, Compiler=\"dnnl\") { fn (%y: float32, Primitive=1) { %y }(%x) }";
    let module = import(&context, text, "test.relay").unwrap_or_else(|error| panic!("{error}"));
    let module = Op::of_module(&module);
    let function = module.lookup("f").expect("it is there");
    assert!(function.has_attr(PRIMITIVE));
    assert!(!function.has_attr(INLINE));
    assert!(
        function
            .attr(COMPILER)
            .is_some_and(|name| name.is_str("dnnl"))
    );
    let inner = module.find_all(relay::FN);
    assert!(inner[0].has_attr(PRIMITIVE));
    for wrong in ["Primitive=\"yes\"", "Compiler=1"] {
        let text = format!("def @f(%x: float32, {wrong}) {{ %x }}");
        assert!(import(&context, &text, "test.relay").is_err(), "{wrong}");
    }
}

#[test]
fn an_expression_becomes_the_main_function() {
    let [printed, _] = printed_twice(EXPRESSION);
    assert!(
        printed.contains("def @main(%x: Tensor[(3, 2), float32], %y: float32)"),
        "{printed}"
    );
    let [printed, _] = printed_twice("fn (%x: float32, Inline=1) { %x }");
    assert!(
        printed.contains("def @main(%x: float32, Inline=1)"),
        "{printed}"
    );
}
