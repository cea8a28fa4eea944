"""Exports whole models with open dimensions from PyTorch, by both of its exporters, with random weights.

Each becomes NAME.onnx, and the inputs for each choice of sizes NAME.0.npz, NAME.1.npz and so on. `check_models.py`
compares libraries of them with ONNX Runtime. It needs torch, torchvision, transformers and onnxscript.
"""

import argparse
import dataclasses
import pathlib
import traceback
import warnings
from collections.abc import Callable

import numpy as np
import torch
import transformers
from torch import nn
from torch.nn import functional

import export_parts as parts

VOCABULARY = 100


@dataclasses.dataclass
class Export:
    """A model, its inputs and their open dimensions."""

    make: Callable
    # Makes the inputs from sizes, in the order of the model's parameters.
    feeds: Callable
    # Open dimensions of inputs and of outputs, by axis.
    inputs: dict
    outputs: dict
    sizes: list
    exporters: tuple = ("script", "dynamo")


def images(rng, *shape):
    return rng.random(shape, np.float32)


def tokens(rng, *shape):
    return rng.integers(1, VOCABULARY, shape)


def padding(rng, batch, length):
    """A mask with ones at the front of each row."""
    counts = rng.integers(1, length + 1, (batch, 1))
    counts[0] = length
    return (np.arange(length)[None] < counts).astype(np.int64)


def residual():
    import torchvision

    return torchvision.models.resnet18(weights=None)


def bert():
    config = transformers.BertConfig(
        vocab_size=VOCABULARY, hidden_size=64, num_hidden_layers=2, num_attention_heads=4, intermediate_size=128, max_position_embeddings=128
    )
    model = transformers.BertModel(config, add_pooling_layer=True)
    model.config._attn_implementation = "eager"

    class Encoder(nn.Module):
        def __init__(self):
            super().__init__()
            self.model = model

        def forward(self, input_ids, attention_mask, token_type_ids):
            result = self.model(input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids)
            return result.last_hidden_state, result.pooler_output

    return Encoder()


def wav2vec():
    config = transformers.Wav2Vec2Config(
        vocab_size=32, hidden_size=64, num_hidden_layers=2, num_attention_heads=4, intermediate_size=128,
        conv_dim=(32, 32, 32), conv_stride=(5, 2, 2), conv_kernel=(10, 3, 2), num_conv_pos_embeddings=16, num_conv_pos_embedding_groups=4,
        num_feat_extract_layers=3,
    )  # fmt: skip
    model = transformers.Wav2Vec2ForCTC(config)
    model.config._attn_implementation = "eager"

    class Recogniser(nn.Module):
        def __init__(self):
            super().__init__()
            self.model = model

        def forward(self, samples):
            return self.model(samples).logits

    return Recogniser()


def vit():
    config = transformers.ViTConfig(hidden_size=64, num_hidden_layers=2, num_attention_heads=4, intermediate_size=128, image_size=64, patch_size=8)
    model = transformers.ViTModel(config)
    model.config._attn_implementation = "eager"

    class Encoder(nn.Module):
        def __init__(self):
            super().__init__()
            self.model = model

        def forward(self, image):
            return self.model(image, interpolate_pos_encoding=True).last_hidden_state

    return Encoder()


def hugging_decoder(model, layers):
    """A decoder whose past keys and values are inputs and outputs."""
    model.config._attn_implementation = "eager"

    class Decoder(nn.Module):
        def __init__(self):
            super().__init__()
            self.model = model

        def forward(self, input_ids, attention_mask, position_ids, *past):
            cache = transformers.DynamicCache()
            for layer in range(layers):
                cache.update(past[2 * layer], past[2 * layer + 1], layer)
            result = self.model(
                input_ids=input_ids, attention_mask=attention_mask, position_ids=position_ids, past_key_values=cache, use_cache=True
            )
            present = [tensor for layer in result.past_key_values.layers for tensor in (layer.keys, layer.values)]
            return result.logits, *present

    return Decoder()


def gpt2():
    config = transformers.GPT2Config(vocab_size=VOCABULARY, n_positions=128, n_embd=64, n_layer=2, n_head=4)
    return hugging_decoder(transformers.GPT2LMHeadModel(config), 2)


def llama():
    config = transformers.LlamaConfig(
        vocab_size=VOCABULARY, hidden_size=64, intermediate_size=128, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2,
        max_position_embeddings=128,
    )  # fmt: skip
    return hugging_decoder(transformers.LlamaForCausalLM(config), 2)


