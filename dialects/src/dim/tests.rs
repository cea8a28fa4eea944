use super::*;
use proptest::prelude::*;

fn dim(text: &str) -> Dim {
    Dim::parse(text).unwrap_or_else(|reason| panic!("{text}: {reason}"))
}

#[test]
fn unknown_dimensions_stay_so() {
    let unknown = Dim::Unknown;
    assert_eq!(sum(&[2.into(), unknown, 3.into()]), Ok(unknown));
    assert_eq!(product(&[2.into(), unknown]), Ok(unknown));
    assert_eq!(product(&[unknown, 0.into()]), Ok(0.into()));
    assert_eq!(quotient(unknown, 4), Some(unknown));
    assert_eq!(unify(unknown, unknown), Some(unknown));
    assert_eq!(broadcast(1.into(), unknown), Some(unknown));
}

#[test]
fn known_dimensions_are_computed() {
    assert_eq!(sum(&[2.into(), 1.into(), 3.into()]), Ok(6.into()));
    assert_eq!(product::<i64>(&[]), Ok(1.into()));
    assert_eq!(quotient(6.into(), 4), None);
    assert_eq!(unify(DYNAMIC, 4), Some(4.into()));
    assert_eq!(unify(3, 4), None);
    assert_eq!(broadcast(1.into(), 0.into()), Some(0.into()));
    assert_eq!(broadcast(2.into(), 0.into()), None);
}

#[test]
fn overflow_is_an_error() {
    assert!(Dim::Known(i64::MAX).plus(1).is_err());
    assert!(product(&[i64::MAX, 2]).is_err());
    assert_eq!(product(&[i64::MAX, 2, 0]), Ok(0.into()));
    let large = dim("n").times(i64::MAX);
    assert!(large.and_then(|large| large.times(2)).is_err());
}

#[test]
fn equal_forms_are_written_alike() {
    for (text, canonical) in [
        ("n", "n"),
        ("1 + n*2 + n", "3*n + 1"),
        ("s*n", "n*s"),
        ("n - n", "0"),
        ("2*(n + s) - 4", "2*n + 2*s - 4"),
        ("(4*n + 2) / 2", "2*n + 1"),
        ("(n - 1) / 2 + 1", "(n + 1) / 2"),
        ("1 + (n + 5) / 4 * 2", "2*((n + 1) / 4) + 3"),
        ("(2*n + 3) / 4", "(n + 1) / 2"),
        ("(n / 2) / 3", "n / 6"),
        ("((n + 1) / 2 - 2) / 2 + 1", "(n + 1) / 4"),
        ("(n*s*64) / (s*32)", "2*n"),
        ("(n*s + n + s + 1) / (s + 1)", "n + 1"),
        ("(n*s) / (s + 1)", "(n*s) / (s + 1)"),
        ("(8*n + n/3) / 8", "n + (n / 24)"),
        ("max(n, n + 1)", "n + 1"),
        ("min(s, n)", "min(n, s)"),
        ("max(3, 4)", "4"),
        ("max(0, min(n, 1))", "min(n, 1)"),
        ("min(n, max(0, n - 2))", "max(0, n - 2)"),
        ("max(n*s, -1)", "n*s"),
        ("-n + 2", "-n + 2"),
    ] {
        assert_eq!(dim(text).to_string(), canonical, "{text}");
    }
}

#[test]
fn what_is_no_dimension_is_refused() {
    for text in [
        "",
        "n +",
        "2n",
        "(n",
        "n)",
        "n / 0",
        "9223372036854775808",
        "max(n)",
        "?",
    ] {
        assert!(Dim::parse(text).is_err(), "{text}");
    }
    assert!(Dim::parse(&"(".repeat(1000)).is_err());
}

