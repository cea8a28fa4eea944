//! Loading and running models from Rust.

use crate::support::{self, Options};
use relay_runtime::{DType, Instance, Model, RuntimeError, Session, Tensor, image::Image};
use std::{
    collections::HashSet,
    fs,
    os::unix::fs::FileExt as _,
    path::Path,
    time::{Duration, Instant},
};

const DATA: [f32; 6] = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];

fn inputs(bias: i64) -> [Tensor; 2] {
    [
        Tensor::from_slice(&[2, 3], &DATA).unwrap(),
        Tensor::from_slice(&[1], &[bias]).unwrap(),
    ]
}

fn run(instance: &mut Instance, bias: i64) -> Vec<Tensor> {
    let [data, bias] = inputs(bias);
    instance.run(&[&data, &bias]).unwrap()
}

fn alpha(folder: &Path) -> Model {
    Model::load(&support::model(folder, &Options::default())).unwrap()
}

#[test]
fn a_model_says_what_it_is() {
    let folder = support::folder();
    let model = alpha(folder.path());
    assert_eq!(model.name(), "alpha");
    assert_eq!(model.target(), "x86_64-unknown-linux-gnu");
    assert_eq!((model.weights_bytes(), model.arena_bytes()), (4, 8008));
    let ports: Vec<_> = model
        .inputs()
        .iter()
        .chain(model.outputs())
        .map(|port| (port.name.as_str(), port.dtype, port.shape.as_slice()))
        .collect();
    assert_eq!(
        ports,
        [
            ("data", DType::F32, &[2, 3][..]),
            ("bias", DType::I64, &[1]),
            ("scaled", DType::F32, &[2, 3]),
            ("counts", DType::I64, &[1001]),
            ("workers", DType::I64, &[1001]),
        ]
    );
}

#[test]
fn a_model_with_open_dimensions_takes_tensors_of_many_shapes() {
    let folder = support::folder();
    let model = Model::load(&support::open_model(folder.path(), true)).unwrap();
    let shapes: Vec<String> = (model.inputs().iter())
        .chain(model.outputs())
        .map(|port| port.show_shape())
        .collect();
    assert_eq!(shapes, ["[n, m, 1]", "[2*n + 1]", "[n]", "[2*n + 1]"]);
    let symbols: Vec<_> = (model.symbols().iter())
        .map(|symbol| {
            (
                symbol.name.as_str(),
                symbol.least,
                symbol.most,
                symbol.multiple,
            )
        })
        .collect();
    assert_eq!(symbols, [("m", 0, i64::MAX, 1), ("n", 2, 64, 2)]);
    let mut instance = model.instance(1).unwrap();
    let x = |n: i64, m: i64| {
        Tensor::from_f32(&[n, m, 1], &vec![0.5; usize::try_from(n * m).unwrap()]).unwrap()
    };
    let mask = |n: i64| Tensor::zeros(DType::Bool, &[2 * n + 1]);
    for (n, m) in [(2, 3), (64, 100), (4, 0)] {
        let outputs = instance.run(&[&x(n, m), &mask(n)]).unwrap();
        assert_eq!(
            (outputs[0].shape(), outputs[1].shape()),
            (&[n][..], &[2 * n + 1][..])
        );
        let sums = outputs[0].as_slice::<f32>().unwrap();
        assert!(sums.iter().all(|sum| *sum == 0.5 * m as f32));
    }
    assert_eq!(
        instance.prepare(&[&[6, 1, 1], &[13]]).unwrap(),
        [vec![6], vec![13]]
    );
    let says = |done: Result<(), RuntimeError>| done.unwrap_err().to_string();
    let run = |instance: &mut Instance, inputs: &[&Tensor]| instance.run(inputs).map(|_| ());
    assert_eq!(
        says(run(&mut instance, &[&x(2, 3), &mask(3)])),
        "input 1, 'mask', has the extent 7 in dimension 0; the model takes 2*n + 1, which is 5"
    );
    assert_eq!(
        says(run(&mut instance, &[&mask(2), &mask(2)])),
        "input 'x': expected f32 [n, m, 1], got i1 [5]"
    );
    let mut outputs = [
        Tensor::zeros(DType::F32, &[3]),
        Tensor::zeros(DType::I64, &[5]),
    ];
    assert_eq!(
        says(instance.run_into(&[&x(2, 3), &mask(2)], &mut outputs)),
        "output 'y': expected f32 [2], got f32 [3]"
    );
}