def decoder_feeds(heads, size, layers):
    def feeds(rng, batch, length, past):
        state = [rng.standard_normal((batch, heads, past, size)).astype(np.float32) for _ in range(2 * layers)]
        mask = np.ones((batch, past + length), np.int64)
        places = np.broadcast_to(np.arange(past, past + length), (batch, length)).copy()
        named = {f"past_{layer}_{part}": state[2 * layer + place] for layer in range(layers) for place, part in enumerate(("key", "value"))}
        return {"input_ids": tokens(rng, batch, length), "attention_mask": mask, "position_ids": places, **named}

    return feeds


def decoder(make, heads, size=16, layers=2):
    parts_of = [f"{layer}_{part}" for layer in range(layers) for part in ("key", "value")]
    return Export(
        make, decoder_feeds(heads, size, layers),
        {
            "input_ids": {0: "batch", 1: "length"}, "attention_mask": {0: "batch", 1: "all"}, "position_ids": {0: "batch", 1: "length"},
            **{f"past_{part}": {0: "batch", 2: "past"} for part in parts_of},
        },
        {"logits": {0: "batch", 1: "length"}, **{f"present_{part}": {0: "batch", 2: "all"} for part in parts_of}},
        [dict(batch=1, length=7, past=0), dict(batch=1, length=1, past=7), dict(batch=2, length=1, past=30),
         dict(batch=3, length=5, past=11), dict(batch=2, length=16, past=0)],
    )  # fmt: skip


def ssdlite():
    import torchvision

    model = torchvision.models.detection.ssdlite320_mobilenet_v3_large(weights=None, weights_backbone=None, num_classes=5, score_thresh=0.2)
    return parts.Detector(parts.spread(model))


def faster_rcnn():
    import torchvision

    model = torchvision.models.detection.fasterrcnn_mobilenet_v3_large_320_fpn(
        weights=None, weights_backbone=None, num_classes=5, box_score_thresh=0.1
    )
    return parts.Detector(parts.spread(model))


IMAGE = {0: "batch", 2: "height", 3: "width"}
DETECTIONS = {"boxes": {0: "count"}, "scores": {0: "count"}, "labels": {0: "count"}}

