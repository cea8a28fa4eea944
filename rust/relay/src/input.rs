//! What a model reads, where the caller has it.

use crate::{Error, Port, Scalar, Tensor};
use ndarray::{ArrayBase, Data, Dimension};
use relay_runtime::DType;
use std::{ffi::c_void, marker::PhantomData};

/// A tensor of the caller's, which is not copied: made of a [`Tensor`], or of ndarray's arrays and views in standard layout.
#[derive(Clone, Debug)]
pub struct Input<'a> {
    dtype: DType,
    shape: Vec<i64>,
    /// Whether elements follow one another, row after row.
    is_dense: bool,
    data: *const c_void,
    owner: PhantomData<&'a ()>,
}

impl Input<'_> {
    /// The dimensions.
    pub(crate) fn shape(&self) -> &[i64] {
        &self.shape
    }

    /// The address of the elements, if they are what a port of the model takes.
    pub(crate) fn at(&self, port: &Port) -> Result<*const c_void, Error> {
        let name = &port.name;
        if self.dtype != port.dtype || !port.takes(&self.shape) {
            return Err(Error::Input(format!(
                "input '{name}': expected {} {}, got {} {:?}",
                port.dtype,
                port.show_shape(),
                self.dtype,
                self.shape
            )));
        }
        if !self.is_dense {
            return Err(Error::Input(format!(
                "input '{name}' is not in standard layout: array.as_standard_layout() makes a copy that is"
            )));
        }
        Ok(self.data)
    }
}

impl<'a> From<&'a Tensor> for Input<'a> {
    fn from(tensor: &'a Tensor) -> Self {
        Self {
            dtype: tensor.dtype(),
            shape: tensor.shape().to_vec(),
            is_dense: true,
            data: tensor.bytes().as_ptr().cast(),
            owner: PhantomData,
        }
    }
}

impl<'a, T, S, D> From<&'a ArrayBase<S, D>> for Input<'a>
where
    T: Scalar,
    S: Data<Elem = T>,
    D: Dimension,
{
    fn from(array: &'a ArrayBase<S, D>) -> Self {
        Self {
            dtype: T::DTYPE,
            shape: array.shape().iter().map(|&dim| dim as i64).collect(),
            is_dense: array.is_standard_layout(),
            data: array.as_ptr().cast(),
            owner: PhantomData,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::Array2;

    #[test]
    fn inputs_are_what_the_model_takes() {
        let port = Port::new("x", DType::F32, [2, 3]);
        let says = |input: Input<'_>| {
            input
                .at(&port)
                .map(|_| ())
                .map_err(|error| error.to_string())
        };
        assert_eq!(says((&Array2::<f32>::zeros((2, 3))).into()), Ok(()));
        let mut open = Port::new("x", DType::F32, [-1, 3]);
        open.dims = vec![Some("n".into()), None];
        let given = Array2::<f32>::zeros((7, 3));
        assert!(Input::from(&given).at(&open).is_ok());
        let error = Input::from(&Array2::<f32>::zeros((7, 4))).at(&open).err();
        assert_eq!(
            error.map(|error| error.to_string()),
            Some("input 'x': expected f32 [n, 3], got f32 [7, 4]".into())
        );
        assert_eq!(
            says((&Array2::<i32>::zeros((3, 3))).into()),
            Err("input 'x': expected f32 [2, 3], got i32 [3, 3]".into())
        );
        let turned = Array2::<f32>::zeros((3, 2));
        let refused = says((&turned.t()).into());
        assert!(refused.is_err_and(|text| text.contains("not in standard layout")));
    }
}
