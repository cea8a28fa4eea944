//! The instance of a session, and the device that it runs on.

use crate::{
    errors::{self, InputError},
    held::Form,
};
use pyo3::prelude::*;
use relay_runtime::{Instance, Model, RuntimeError, device::DeviceMemory};
use std::sync::{Mutex, OnceLock, PoisonError};

/// What runs a model. A model for a device that is not here can be saved, so the instance may be made later, by the first run.
pub struct Runner {
    /// The model.
    pub model: Model,
    /// The number of threads of the instance; 0 for as many as the process may use.
    pub threads: usize,
    /// What is done with a new instance.
    begin: fn(&mut Instance),
    instance: Mutex<Option<Instance>>,
    device: OnceLock<DeviceMemory>,
}

impl Runner {
    /// A runner whose instance is made now. If that fails and the model `may_wait` for its device, the first run tries again, and the text
    /// says why it failed. `begin` is done with a new instance.
    ///
    /// # Errors
    /// If the instance cannot be made.
    pub fn new(
        model: Model,
        threads: usize,
        may_wait: bool,
        begin: fn(&mut Instance),
    ) -> Result<(Self, Option<String>), RuntimeError> {
        let runner = Self {
            model,
            threads,
            begin,
            instance: Mutex::default(),
            device: OnceLock::new(),
        };
        match runner.with(|_| Ok(())) {
            Ok(()) => Ok((runner, None)),
            Err(error) if may_wait && runner.model.device().is_some() => {
                Ok((runner, Some(error.to_string())))
            }
            Err(error) => Err(error),
        }
    }

    /// Makes the instance, and opens its device for tensors of Python's.
    fn make(&self) -> Result<Instance, RuntimeError> {
        let mut instance = self.model.instance(self.threads)?;
        (self.begin)(&mut instance);
        if let Some(kind) = self.model.device()
            && self.device.get().is_none()
        {
            // Another thread that was faster opened the same device.
            let _ = self.device.set(DeviceMemory::open(kind)?);
        }
        Ok(instance)
    }

    /// Does something with the instance, which no other thread has meanwhile.
    ///
    /// # Errors
    /// If there is none and none can be made, or the work fails.
    pub fn with<T>(
        &self,
        work: impl FnOnce(&mut Instance) -> Result<T, RuntimeError>,
    ) -> Result<T, RuntimeError> {
        let mut held = self.instance.lock().unwrap_or_else(PoisonError::into_inner);
        let instance = match held.take() {
            Some(instance) => instance,
            None => self.make()?,
        };
        work(held.insert(instance))
    }

    /// The memory of the device; `None` if the model runs on the processor.
    ///
    /// # Errors
    /// If the device cannot be opened.
    pub fn device(&self, py: Python<'_>) -> PyResult<Option<&DeviceMemory>> {
        if self.model.device().is_some() && self.device.get().is_none() {
            let made = py.detach(|| self.with(|_| Ok(())));
            made.map_err(|error| errors::of_runtime(&error))?;
        }
        Ok(self.device.get())
    }

    /// The form of outputs that a caller asks for: by the name of a device, or in host memory as `host` says. Without a name outputs are
    /// where inputs are.
    ///
    /// # Errors
    /// If the model does not run on the device of this name.
    pub fn form<'a>(
        &'a self,
        name: Option<&str>,
        has_inputs_there: bool,
        host: Form<'a>,
    ) -> PyResult<Form<'a>> {
        let device = self.device.get();
        let there = device.map_or(host, Form::Device);
        let Some(name) = name else {
            return Ok(if has_inputs_there { there } else { host });
        };
        let kind = self.model.device().unwrap_or("cpu");
        let numbered = device.map(|device| format!("{kind}:{}", device.place().device_id));
        match name {
            "cpu" => Ok(host),
            _ if name == kind || Some(name) == numbered.as_deref() => Ok(there),
            _ => {
                let where_else = match numbered {
                    Some(numbered) => format!("'cpu', '{kind}' or '{numbered}'"),
                    None => "'cpu'; compile the model with target=\"nvidia/h100\", for example, to run it on a GPU".into(),
                };
                Err(InputError::new_err(format!(
                    "outputs cannot be on the device '{name}': the model's may be on {where_else}"
                )))
            }
        }
    }
}