EXPORTS = {
    "residual": Export(
        residual, lambda rng, batch: {"image": images(rng, batch, 3, 96, 96)}, {"image": {0: "batch"}}, {"scores": {0: "batch"}},
        [dict(batch=batch) for batch in (1, 2, 5, 8, 16)],
    ),
    "bert": Export(
        bert,
        lambda rng, batch, length: {
            "input_ids": tokens(rng, batch, length), "attention_mask": padding(rng, batch, length),
            "token_type_ids": np.zeros((batch, length), np.int64),
        },
        {name: {0: "batch", 1: "length"} for name in ("input_ids", "attention_mask", "token_type_ids")},
        {"hidden": {0: "batch", 1: "length"}, "pooled": {0: "batch"}},
        [dict(batch=batch, length=length) for batch, length in ((1, 1), (2, 7), (4, 64), (3, 128), (16, 31))],
    ),
    "crnn": Export(
        parts.Crnn, lambda rng, batch, width: {"image": images(rng, batch, 1, 32, width)}, {"image": {0: "batch", 3: "width"}},
        {"scores": {0: "batch", 1: "steps"}},
        [dict(batch=batch, width=width) for batch, width in ((1, 32), (2, 100), (1, 320), (3, 211), (1, 640))],
    ),
    "svtr": Export(
        parts.Svtr, lambda rng, batch, width: {"image": images(rng, batch, 3, 32, width)}, {"image": {0: "batch", 3: "width"}},
        {"scores": {0: "batch", 1: "steps"}},
        [dict(batch=batch, width=width) for batch, width in ((1, 32), (2, 100), (1, 320), (3, 212), (1, 640))],
    ),
    "yolo": Export(
        parts.Yolo, lambda rng, height, width: {"image": images(rng, 1, 3, height, width)}, {"image": {2: "height", 3: "width"}}, DETECTIONS,
        [dict(height=height, width=width) for height, width in ((64, 64), (96, 160), (320, 320), (256, 480), (416, 128))],
    ),
    "lstm": Export(
        parts.Tagger, lambda rng, batch, length: {"words": tokens(rng, batch, length)}, {"words": {0: "batch", 1: "length"}},
        {"tags": {0: "batch", 1: "length"}},
        [dict(batch=batch, length=length) for batch, length in ((1, 1), (2, 9), (1, 50), (5, 17), (3, 200))],
    ),
    "gru": Export(
        lambda: parts.Tagger(nn.GRU), lambda rng, batch, length: {"words": tokens(rng, batch, length)}, {"words": {0: "batch", 1: "length"}},
        {"tags": {0: "batch", 1: "length"}},
        [dict(batch=batch, length=length) for batch, length in ((1, 1), (2, 9), (1, 50), (5, 17), (3, 200))],
    ),
    "whisper_encoder": Export(
        parts.SpeechEncoder, lambda rng, batch, frames: {"mel": images(rng, batch, 20, frames)}, {"mel": {0: "batch", 2: "frames"}},
        {f"cross_{layer}_{part}": {0: "batch", 2: "steps"} for layer in range(2) for part in ("key", "value")},
        [dict(batch=batch, frames=frames) for batch, frames in ((1, 16), (2, 50), (1, 300), (3, 77), (1, 100))],
    ),
    "whisper_decoder": Export(
        parts.SpeechDecoder,
        lambda rng, batch, length, past, steps: {
            "words": tokens(rng, batch, length),
            **{
                f"{kind}_{layer}_{part}": rng.standard_normal((batch, 4, count, 16)).astype(np.float32)
                for kind, count in (("past", past), ("cross", steps)) for layer in range(2) for part in ("key", "value")
            },
        },
        {
            "words": {0: "batch", 1: "length"},
            **{f"past_{layer}_{part}": {0: "batch", 2: "past"} for layer in range(2) for part in ("key", "value")},
            **{f"cross_{layer}_{part}": {0: "batch", 2: "steps"} for layer in range(2) for part in ("key", "value")},
        },
        {
            "scores": {0: "batch", 1: "length"},
            **{f"present_{layer}_{part}": {0: "batch", 2: "all"} for layer in range(2) for part in ("key", "value")},
        },
        [dict(batch=1, length=4, past=0, steps=50), dict(batch=1, length=1, past=4, steps=50), dict(batch=2, length=1, past=33, steps=7),
         dict(batch=3, length=5, past=2, steps=1), dict(batch=1, length=16, past=8, steps=150)],
    ),
    "gpt2": decoder(gpt2, 4),
    "llama": decoder(llama, 2),
    "ssdlite": Export(
        ssdlite, lambda rng, height, width: {"image": images(rng, 3, height, width)}, {"image": {1: "height", 2: "width"}}, DETECTIONS,
        [dict(height=height, width=width) for height, width in ((320, 320), (210, 300), (480, 360), (240, 240), (320, 640))],
        ("script",),
    ),
    "faster_rcnn": Export(
        faster_rcnn, lambda rng, height, width: {"image": images(rng, 3, height, width)}, {"image": {1: "height", 2: "width"}}, DETECTIONS,
        [dict(height=height, width=width) for height, width in ((320, 320), (210, 300), (480, 360), (240, 240), (320, 640))],
        ("script",),
    ),
    "wav2vec": Export(
        wav2vec, lambda rng, batch, samples: {"samples": rng.standard_normal((batch, samples)).astype(np.float32)},
        {"samples": {0: "batch", 1: "samples"}}, {"scores": {0: "batch", 1: "steps"}},
        [dict(batch=batch, samples=samples) for batch, samples in ((1, 400), (2, 1600), (1, 4000), (3, 1111), (1, 8000))],
    ),
    "vit": Export(
        vit, lambda rng, batch, height, width: {"image": images(rng, batch, 3, height, width)}, {"image": IMAGE},
        {"hidden": {0: "batch", 1: "patches"}},
        [dict(batch=batch, height=height, width=width) for batch, height, width in ((1, 64, 64), (2, 32, 48), (1, 96, 128), (3, 80, 40), (1, 160, 160))],
    ),
    "unet": Export(
        parts.Unet, lambda rng, batch, height, width: {"image": images(rng, batch, 3, height, width)}, {"image": IMAGE}, {"mask": IMAGE},
        [dict(batch=batch, height=height, width=width) for batch, height, width in ((1, 64, 64), (2, 32, 48), (1, 96, 128), (3, 80, 40), (1, 160, 160))],
    ),
    "unet_cropped": Export(
        lambda: parts.Unet(crops=True), lambda rng, batch, height, width: {"image": images(rng, batch, 3, height, width)}, {"image": IMAGE}, {"mask": IMAGE},
        [dict(batch=batch, height=height, width=width) for batch, height, width in ((1, 64, 64), (2, 33, 47), (1, 97, 126), (3, 81, 43), (1, 160, 161))],
    ),
    "classifier": Export(
        parts.Classifier,
        lambda rng, batch, length: {"words": tokens(rng, batch, length), "mask": padding(rng, batch, length)},
        {name: {0: "batch", 1: "length"} for name in ("words", "mask")}, {"scores": {0: "batch"}},
        [dict(batch=batch, length=length) for batch, length in ((1, 1), (2, 9), (1, 50), (5, 17), (3, 200))],
    ),
    "bag": Export(
        parts.Bag, lambda rng, batch, length: {"words": tokens(rng, batch, length)}, {"words": {0: "batch", 1: "length"}}, {"scores": {0: "batch"}},
        [dict(batch=batch, length=length) for batch, length in ((1, 1), (2, 9), (1, 50), (5, 17), (3, 200))],
    ),
    "tcn": Export(
        parts.Tcn, lambda rng, batch, length: {"x": rng.standard_normal((batch, 8, length)).astype(np.float32)}, {"x": {0: "batch", 2: "length"}},
        {"y": {0: "batch", 2: "length"}},
        [dict(batch=batch, length=length) for batch, length in ((1, 1), (2, 9), (1, 50), (5, 17), (3, 200))],
    ),
    "vae": Export(
        parts.Vae,
        lambda rng, batch, height, width: {
            "image": images(rng, batch, 3, height, width),
            "noise": rng.standard_normal((batch, 4, height // 4, width // 4)).astype(np.float32),
        },
        {"image": IMAGE, "noise": {0: "batch", 2: "rows", 3: "columns"}},
        {"decoded": {0: "batch", 2: "out_height", 3: "out_width"}, "mean": {0: "batch", 2: "rows", 3: "columns"}},
        [dict(batch=batch, height=height, width=width) for batch, height, width in ((1, 64, 64), (2, 32, 48), (1, 96, 128), (3, 80, 40), (1, 160, 160))],
    ),
}  # fmt: skip


def write(name, export, exporter, folder):
    """Writes one model, by one of the exporters, and its inputs."""
    torch.manual_seed(0)
    model = export.make().eval()
    rng = np.random.default_rng(0)
    chosen = [export.feeds(rng, **sizes) for sizes in export.sizes]
    # Sizes of an example are greater than 1 and differ: an exporter takes others for constants.
    example = export.feeds(np.random.default_rng(1), **export.sizes[3])
    arguments = tuple(torch.from_numpy(array) for array in example.values())
    path = folder / f"{name}_{exporter}.onnx"
    names = dict(input_names=list(export.inputs), output_names=list(export.outputs))
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")
        if exporter == "script":
            torch.onnx.export(model, arguments, path, dynamo=False, opset_version=17, dynamic_axes={**export.inputs, **export.outputs}, **names)
        else:
            axes = [{axis: torch.export.Dim.DYNAMIC for axis in export.inputs[key]} for key in export.inputs]
            torch.onnx.export(
                model, arguments, path, dynamo=True, dynamic_shapes=parts.like_parameters(model, axes), external_data=False, verbose=False, **names
            )
    for place, feeds in enumerate(chosen):
        np.savez(folder / f"{name}_{exporter}.{place}.npz", **feeds)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, help="where the models go")
    parser.add_argument("--only", nargs="+", choices=EXPORTS, default=list(EXPORTS), metavar="MODEL", help="these models only")
    parser.add_argument("--exporter", nargs="+", choices=("script", "dynamo"), default=["script", "dynamo"], help="PyTorch's older or newer exporter")
    parser.add_argument("--trace", action="store_true", help="print where an exporter failed")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    for name in options.only:
        for exporter in options.exporter:
            if exporter not in EXPORTS[name].exporters:
                continue
            try:
                write(name, EXPORTS[name], exporter, options.folder)
                print(f"{name}_{exporter}: exported", flush=True)
            except Exception as error:  # noqa: BLE001: an exporter fails in its own ways
                print(f"{name}_{exporter}: {type(error).__name__}: {str(error).strip().splitlines()[0][:300]}", flush=True)
                if options.trace:
                    traceback.print_exc()


if __name__ == "__main__":
    main()
