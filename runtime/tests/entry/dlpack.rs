//! Tensors go out and come in without being copied.

use relay_runtime::{
    DType, Tensor,
    dlpack::{DLDataType, DLDevice, DLManagedTensor, DLTensor},
};
use std::{
    ptr,
    sync::atomic::{AtomicU32, Ordering},
};

/// A tensor as another library would hold it.
struct Foreign {
    data: Vec<f32>,
    shape: Vec<i64>,
    strides: Vec<i64>,
    deleted: Box<AtomicU32>,
    managed: DLManagedTensor,
}

unsafe extern "C" fn delete(managed: *mut DLManagedTensor) {
    // SAFETY: the context is the tensor's counter.
    let deleted = unsafe { &*(*managed).manager_ctx.cast::<AtomicU32>() };
    deleted.fetch_add(1, Ordering::Relaxed);
}

fn foreign(shape: &[i64], strides: &[i64]) -> Box<Foreign> {
    let mut foreign = Box::new(Foreign {
        data: (0..12).map(|value| value as f32).collect(),
        shape: shape.to_vec(),
        strides: strides.to_vec(),
        deleted: Box::new(AtomicU32::new(0)),
        managed: DLManagedTensor {
            dl_tensor: DLTensor {
                data: ptr::null_mut(),
                device: DLDevice {
                    device_type: 1,
                    device_id: 0,
                },
                ndim: shape.len() as i32,
                dtype: DLDataType {
                    code: 2,
                    bits: 32,
                    lanes: 1,
                },
                shape: ptr::null_mut(),
                strides: ptr::null_mut(),
                byte_offset: 0,
            },
            manager_ctx: ptr::null_mut(),
            deleter: Some(delete),
        },
    });
    foreign.managed.dl_tensor.data = foreign.data.as_mut_ptr().cast();
    foreign.managed.manager_ctx = (&raw const *foreign.deleted).cast_mut().cast();
    foreign.managed.dl_tensor.shape = foreign.shape.as_mut_ptr();
    foreign.managed.dl_tensor.strides = foreign.strides.as_mut_ptr();
    foreign
}

fn import(foreign: &mut Foreign) -> Result<Tensor, String> {
    // SAFETY: the test owns the tensor, and outlives the import.
    unsafe { Tensor::from_dlpack(&raw mut foreign.managed) }.map_err(|error| error.to_string())
}

#[test]
fn an_imported_tensor_lies_where_it_lay() {
    let mut source = foreign(&[2, 1, 5], &[5, 99, 1]);
    source.managed.dl_tensor.byte_offset = 4;
    let tensor = import(&mut source).unwrap();
    assert_eq!(
        (tensor.dtype(), tensor.shape()),
        (DType::F32, &[2, 1, 5][..])
    );
    assert_eq!(tensor.bytes().as_ptr(), source.data[1..].as_ptr().cast());
    let expected: Vec<f32> = (1..11).map(|value| value as f32).collect();
    assert_eq!(tensor.as_slice::<f32>().unwrap(), expected);
    let copy = tensor.clone();
    drop(tensor);
    assert_eq!(source.deleted.load(Ordering::Relaxed), 1, "given back once");
    assert_eq!(copy.to_f32().unwrap(), expected);
}

#[test]
fn an_exported_tensor_comes_back() {
    let tensor = Tensor::from_slice(&[3], &[7i64, 8, 9]).unwrap();
    let place = tensor.bytes().as_ptr();
    let exported = tensor.into_dlpack();
    // SAFETY: just exported.
    let view = unsafe { &(*exported).dl_tensor };
    assert_eq!(view.data.cast_const().cast(), place);
    assert_eq!((view.ndim, view.dtype.code, view.dtype.bits), (1, 0, 64));
    // SAFETY: just exported, and nobody else has it.
    let back = unsafe { Tensor::from_dlpack(exported) }.unwrap();
    assert_eq!(back.bytes().as_ptr(), place);
    assert_eq!(back.as_slice::<i64>().unwrap(), [7, 8, 9]);
    // Once more, out of the import.
    let again = back.into_dlpack();
    // SAFETY: just exported, and nobody else has it.
    let again = unsafe { Tensor::from_dlpack(again) }.unwrap();
    assert_eq!(again.as_slice::<i64>().unwrap(), [7, 8, 9]);
}

