//! Reading and printing Relay's text.

use proptest::{collection::vec, option, prelude::*, sample::select};
use relay_import::relay_text::{parse, parse_expression, prelude, syntax::*};

/// What TVM prints of a module, by its own layout.
const PRINTED: &str = r#"#[version = "0.0.5"]
type List[A] {
  Cons(A, List[A]),
  Nil,
}

extern type Storage

def @id[A](%x: A) -> A {
  %x
}

def @length[A](%xs: List[A]) -> int32 {
  match (%xs) {
    Cons(_, %rest) => {
      %0 = @length(%rest);
      add(1, %0)
    },
    Nil => {
      0
    },
  }
}

def @main(%data: Tensor[(1, 3, ?, 224), float32], %w {virtual_device=meta[VirtualDevice][0]}: Tensor[(8, 3, 3, 3), float32], hash="0f1e", Primitive=1) -> (Tensor[(1, 8, ?, 222), float32], (bool,), ref(int64)) {
  %0 = nn.conv2d(%data, %w, padding=[0, 0, 0, 0], channels=8, kernel_size=[3, 3], out_dtype="float32");
  %1 = nn.leaky_relu(%0, alpha=0.1f);
  let %f: fn (Tensor[(?), float16]) -> _ = fn (%y: Tensor[(?), float16]) -> _ {
    ref_write(%r, -1i64);
    free_var %z;
    if (True) {
      (%y, meta[relay.Constant][1]).0
    } else {
      %y * (%z + 1e-5f16) - inff
    }
  };
  let %r = ref(2i64);
  (%1, (False,), match? (%r) {
    %x: _ => {
      ref_read(%x)
    },
  })
}

#[metadata]
{"root": 1, "nodes": []}
"#;

#[test]
fn what_is_printed_reads_and_prints_as_it_was() {
    let program = parse(PRINTED).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(program.to_string(), PRINTED);
}

#[test]
fn comments_signs_and_layout_say_nothing() {
    let plain = parse_expression("let %x = -1; add(%x, 2f, axis=3)").expect("it is right");
    let same = "#[version = \"0.0.5\"] // to the end of the line\n\
                let /* a /* nested */ one */ %x=---1  ;\r\n { (add)(%x, (2.0f32), axis=3,) }";
    assert_eq!(parse_expression(same).expect("it is right"), plain);
}

#[test]
fn operators_bind_as_closely_as_in_arithmetic() {
    for (text, same) in [
        ("%a + %b * %c", "%a + (%b * %c)"),
        ("%a * %b + %c", "(%a * %b) + %c"),
        ("%a - %b - %c", "(%a - %b) - %c"),
        ("%a - %b < %c == %d", "((%a - %b) < %c) == %d"),
        ("%a / %b * -1", "(%a / %b) * (-1)"),
    ] {
        let read = |text: &str| parse_expression(text).expect("it is right");
        assert_eq!(read(text), read(same), "{text}");
        assert_eq!(read(text).to_string(), text);
    }
}

