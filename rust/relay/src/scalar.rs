//! Rust's types of elements.

use half::{bf16, f16};
use ndarray::ArrayD;
use relay_runtime::{DType, RuntimeError as Error, Tensor};

/// A type that the elements of a model's tensors have in Rust; booleans are [`bool`].
pub trait Scalar: Copy + sealed::Sealed {
    /// The element type in the model.
    const DTYPE: DType;

    /// The elements of a tensor, copied.
    ///
    /// # Errors
    /// If they are of another type.
    fn array(tensor: &Tensor) -> Result<ArrayD<Self>, Error>;
}

mod sealed {
    /// Types whose values have the bytes that models read and write.
    pub trait Sealed {}
}

fn shape(tensor: &Tensor) -> Vec<usize> {
    tensor.shape().iter().map(|&dim| dim as usize).collect()
}

fn other_type<T: Scalar>(tensor: &Tensor) -> Error {
    let (given, wanted) = (tensor.dtype(), T::DTYPE);
    Error::Input(format!(
        "the tensor has elements of type {given}, not {wanted}"
    ))
}

fn collect<T: Scalar>(tensor: &Tensor, elements: Vec<T>) -> Result<ArrayD<T>, Error> {
    ArrayD::from_shape_vec(shape(tensor), elements).map_err(|error| Error::Input(error.to_string()))
}

macro_rules! scalars {
    ($($ty:ty => $dtype:ident),*) => {
        $(impl sealed::Sealed for $ty {}
        impl Scalar for $ty {
            const DTYPE: DType = DType::$dtype;

            fn array(tensor: &Tensor) -> Result<ArrayD<Self>, Error> {
                let elements = tensor.as_slice::<Self>();
                let elements = elements.ok_or_else(|| other_type::<Self>(tensor))?;
                collect(tensor, elements.to_vec())
            }
        })*
    };
}

scalars!(
    i8 => I8, i16 => I16, i32 => I32, i64 => I64, u8 => U8, u16 => U16, u32 => U32, u64 => U64,
    f16 => F16, bf16 => BF16, f32 => F32, f64 => F64
);

impl sealed::Sealed for bool {}

impl Scalar for bool {
    const DTYPE: DType = DType::Bool;

    fn array(tensor: &Tensor) -> Result<ArrayD<Self>, Error> {
        if tensor.dtype() != DType::Bool {
            return Err(other_type::<Self>(tensor));
        }
        collect(
            tensor,
            tensor.bytes().iter().map(|byte| *byte != 0).collect(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tensors_become_arrays_of_their_type() -> Result<(), Box<dyn std::error::Error>> {
        let tensor =
            Tensor::from_slice(&[2, 3], &[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0]).ok_or("six")?;
        assert_eq!(
            f32::array(&tensor)?,
            ndarray::array![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]].into_dyn()
        );
        let error = i32::array(&tensor).err().ok_or("another type")?;
        assert_eq!(
            error.to_string(),
            "the tensor has elements of type f32, not i32"
        );
        let truths = Tensor::from_bytes(DType::Bool, &[2], &[0, 1]).ok_or("two")?;
        assert_eq!(
            bool::array(&truths)?,
            ndarray::array![false, true].into_dyn()
        );
        Ok(())
    }
}
