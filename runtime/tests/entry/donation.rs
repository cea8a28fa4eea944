//! Inputs in the memory of outputs.

use crate::support;
use relay_runtime::{DType, Instance, Model, Session as _, Tensor};
use std::{ffi::c_void, ptr};

fn cache() -> Tensor {
    Tensor::from_f32(&[4], &[1.0, 2.0, 3.0, 4.0]).unwrap()
}

/// The further inputs: a new number, and its place.
fn more() -> [Tensor; 2] {
    let mut at = Tensor::zeros(DType::I64, &[]);
    at.bytes_mut().copy_from_slice(&2_i64.to_ne_bytes());
    [Tensor::from_f32(&[], &[10.0]).unwrap(), at]
}

const NEXT: [f32; 4] = [1.0, 2.0, 10.0, 4.0];

fn instance() -> Instance {
    let folder = support::folder();
    let model = Model::load(&support::donated_model(folder.path(), false)).unwrap();
    let donated: Vec<_> = model.inputs().iter().map(|port| port.donated).collect();
    assert_eq!(donated, [Some(1), None, None]);
    model.instance(1).unwrap()
}

#[test]
fn what_is_given_away_is_given_back_in_place() {
    let mut instance = instance();
    let given = cache();
    let place = given.bytes().as_ptr();
    let [x, at] = more();
    let outputs = instance.run_donating(vec![given, x, at]).unwrap();
    assert_eq!(outputs[0].as_slice::<f32>().unwrap(), [17.0]);
    assert_eq!(outputs[1].as_slice::<f32>().unwrap(), NEXT);
    assert_eq!(outputs[1].bytes().as_ptr(), place);
}

#[test]
fn what_is_kept_stays_as_it_is() {
    let mut instance = instance();
    let (given, [x, at]) = (cache(), more());
    let outputs = instance.run(&[&given, &x, &at]).unwrap();
    assert_eq!(outputs[0].as_slice::<f32>().unwrap(), [17.0]);
    assert_eq!(outputs[1].as_slice::<f32>().unwrap(), NEXT);
    assert_eq!(given.as_slice::<f32>(), cache().as_slice::<f32>());
}

#[test]
fn an_output_without_memory_lies_in_that_of_its_input() {
    let mut instance = instance();
    let (mut given, [x, at]) = (cache(), more());
    instance.prepare(&[&[4], &[], &[]]).unwrap();
    let mut sum = 0.0_f32;
    let memory: *mut c_void = given.bytes_mut().as_mut_ptr().cast();
    let inputs = [
        memory.cast_const(),
        x.bytes().as_ptr().cast(),
        at.bytes().as_ptr().cast(),
    ];
    for next in [ptr::null_mut(), memory] {
        let outputs = [(&raw mut sum).cast(), next];
        // SAFETY: each pointer is to a tensor of the model's type and of these sizes; the input is donated to the output.
        unsafe { instance.run_pointers(&inputs, &outputs) }.unwrap();
        assert_eq!(sum, 17.0);
    }
    assert_eq!(given.as_slice::<f32>().unwrap(), NEXT);
    let missing = [ptr::null(), inputs[1], inputs[2]];
    let outputs = [(&raw mut sum).cast(), ptr::null_mut()];
    // SAFETY: a null pointer is an error.
    let done = unsafe { instance.run_pointers(&missing, &outputs) };
    let reason = done.unwrap_err().to_string();
    assert!(
        reason.contains("input 0, 'cache', is a null pointer"),
        "{reason}"
    );
}

#[test]
fn an_input_of_another_type_than_its_output_is_refused() {
    let folder = support::folder();
    let path = support::donated_model(folder.path(), true);
    let reason = Model::load(&path).unwrap_err().to_string();
    assert!(
        reason.contains("input 'cache' is donated to output 1"),
        "{reason}"
    );
}
