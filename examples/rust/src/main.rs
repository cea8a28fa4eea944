//! Reads digits: each line of the input is an image, 64 numbers from 0 to 1, and each line of the output the digit that it
//! is read as. Without an argument by the network that the program was built with; with one, by the library that
//! it names, on four threads.

use relay::ndarray::{Array4, ArrayViewD};
use std::{error::Error, io::stdin, path::Path, process::ExitCode, thread};

relay::include_model!("digits");

type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

fn main() -> ExitCode {
    match read_input() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn read_input() -> Result<()> {
    let images: Vec<Array4<f32>> = stdin()
        .lines()
        .map(|line| image(&line?))
        .collect::<Result<_>>()?;
    let read = match std::env::args().nth(1) {
        None => read(&images)?,
        Some(library) => read_on_threads(&images, library.as_ref())?,
    };
    read.iter().for_each(|digit| println!("{digit}"));
    Ok(())
}

fn image(line: &str) -> Result<Array4<f32>> {
    let dots = line
        .split_whitespace()
        .map(str::parse)
        .collect::<std::result::Result<Vec<f32>, _>>()?;
    Ok(Array4::from_shape_vec(digits::IMAGE_SHAPE, dots)?)
}

/// The model's inputs and outputs are known to the compiler.
fn read(images: &[Array4<f32>]) -> Result<Vec<usize>> {
    let mut session = digits::Session::new(1)?;
    let read = |image: &Array4<f32>| {
        Ok(best(
            session.run(image.view())?.probabilities.view().into_dyn(),
        ))
    };
    images.iter().map(read).collect()
}

/// The model is known only now; its inputs and outputs have names.
fn read_on_threads(images: &[Array4<f32>], library: &Path) -> Result<Vec<usize>> {
    let model = relay::Shared::new(relay::load(library)?, 1);
    let read = |image: &Array4<f32>| -> Result<usize> {
        let outputs = model.run(&[("image", image.into())])?;
        Ok(best(outputs.array::<f32>("probabilities")?.view()))
    };
    let parts = images.chunks(images.len().div_ceil(4).max(1));
    thread::scope(|scope| {
        let read = &read;
        let threads: Vec<_> = parts
            .map(|part| scope.spawn(move || part.iter().map(read).collect::<Result<Vec<_>>>()))
            .collect();
        let results = threads.into_iter().map(|thread| {
            thread
                .join()
                .unwrap_or_else(|_| Err("a thread panicked".into()))
        });
        results
            .collect::<Result<Vec<_>>>()
            .map(|parts| parts.concat())
    })
}

/// The most probable digit.
fn best(probabilities: ArrayViewD<'_, f32>) -> usize {
    let numbered = probabilities.iter().enumerate();
    numbered
        .max_by(|a, b| a.1.total_cmp(b.1))
        .map_or(0, |(digit, _)| digit)
}