#[test]
fn results_do_not_depend_on_the_threads() {
    let folder = support::folder();
    let model = alpha(folder.path());
    for threads in [1, 2, 3] {
        let mut instance = model.instance(threads).unwrap();
        for bias in [0, 5] {
            let outputs = run(&mut instance, bias);
            let expected: Vec<f32> = DATA.iter().map(|x| x + x + bias as f32).collect();
            assert_eq!(outputs[0].as_slice::<f32>().unwrap(), expected);
            assert_eq!(outputs[1].as_slice::<i64>().unwrap(), [1; 1001]);
            let workers = outputs[2].as_slice::<i64>().unwrap();
            let distinct: HashSet<_> = workers.iter().collect();
            assert!((1..=threads).contains(&distinct.len()));
            let changes = workers.windows(2).filter(|pair| pair[0] != pair[1]);
            // A part has 16 chunks, of which others take some when they are done with their own.
            assert!(changes.count() < 16 * threads, "chunks are contiguous");
        }
    }
}

/// The bytes of this process that are in memory.
fn resident() -> usize {
    let pages = fs::read_to_string("/proc/self/statm").unwrap();
    pages.split(' ').nth(1).unwrap().parse::<usize>().unwrap() * 4096
}

#[test]
fn loading_maps_constants_and_reads_none() {
    const WEIGHTS: usize = 64 << 20;
    let folder = support::folder();
    let options = Options {
        weights: WEIGHTS,
        ..Options::default()
    };
    let path = support::model(folder.path(), &options);
    let before = resident();
    let start = Instant::now();
    let model = Model::load(&path).unwrap();
    let mut instance = model.instance(2).unwrap();
    // A millisecond; the bound is for machines that are busy with other tests.
    assert!(start.elapsed() < Duration::from_millis(250));
    assert!(resident() < before + WEIGHTS / 4);
    assert_eq!(model.weights_bytes(), WEIGHTS as u64);
    assert_eq!(run(&mut instance, 0)[0].to_f32().unwrap()[0], 2.0);
}

#[test]
fn fewer_iterations_than_threads() {
    let folder = support::folder();
    let options = Options {
        extent: 2,
        ..Options::default()
    };
    let model = Model::load(&support::model(folder.path(), &options)).unwrap();
    let mut instance = model.instance(5).unwrap();
    for _ in 0..200 {
        let outputs = run(&mut instance, 0);
        assert_eq!(outputs[1].as_slice::<i64>().unwrap(), [1, 1]);
    }
}

#[test]
fn outputs_can_be_the_callers() {
    let folder = support::folder();
    let model = alpha(folder.path());
    let mut instance = model.instance(1).unwrap();
    let [data, bias] = inputs(1);
    let mut outputs = instance.run(&[&data, &bias]).unwrap();
    let place = outputs[0].bytes().as_ptr();
    assert_eq!(place.addr() % 64, 0);
    let zero = Tensor::zeros(DType::I64, &[1]);
    instance.run_into(&[&data, &zero], &mut outputs).unwrap();
    assert_eq!(outputs[0].bytes().as_ptr(), place);
    assert_eq!(
        outputs[0].to_f32().unwrap(),
        [2.0, 4.0, 6.0, 8.0, 10.0, 12.0]
    );
    outputs.pop();
    let error = instance.run_into(&[&data, &zero], &mut outputs);
    assert_eq!(
        error.unwrap_err().to_string(),
        "the model has 3 output(s) (scaled, counts, workers), but 2 were given"
    );
}

#[test]
fn inputs_that_do_not_fit_are_named() {
    let folder = support::folder();
    let mut instance = alpha(folder.path()).instance(1).unwrap();
    let [data, bias] = inputs(0);
    let mut error = |inputs: &[&Tensor]| instance.run(inputs).unwrap_err().to_string();
    assert_eq!(
        error(&[&Tensor::zeros(DType::F32, &[3, 2]), &bias]),
        "input 'data': expected f32 [2, 3], got f32 [3, 2]"
    );
    assert_eq!(
        error(&[&data, &Tensor::zeros(DType::I32, &[1])]),
        "input 'bias': expected i64 [1], got i32 [1]"
    );
    assert_eq!(
        error(&[&data]),
        "the model has 2 input(s) (data, bias), but 1 were given"
    );
}

#[test]
fn a_failing_graph_is_an_error_and_the_next_run_works() {
    let folder = support::folder();
    let mut instance = alpha(folder.path()).instance(2).unwrap();
    let [data, bias] = inputs(-1);
    let error = instance.run(&[&data, &bias]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the model failed: the compiled graph returned status 7"
    );
    assert_eq!(run(&mut instance, 0)[0].to_f32().unwrap()[0], 2.0);
}