fn error(text: &str) -> String {
    match parse(text) {
        Ok(_) => panic!("{text} reads"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn errors_point_at_the_place() {
    let texts = [
        "def @f() { add(%x, }",
        "def @f() { let %x = 1; }",
        "def @f() { %x.99999999999 }",
        "def @f() { 1.5 }",
        "def @f() { 3000000000i32 }",
        "def @f() { 1e400f64 }",
        "def @f() { 65505f16 }",
        "def @f() { 3.40283e+38f32 }",
        "def @f() { 1i8 }",
        "def @f(%x: Tensor[(-1), float32]) { %x }",
        "def @match() { 1 }",
        "#[version = \"0.0.6\"]\ndef @f() { 1 }",
        "type List[A] { Cons(A }",
        "def @f() {\n  match (%x) {\n    Cons(%h => { 1 }\n  }\n}",
        "@f",
    ];
    let errors: Vec<String> = texts.iter().map(|text| error(text)).collect();
    insta::assert_snapshot!(errors.join("\n\n"));
}

#[test]
fn what_is_nested_too_deeply_is_an_error() {
    let nested = |open: &str, close: &str, times: usize| {
        let text = format!("{}1{}", open.repeat(times), close.repeat(times));
        parse_expression(&text).map_err(|error| error.to_string())
    };
    for (open, close) in [
        ("(", ")"),
        ("{", "}"),
        ("ref(", ")"),
        ("fn () {", "}"),
        ("(1, ", ")"),
    ] {
        assert!(nested(open, close, 100).is_ok(), "{open}");
        let error = nested(open, close, 100_000).expect_err("nobody reads this");
        assert!(error.contains("nested more than"), "{error}");
    }
    assert!(nested("/*", "*/", 100_000).is_err());
    assert!(nested("1 + ", "", 100_000).is_err());
    assert!(nested("", "()", 100_000).is_err());
    assert!(nested("-", "", 100_000).is_ok(), "signs are not nested");
    let many = format!("{}1", "let %x = 1;".repeat(20_000));
    assert!(parse_expression(&many).is_ok(), "steps are not nested");
}

// --- random programs

fn name() -> impl Strategy<Value = String> {
    select(vec![
        "x", "y1", "_z", "a/b", "lets", "T", "Cons", "Tensors", "inf", "meta",
    ])
    .prop_map(Into::into)
}

fn meta() -> impl Strategy<Value = Meta> {
    (select(vec!["Constant", "VirtualDevice"]), 0_u32..3).prop_map(|(key, index)| Meta {
        key: key.into(),
        index,
    })
}

fn number() -> impl Strategy<Value = Number> {
    prop_oneof![
        any::<i16>().prop_map(|value| Number::Int(value.into(), 16)),
        any::<i32>().prop_map(|value| Number::Int(value.into(), 32)),
        any::<i64>().prop_map(|value| Number::Int(value, 64)),
        any::<f32>()
            .prop_filter("no text", |value| !value.is_nan())
            .prop_map(|value| Number::Float(value.into(), 32)),
        any::<u16>()
            .prop_map(|bits| half::f16::from_bits(bits).to_f64())
            .prop_filter("no text", |value| value.is_finite())
            .prop_map(|value| Number::Float(value, 16)),
        any::<f64>()
            .prop_filter("no text", |value| value.is_finite())
            .prop_map(|value| Number::Float(value, 64)),
    ]
}

fn ty() -> impl Strategy<Value = Type> {
    let dim = prop_oneof![
        Just(Dim::Unknown),
        any::<i64>().prop_map(|extent| Dim::Known(extent & i64::MAX)),
        meta().prop_map(Dim::Meta),
    ];
    let element = select(vec!["float32", "bool", "uint8", "posit"]);
    let leaf = prop_oneof![
        Just(Type::Incomplete),
        (vec(dim, 0..4), element).prop_map(|(dims, element)| Type::Tensor(dims, element.into())),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        let many = || vec(inner.clone(), 0..3);
        prop_oneof![
            many().prop_map(Type::Tuple),
            inner.clone().prop_map(|ty| Type::Ref(Box::new(ty))),
            (name(), many()).prop_map(|(name, args)| Type::Named(name, args)),
            (vec(name(), 0..2), many(), inner.clone())
                .prop_map(|(params, args, result)| Type::Function(params, args, Box::new(result))),
        ]
    })
}

fn pattern() -> impl Strategy<Value = Pattern> {
    let leaf = prop_oneof![
        Just(Pattern::Wildcard),
        (name(), option::of(ty())).prop_map(|(name, ty)| Pattern::Variable(name, ty)),
    ];
    leaf.prop_recursive(2, 6, 3, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..3).prop_map(Pattern::Tuple),
            (name(), vec(inner, 0..3))
                .prop_map(|(name, fields)| Pattern::Constructor(name, fields)),
        ]
    })
}

fn attribute(expr: BoxedStrategy<Expr>) -> BoxedStrategy<Attribute> {
    let text = select(vec!["", "NCHW", "two\nlines", "//"])
        .prop_map(|text: &str| AttrValue::Text(text.into()));
    let leaf = prop_oneof![
        text,
        Just(AttrValue::Nothing),
        number().prop_map(|number| AttrValue::Expr(Kind::Number(number).into())),
        expr.prop_map(AttrValue::Expr),
    ];
    let value = leaf.prop_recursive(2, 6, 3, |inner| vec(inner, 0..3).prop_map(AttrValue::List));
    (name(), value)
        .prop_map(|(name, value)| Attribute { name, value })
        .boxed()
}

fn sequence(expr: BoxedStrategy<Expr>) -> BoxedStrategy<Sequence> {
    let step = prop_oneof![
        (name(), option::of(ty()), expr.clone())
            .prop_map(|(name, ty, value)| Step::Let(name, ty, value)),
        (0_u32..9, expr.clone()).prop_map(|(number, value)| Step::Bind(number, value)),
        (name(), option::of(ty())).prop_map(|(name, ty)| Step::Free(name, ty)),
        expr.clone().prop_map(Step::Effect),
    ];
    let whole = |(steps, value): (Vec<Step>, Expr)| match value.kind {
        // Parentheses around all of it say nothing.
        Kind::Block(inner) if steps.is_empty() => *inner,
        _ => Sequence { steps, value },
    };
    (vec(step, 0..3), expr).prop_map(whole).boxed()
}

fn function(expr: BoxedStrategy<Expr>) -> BoxedStrategy<Function> {
    let param = (
        name(),
        option::of(attribute(expr.clone())),
        option::of(ty()),
    )
        .prop_map(|(name, device, ty)| Param { name, device, ty });
    let parts = (
        vec(name(), 0..2),
        vec(param, 0..3),
        vec(attribute(expr.clone()), 0..2),
        option::of(ty()),
        sequence(expr),
    );
    parts
        .prop_map(|(type_params, params, attributes, result, body)| Function {
            type_params,
            params,
            attributes,
            result,
            body,
        })
        .boxed()
}