#[test]
fn forms_that_may_differ_are_taken_to_be_equal_and_noted() {
    let unified = |lhs: Dim, rhs: Dim| noted(|| unify(lhs, rhs));
    assert_eq!(unified(dim("n"), dim("n")), (Some(dim("n")), vec![]));
    assert_eq!(unified(dim("n"), Dim::Unknown), (Some(dim("n")), vec![]));
    for (lhs, rhs, taken) in [
        (dim("n"), Dim::Known(4), Dim::Known(4)),
        (dim("n"), dim("s"), dim("n")),
        (dim("2*s"), dim("n"), dim("n")),
        (dim("n"), dim("min(n, 64)"), dim("min(n, 64)")),
        (dim("min(n, 64)"), dim("n"), dim("min(n, 64)")),
    ] {
        assert_eq!(unified(lhs, rhs), (Some(taken), vec![(lhs, rhs)]));
    }
    assert_eq!(broadcast(dim("n"), 1.into()), Some(dim("n")));
    assert_eq!(broadcast(dim("n"), dim("s")), Some(dim("n")));
}

#[test]
fn forms_that_surely_differ_are_not_equal() {
    for (lhs, rhs) in [("n", "n + 1"), ("n + m + 2", "m + 1"), ("max(n, 3)", "2")] {
        assert_eq!(unify(dim(lhs), dim(rhs)), None, "{lhs}, {rhs}");
        assert_eq!(unify(dim(rhs), dim(lhs)), None, "{rhs}, {lhs}");
    }
    assert_eq!(quotient(dim("2*n + 1"), 2), None);
    assert_eq!(
        noted(|| quotient(dim("n"), 2)),
        (Some(dim("n / 2")), vec![(dim("2*(n / 2)"), dim("n"))])
    );
    assert_eq!(
        noted(|| at_most(4.into(), dim("n"))),
        (Some(()), vec![(dim("min(4, n)"), 4.into())])
    );
}

#[test]
fn runs_of_dimensions_are_as_short_as_can_be() {
    let all = |from: &[Dim], to: &[Dim]| {
        let runs = runs(from, to).unwrap_or_default().into_iter();
        runs.map(|run| (run.from, run.to)).collect::<Vec<_>>()
    };
    let (n, s) = (dim("n"), dim("s"));
    let heads = [n, s, 4.into(), 16.into()];
    assert_eq!(
        all(&[n, s, 64.into()], &heads),
        [(0..1, 0..1), (1..2, 1..2), (2..3, 2..4)]
    );
    assert_eq!(
        all(&[dim("n*s"), 64.into()], &heads),
        [(0..1, 0..2), (1..2, 2..4)]
    );
    assert_eq!(
        all(&[4.into(), 1.into()], &[4.into()]),
        [(0..1, 0..1), (1..2, 1..1)]
    );
    assert_eq!(all(&[0.into(), 3.into()], &[0.into()]), [(0..2, 0..1)]);
    assert_eq!(all(&[], &[1.into()]), [(0..0, 0..1)]);
}

/// Expressions of two symbols, as texts.
fn expression() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("k".to_owned()),
        Just("s".to_owned()),
        (0_i64..9).prop_map(|number| number.to_string()),
    ];
    leaf.prop_recursive(4, 24, 2, |inner| {
        let pair = (inner.clone(), inner.clone());
        prop_oneof![
            pair.clone().prop_map(|(x, y)| format!("({x} + {y})")),
            pair.clone().prop_map(|(x, y)| format!("({x} - {y})")),
            pair.clone().prop_map(|(x, y)| format!("({x} * {y})")),
            pair.clone().prop_map(|(x, y)| format!("max({x}, {y})")),
            pair.prop_map(|(x, y)| format!("min({x}, {y})")),
            (inner, 1_i64..7).prop_map(|(x, by)| format!("({x} / {by})")),
        ]
    })
}

proptest! {
    /// The value of a form is that of the expression with numbers in the places of its symbols.
    #[test]
    fn canonical_forms_have_the_same_values(text in expression(), k in 0_i64..20, s in 0_i64..20) {
        let form = dim(&text);
        let numbers = text.replace('k', &k.to_string()).replace('s', &s.to_string());
        let expected = dim(&numbers).known();
        prop_assert_eq!(form.value(&|name| Some(if name == "k" { k } else { s })), expected);
        let replaced = form.replace(&|name| Dim::Known(if name == "k" { k } else { s }));
        prop_assert_eq!(replaced.ok().and_then(Dim::known), expected);
        prop_assert_eq!(Dim::parse(&form.to_string()), Ok(form));
    }
}