#[test]
fn two_models_in_one_process() {
    let folder = support::folder();
    let beta = Options {
        name: "beta",
        scale: 3,
        ..Options::default()
    };
    let beta = Model::load(&support::model(folder.path(), &beta)).unwrap();
    let alpha = alpha(folder.path());
    let (mut first, mut second) = (alpha.instance(2).unwrap(), beta.instance(2).unwrap());
    let mut third = alpha.instance(1).unwrap();
    drop((alpha, beta));
    for _ in 0..3 {
        let last = |outputs: Vec<Tensor>| outputs[0].to_f32().unwrap()[5];
        assert_eq!(last(run(&mut first, 0)), 12.0);
        assert_eq!(last(run(&mut second, 0)), 18.0);
        let elsewhere = std::thread::scope(|scope| scope.spawn(|| run(&mut third, 1)).join());
        assert_eq!(last(elsewhere.unwrap()), 13.0);
    }
}

#[test]
fn profiles_add_up() {
    let folder = support::folder();
    let mut instance = alpha(folder.path()).instance(2).unwrap();
    for _ in 0..4 {
        // This bias makes the second node sleep for 5 ms.
        run(&mut instance, 1000);
    }
    let nodes = instance.profile();
    let facts: Vec<_> = nodes
        .iter()
        .map(|node| (node.name.as_str(), node.op.as_str(), node.flops, node.calls))
        .collect();
    assert_eq!(
        facts,
        [("scale_1", "scale", 12, 4), ("count_2", "count", 0, 4)]
    );
    assert!(nodes[0].nanoseconds > 0);
    assert!(nodes[1].nanoseconds >= 20_000_000);
}

#[test]
fn files_that_are_no_models_are_refused_with_a_reason() {
    let folder = support::folder();
    let text = folder.path().join("text.so");
    fs::write(&text, "not a library").unwrap();
    let other = support::library(folder.path(), "other", "int answer(void) { return 42; }");
    let options = Options {
        abi: 9,
        ..Options::default()
    };
    let newer = support::model(folder.path(), &options);
    let missing = folder.path().join("missing.so");
    let messages = [&missing, &text, &other, &newer].map(|path| {
        let message = Model::load(path).unwrap_err().to_string();
        message.replace(&format!("{}/", folder.path().display()), "")
    });
    insta::assert_snapshot!(messages.join("\n"));
}

#[test]
fn missing_instructions_are_an_error_of_making_an_instance() {
    let folder = support::folder();
    let options = Options {
        features: "avx98,avx99",
        ..Options::default()
    };
    let model = Model::load(&support::model(folder.path(), &options)).unwrap();
    let message = model.instance(1).err().unwrap().to_string();
    assert!(
        message.contains("does not have: avx98, avx99;"),
        "{message}"
    );
}

#[test]
fn files_that_were_cut_short_are_refused() {
    let folder = support::folder();
    let path = support::model(folder.path(), &Options::default());
    let file = fs::OpenOptions::new().write(true).open(&path).unwrap();
    let length = file.metadata().unwrap().len();
    let mut lengths: Vec<u64> = (0..length).step_by(length as usize / 200).collect();
    lengths.extend([1, 63, 64, 65, 1000, length - 1]);
    lengths.sort_unstable();
    for length in lengths.into_iter().rev() {
        file.set_len(length).unwrap();
        assert!(Model::load(&path).is_err(), "of {length} bytes");
    }
}

#[test]
fn whatever_is_changed_can_be_read_or_not() {
    let folder = support::folder();
    let path = support::model(folder.path(), &Options::default());
    let bytes = fs::read(&path).unwrap();
    let file = fs::OpenOptions::new().write(true).open(&path).unwrap();
    let tables = (0..0x1000).step_by(3);
    let sections = (bytes.len() - 0x800..bytes.len()).step_by(3);
    // Five: entries of tables have 24 and 64 bytes, so that each field meets each value.
    let values = [0xff, 0x80, 0, 1, 0x41].into_iter().cycle();
    let mut refused = 0;
    for (index, value) in tables.chain(sections).zip(values) {
        let place = index as u64;
        file.write_all_at(&[value], place).unwrap();
        refused += usize::from(Image::read(&path).is_err());
        file.write_all_at(&bytes[index..=index], place).unwrap();
    }
    assert!(refused > 400, "{refused}");
    assert!(Image::read(&path).is_ok());
}

#[test]
fn tensors_of_impossible_shapes_are_refused() {
    let bytes = |shape: &[i64]| Tensor::from_bytes(DType::F32, shape, &[0; 8]).is_some();
    assert!(bytes(&[2]) && bytes(&[1, 2, 1]));
    assert!(!bytes(&[3]) && !bytes(&[-1, -2]) && !bytes(&[i64::MAX, 2]));
    assert!(Tensor::from_slice::<f32>(&[0, 4], &[]).is_some());
    assert!(
        Tensor::from_slice(&[], &[1i64]).is_some(),
        "one element, no dimension"
    );
}