fn expr() -> impl Strategy<Value = Expr> {
    let leaf = prop_oneof![
        number().prop_map(Kind::Number),
        any::<bool>().prop_map(Kind::Bool),
        meta().prop_map(Kind::Meta),
        name().prop_map(Kind::Local),
        (0_u32..9).prop_map(Kind::Graph),
        name().prop_map(Kind::Global),
        select(vec!["add", "nn.conv2d", "Nil"]).prop_map(|name| Kind::Named(name.into())),
    ];
    let leaf = leaf.prop_map(Expr::from).boxed();
    leaf.prop_recursive(4, 24, 3, |inner| {
        let body = || sequence(inner.clone());
        let block = body().prop_filter("it is its value", |sequence| !sequence.steps.is_empty());
        let call = (
            inner.clone(),
            vec(inner.clone(), 0..3),
            vec(attribute(inner.clone()), 0..2),
        );
        let arms = vec((pattern(), body()), 0..3);
        prop_oneof![
            function(inner.clone()).prop_map(|function| Kind::Function(Box::new(function))),
            [body(), body(), body()].prop_map(|parts| Kind::If(Box::new(parts))),
            (any::<bool>(), inner.clone(), arms).prop_map(|(partial, value, arms)| {
                Kind::Match(Box::new(Match {
                    partial,
                    value,
                    arms,
                }))
            }),
            body().prop_map(|value| Kind::RefCreate(Box::new(value))),
            body().prop_map(|value| Kind::RefRead(Box::new(value))),
            [body(), body()].prop_map(|parts| Kind::RefWrite(Box::new(parts))),
            vec(body(), 0..3).prop_map(Kind::Tuple),
            (inner.clone(), 0_u32..3)
                .prop_map(|(tuple, index)| Kind::Project(Box::new(tuple), index)),
            call.prop_map(|(callee, arguments, attributes)| {
                Kind::Call(Box::new(Call {
                    callee,
                    arguments,
                    attributes,
                }))
            }),
            (select(Infix::ALL.to_vec()), [inner.clone(), inner.clone()])
                .prop_map(|(infix, operands)| Kind::Infix(infix, Box::new(operands))),
            block.prop_map(|sequence| Kind::Block(Box::new(sequence))),
        ]
        .prop_map(Expr::from)
        .boxed()
    })
}

fn program() -> impl Strategy<Value = Program> {
    let constructor = (name(), vec(ty(), 0..3)).prop_map(|(name, fields)| Constructor {
        name,
        fields,
        place: Place::default(),
    });
    let data = |constructors: BoxedStrategy<Vec<Constructor>>| {
        (name(), vec(name(), 0..2), constructors).prop_map(|(name, type_params, constructors)| {
            DataType {
                name,
                type_params,
                constructors,
                place: Place::default(),
            }
        })
    };
    let definition = prop_oneof![
        (name(), function(expr().boxed()))
            .prop_map(|(name, function)| Definition::Function(name, function)),
        data(vec(constructor, 0..3).boxed()).prop_map(Definition::Data),
        data(Just(Vec::new()).boxed()).prop_map(Definition::Opaque),
    ];
    let metadata = option::of(select(vec!["{}", "{\"nodes\": [1, 2]}"]).prop_map(String::from));
    (vec(definition, 0..3), metadata).prop_map(|(definitions, metadata)| Program {
        definitions,
        metadata,
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn what_a_tree_prints_reads_as_the_tree(program in program()) {
        let text = program.to_string();
        let read = parse(&text).map_err(|error| TestCaseError::fail(format!("{error}\n{text}")))?;
        prop_assert_eq!(&read, &program, "{}", text);
        prop_assert_eq!(read.to_string(), text);
    }

    #[test]
    fn no_text_ends_the_reader(words in vec(select(vec![
        "def", "@f", "(", ")", "{", "}", "[", "]", "%x", "%0", "=", "=>", "->", ";", ",", ":", ".", "fn", "if", "else", "match",
        "match?", "let", "type", "extern", "ref", "ref_write", "Tensor", "meta[a][0]", "1", "1f", "-", "<", "==", "?", "_",
        "\"", "/*", "*/", "//", "\n", "#[version = \"0.0.5\"]", "#[metadata]", "nn.relu", "\u{e9}", "free_var", "True",
    ]), 0..40)) {
        let text = words.join(" ");
        // Each of them returns.
        let _ = parse(&text);
        let _ = parse_expression(&text);
    }
}

#[test]
fn the_prelude_is_read_where_it_is_needed() {
    let context = relay_dialects::context();
    let import = |text| relay_import::relay_text::import(&context, text, "test.relay");
    let whole = import(prelude::TEXT).unwrap_or_else(|error| panic!("{error}"));
    let functions = |module: &melior::ir::Module<'_>| {
        let module = relay_dialects::ir::Op::of_module(module);
        let names = module.functions().into_iter().filter_map(|op| op.symbol());
        names.collect::<Vec<String>>()
    };
    assert_eq!(functions(&whole).len(), 24, "{:?}", functions(&whole));
    let used = import("def @main(%list: List[float32]) { @nth(%list, 2) }")
        .unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(functions(&used), ["hd", "tl", "nth", "main"]);
    // A list of another kind has other functions.
    let other = "type List { Many(float32), } def @main(%list: List) { @nth(%list, 2) }";
    assert!(import(other).is_err());
}
