//! Layers that change nothing when a model is used: what is random in training, and penalties of losses.

use super::row::{Row, item};
use crate::{
    graph::{builder::GraphBuilder, error::Result},
    keras::{
        item::{Item, Tree},
        node::Node,
    },
};

/// The rows of layers.
pub const LAYERS: &[Row] = &[
    item(
        &[
            "ActivityRegularization",
            "AlphaDropout",
            "Dropout",
            "GaussianDropout",
            "GaussianNoise",
            "Identity",
            "SpatialDropout1D",
            "SpatialDropout2D",
            "SpatialDropout3D",
        ],
        unchanged,
    )
    .passing(),
    item(
        &[
            "AugMix",
            "AutoContrast",
            "CutMix",
            "Equalization",
            "MixUp",
            "RandAugment",
            "RandomBrightness",
            "RandomColorDegeneration",
            "RandomColorJitter",
            "RandomContrast",
            "RandomElasticTransform",
            "RandomErasing",
            "RandomFlip",
            "RandomGaussianBlur",
            "RandomGrayscale",
            "RandomHue",
            "RandomInvert",
            "RandomPerspective",
            "RandomPosterization",
            "RandomRotation",
            "RandomSaturation",
            "RandomSharpness",
            "RandomShear",
            "RandomTranslation",
            "RandomZoom",
            "Solarization",
        ],
        augmented,
    ),
];

fn unchanged(n: &Node<'_>, _: &mut GraphBuilder) -> Result<Item> {
    n.config
        .ignore(&["data_format", "l1", "l2", "rate", "stddev"]);
    Ok(n.first()?.clone())
}

/// Augmentations of images are random, and made in training only.
fn augmented(n: &Node<'_>, _: &mut GraphBuilder) -> Result<Item> {
    let always = ["AutoContrast", "Equalization", "Solarization"];
    if always.contains(&n.layer.class.as_str()) {
        return Err("it changes images in training and in use, which is not supported".into());
    }
    let names: Vec<&str> = n.layer.config.keys().map(String::as_str).collect();
    n.config.ignore(&names);
    match n.first()? {
        Tree::Dict(all) => {
            let images = all.iter().find(|(key, _)| key == "images");
            let (_, images) = images.ok_or("its argument has no images")?;
            Ok(images.clone())
        }
        other => Ok(other.clone()),
    }
}