#[test]
fn tensors_that_cannot_be_used_in_place_stay_with_the_caller() {
    let mut transposed = foreign(&[3, 4], &[1, 3]);
    assert_eq!(
        import(&mut transposed).unwrap_err(),
        "cannot import the tensor: its strides [1, 3] are not those of a dense row-major \
         [3, 4]; make it contiguous first"
    );
    let mut elsewhere = foreign(&[2], &[1]);
    elsewhere.managed.dl_tensor.device.device_type = 2;
    let error = import(&mut elsewhere).unwrap_err();
    assert!(error.ends_with("copy it to host memory first"), "{error}");
    // A float of 8 bits, and a vector of two of 32.
    let [mut small, mut vector] = [(8, 1), (32, 2)].map(|(bits, lanes)| {
        let mut tensor = foreign(&[2], &[1]);
        let dtype = &mut tensor.managed.dl_tensor.dtype;
        (dtype.bits, dtype.lanes) = (bits, lanes);
        tensor
    });
    for other in [&mut small, &mut vector] {
        assert!(import(other).unwrap_err().contains("is not supported"));
    }
    let mut crooked = foreign(&[2], &[1]);
    crooked.managed.dl_tensor.byte_offset = 2;
    assert!(
        import(&mut crooked)
            .unwrap_err()
            .contains("no place for elements")
    );
    for kept in [transposed, elsewhere, small, vector, crooked] {
        assert_eq!(kept.deleted.load(Ordering::Relaxed), 0);
    }
}

#[test]
fn every_element_type_goes_out_and_comes_back() {
    // dlpack.h: codes of signed, unsigned, float, bfloat and bool.
    let known = [
        (DType::Bool, 6, 8),
        (DType::I8, 0, 8),
        (DType::I16, 0, 16),
        (DType::I32, 0, 32),
        (DType::I64, 0, 64),
        (DType::U8, 1, 8),
        (DType::U16, 1, 16),
        (DType::U32, 1, 32),
        (DType::U64, 1, 64),
        (DType::F16, 2, 16),
        (DType::BF16, 4, 16),
        (DType::F32, 2, 32),
        (DType::F64, 2, 64),
        (DType::F8E4M3FN, 10, 8),
        (DType::F8E4M3FNUZ, 11, 8),
        (DType::F8E5M2, 12, 8),
        (DType::F8E5M2FNUZ, 13, 8),
    ];
    // DLPack packs those of fewer than 8 bits, which have a byte each here.
    let bytes = [DType::F4E2M1FN, DType::I4, DType::U4, DType::I2, DType::U2];
    assert_eq!(DType::all().count(), known.len() + bytes.len());
    for dtype in bytes {
        assert_eq!(DLDataType::from(dtype), DType::U8.into(), "{dtype}");
    }
    for (dtype, code, bits) in known {
        let exported = Tensor::zeros(dtype, &[3]).into_dlpack();
        // SAFETY: just exported.
        let seen = unsafe { (*exported).dl_tensor.dtype };
        assert_eq!(
            (seen.code, seen.bits, seen.lanes),
            (code, bits, 1),
            "{dtype}"
        );
        // SAFETY: just exported, and nobody else has it.
        let back = unsafe { Tensor::from_dlpack(exported) }.unwrap();
        assert_eq!((back.dtype(), back.shape()), (dtype, &[3][..]));
    }
}

#[test]
fn bf16_is_no_float_of_16_bits() {
    let tensor = Tensor::from_bytes(DType::BF16, &[2], &[0x80, 0x3f, 0, 0]).unwrap();
    let exported = tensor.into_dlpack();
    // SAFETY: just exported.
    let dtype = unsafe { (*exported).dl_tensor.dtype };
    assert_eq!((dtype.code, dtype.bits, dtype.lanes), (4, 16, 1));
    // SAFETY: just exported, and nobody else has it.
    let back = unsafe { Tensor::from_dlpack(exported) }.unwrap();
    assert_eq!(
        (back.dtype(), back.bytes()),
        (DType::BF16, &[0x80, 0x3f, 0, 0][..])
    );
}
