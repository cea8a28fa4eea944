"""Compiles models of torchvision, timm and transformers, and compares what they compute with PyTorch.

Weights are random. For each model it writes a line: whether it agrees, or why not. `./x torch` runs it; it needs PyTorch.
"""

import argparse
import gc
import os
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np
import torch

ROOT = Path(__file__).resolve().parents[2]
RELAYC = os.environ.get("RELAYC", ROOT / "target/debug/relayc")
# The greatest difference that agrees, of the range of PyTorch's outputs.
TOLERANCE = 1e-4
# The time that compiling and running one model may take, in seconds.
LIMIT = 600


def torchvision_models(kind):
    """The models of a part of torchvision, by name."""
    import torchvision

    names = torchvision.models.list_models(module=getattr(torchvision.models, kind) if kind else torchvision.models)
    size = {"inception_v3": 299, "vit_h_14": 224}
    for name in names:
        yield name, lambda name=name: (torchvision.models.get_model(name, weights=None, **({"weights_backbone": None} if kind else {})), image(size.get(name, 224 if kind is None else 160)))


def image(size, channels=3, samples=1):
    """Noise."""
    return (torch.randn(samples, channels, size, size, generator=torch.Generator().manual_seed(0)),)


def detection_models():
    """Detectors of torchvision, which take a list of images."""
    import torchvision

    class Detector(torch.nn.Module):
        """A detector of one image."""

        def __init__(self, model):
            super().__init__()
            self.model = model

        def forward(self, x):
            found = self.model([x])[0]
            return tuple(found[key] for key in sorted(found))

    names = ["fasterrcnn_resnet50_fpn", "fasterrcnn_mobilenet_v3_large_320_fpn", "retinanet_resnet50_fpn", "ssd300_vgg16", "ssdlite320_mobilenet_v3_large", "fcos_resnet50_fpn", "maskrcnn_resnet50_fpn", "keypointrcnn_resnet50_fpn"]
    for name in names:
        yield name, lambda name=name: (Detector(torchvision.models.get_model(name, weights=None, weights_backbone=None)), (torch.rand(3, 320, 320),))


TIMM = [
    "beit_base_patch16_224", "cait_xxs24_224", "coat_tiny", "coatnet_nano_rw_224", "convit_tiny", "convmixer_768_32", "convnext_atto", "crossvit_tiny_240", "cspdarknet53", "deit3_small_patch16_224", "dla34", "dpn68", "edgenext_xx_small",
    "efficientformer_l1", "efficientformerv2_s0", "efficientnet_b0", "efficientvit_b0", "efficientvit_m0", "eva02_tiny_patch14_224", "fastvit_t8", "focalnet_tiny_srf", "gcvit_xxtiny", "ghostnet_100", "gmlp_s16_224", "hardcorenas_a", "hgnet_tiny", "hiera_tiny_224",
    "hrnet_w18_small", "inception_next_tiny", "inception_v4", "levit_128", "lcnet_050", "maxvit_nano_rw_256", "mixer_s16_224", "mlp_mixer_b16_224", "mnasnet_100", "mobilenetv3_large_100", "mobilenetv4_conv_small", "mobileone_s0", "mobilevit_s", "mobilevitv2_050", "mvitv2_tiny",
    "nasnetalarge", "nest_tiny", "nfnet_f0", "pit_ti_224", "poolformer_s12", "pvt_v2_b0", "regnetx_002", "regnety_002", "repvgg_a0", "repvit_m1", "res2net50_26w_4s", "resmlp_12_224", "resnest14d", "resnet18", "resnetv2_50", "rexnet_100", "sebotnet33ts_256", "selecsls42b",
    "sequencer2d_s", "skresnet18", "starnet_s1", "swin_tiny_patch4_window7_224", "swinv2_tiny_window8_256", "tiny_vit_5m_224", "tnt_s_patch16_224", "twins_pcpvt_small", "twins_svt_small", "vgg11", "visformer_tiny", "vit_tiny_patch16_224", "volo_d1_224", "vovnet39a", "xception41", "xcit_nano_12_p16_224",
]


def timm_models():
    """A model of each of many families of timm."""
    import timm

    for name in TIMM:
        def make(name=name):
            model = timm.create_model(name, pretrained=False)
            size = model.default_cfg.get("input_size", (3, 224, 224))[-1]
            return model, image(size)

        yield name, make


class Language(torch.nn.Module):
    """The first output of a language model."""

    def __init__(self, model, mask=True):
        super().__init__()
        self.model, self.mask = model, mask

    def forward(self, ids, mask):
        found = self.model(input_ids=ids, **({"attention_mask": mask} if self.mask else {}), **({"use_cache": False} if hasattr(self.model.config, "use_cache") else {}))
        return found[0]


def transformers_models():
    """Small models of architectures of transformers."""
    import transformers as t

    small = dict(vocab_size=97, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=48, max_position_embeddings=64)
    grouped = dict(small, num_key_value_heads=2)
    ids = (torch.randint(5, 97, (2, 11), generator=torch.Generator().manual_seed(0)), torch.ones(2, 11, dtype=torch.int64))
    text = {
        "bert": (t.BertConfig, small), "roberta": (t.RobertaConfig, small), "distilbert": (t.DistilBertConfig, dict(vocab_size=97, dim=32, n_layers=2, n_heads=4, hidden_dim=48, max_position_embeddings=64)), "albert": (t.AlbertConfig, dict(small, embedding_size=16)), "electra": (t.ElectraConfig, dict(small, embedding_size=16)), "deberta_v2": (t.DebertaV2Config, dict(small, relative_attention=True, pos_att_type=["p2c", "c2p"])), "mpnet": (t.MPNetConfig, small),
        "gpt2": (t.GPT2Config, dict(vocab_size=97, n_embd=32, n_layer=2, n_head=4, n_positions=64)), "gpt_neox": (t.GPTNeoXConfig, small), "opt": (t.OPTConfig, dict(vocab_size=97, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, ffn_dim=48, max_position_embeddings=64, word_embed_proj_dim=32)), "bloom": (t.BloomConfig, dict(vocab_size=97, hidden_size=32, n_layer=2, n_head=4)), "llama": (t.LlamaConfig, grouped), "mistral": (t.MistralConfig, grouped), "qwen2": (t.Qwen2Config, grouped), "qwen3": (t.Qwen3Config, dict(grouped, head_dim=8)), "gemma2": (t.Gemma2Config, dict(grouped, head_dim=8)),
        "phi": (t.PhiConfig, small), "phi3": (t.Phi3Config, dict(grouped, pad_token_id=0)), "stablelm": (t.StableLmConfig, grouped), "mixtral": (t.MixtralConfig, dict(grouped, num_local_experts=4)), "modernbert": (t.ModernBertConfig, dict(small, pad_token_id=0)), "falcon": (t.FalconConfig, dict(vocab_size=97, hidden_size=32, num_hidden_layers=2, num_attention_heads=4)), "olmo": (t.OlmoConfig, grouped), "gpt_neo": (t.GPTNeoConfig, dict(vocab_size=97, hidden_size=32, num_layers=2, num_heads=4, max_position_embeddings=64, attention_types=[[["global", "local"], 1]])), "mamba": (t.MambaConfig, dict(vocab_size=97, hidden_size=32, num_hidden_layers=2, state_size=8)),
        "qwen3_moe": (t.Qwen3MoeConfig, dict(grouped, num_experts=4, num_experts_per_tok=2, moe_intermediate_size=24, head_dim=8)), "gpt_oss": (t.GptOssConfig, dict(grouped, num_local_experts=4, num_experts_per_tok=2, head_dim=8)), "granitemoe": (t.GraniteMoeConfig, dict(grouped, num_local_experts=4, num_experts_per_tok=2)), "olmoe": (t.OlmoeConfig, dict(grouped, num_experts=4, num_experts_per_tok=2)),
        "smollm3": (t.SmolLM3Config, dict(grouped, pad_token_id=0)), "granite": (t.GraniteConfig, grouped), "cohere": (t.CohereConfig, grouped), "gemma3": (t.Gemma3TextConfig, dict(grouped, head_dim=8)), "xlm_roberta": (t.XLMRobertaConfig, small), "camembert": (t.CamembertConfig, small), "ernie": (t.ErnieConfig, small), "nystromformer": (t.NystromformerConfig, dict(small, num_landmarks=4, segment_means_seq_len=8)), "fnet": (t.FNetConfig, dict(vocab_size=97, hidden_size=32, num_hidden_layers=2, intermediate_size=48, max_position_embeddings=64)),
    }
    for name, (config, fields) in text.items():
        yield name, lambda config=config, fields=fields, name=name: (Language(t.AutoModel.from_config(config(**fields), attn_implementation=None), name not in ("mamba", "fnet")), ids)
    pixels = dict(image_size=32, patch_size=8, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=48)
    vision = {
        "vit": (t.ViTConfig, pixels), "deit": (t.DeiTConfig, pixels), "beit": (t.BeitConfig, pixels), "dinov2": (t.Dinov2Config, dict(pixels, mlp_ratio=2)), "swin": (t.SwinConfig, dict(image_size=32, patch_size=4, embed_dim=16, depths=[1, 1], num_heads=[2, 2], window_size=4)), "convnext": (t.ConvNextConfig, dict(hidden_sizes=[8, 16], depths=[1, 1], num_stages=2)), "segformer": (t.SegformerConfig, {}), "resnet": (t.ResNetConfig, dict(embedding_size=8, hidden_sizes=[8, 16], depths=[1, 1])), "mobilevit": (t.MobileViTConfig, {}), "clip_vision": (t.CLIPVisionConfig, pixels), "siglip_vision": (t.SiglipVisionConfig, pixels), "pvt": (t.PvtConfig, {}), "levit": (t.LevitConfig, {}), "mobilenet_v2": (t.MobileNetV2Config, {}), "poolformer": (t.PoolFormerConfig, {}), "regnet": (t.RegNetConfig, dict(embedding_size=8, hidden_sizes=[8, 16], depths=[1, 1], groups_width=4)), "vit_mae": (None, None),
    }

    class Vision(torch.nn.Module):
        """The first output of a vision model."""

        def __init__(self, model):
            super().__init__()
            self.model = model

        def forward(self, x):
            return self.model(pixel_values=x)[0]

    for name, (config, fields) in vision.items():
        if config is None:
            continue
        size = {"segformer": 64, "mobilevit": 64, "pvt": 64, "levit": 224, "poolformer": 64, "mobilenet_v2": 64}.get(name, 32)
        yield name, lambda config=config, fields=fields, size=size: (Vision(t.AutoModel.from_config(config(**fields))), image(size))
    yield "whisper_encoder", lambda: (First(t.WhisperModel(t.WhisperConfig(vocab_size=97, d_model=32, encoder_layers=2, decoder_layers=2, encoder_attention_heads=4, decoder_attention_heads=4, encoder_ffn_dim=48, decoder_ffn_dim=48, max_source_positions=20, num_mel_bins=8, pad_token_id=0, bos_token_id=1, eos_token_id=2, decoder_start_token_id=1)).encoder), (torch.randn(1, 8, 40),))
    yield "t5_encoder", lambda: (First(t.T5EncoderModel(t.T5Config(vocab_size=97, d_model=32, d_kv=8, d_ff=48, num_layers=2, num_heads=4))), ids[:1])
    yield "wav2vec2", lambda: (First(t.Wav2Vec2Model(t.Wav2Vec2Config(hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=48, conv_dim=(8, 8), conv_stride=(5, 2), conv_kernel=(10, 3), num_conv_pos_embeddings=8, num_conv_pos_embedding_groups=4))), (torch.randn(1, 400),))


class First(torch.nn.Module):
    """The first output of a model."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, x):
        return self.model(x)[0]


def video_models():
    """The networks of videos of torchvision, by name."""
    import torchvision

    for name in torchvision.models.list_models(module=torchvision.models.video):
        # Attention over places has one size of images; convolutions take any.
        size, frames = (224, 16) if name == "s3d" or name.startswith("mvit") else (112, 8)
        clip = torch.randn(1, 3, frames, size, size, generator=torch.Generator().manual_seed(0))
        yield name, lambda name=name, clip=clip: (torchvision.models.get_model(name, weights=None), (clip,))


SUITES = {
    "classification": lambda: torchvision_models(None),
    "segmentation": lambda: torchvision_models("segmentation"),
    "detection": detection_models,
    "video": video_models,
    "timm": timm_models,
    "transformers": transformers_models,
}


def randomised(model):
    """A model whose statistics and scales are not all zeros and ones, so that mistakes show."""
    generator = torch.Generator().manual_seed(1)
    for module in model.modules():
        if isinstance(module, torch.nn.modules.batchnorm._BatchNorm) and module.running_mean is not None:
            module.running_mean.normal_(0, 0.1, generator=generator)
            module.running_var.uniform_(0.5, 1.5, generator=generator)
    for parameter in model.parameters():
        if parameter.dim() == 1 and parameter.numel() > 1 and parameter.is_floating_point():
            parameter.data += torch.randn(parameter.shape, generator=generator) * 0.05
        elif parameter.dim() > 1 and parameter.is_floating_point() and not parameter.any():
            parameter.data += torch.randn(parameter.shape, generator=generator) * 0.02
    return model


def compared(got, expected):
    """The greatest difference, of the range."""
    worst = 0.0
    for name, want in expected.items():
        if name not in got:
            return f"output {name} is missing"
        found = got[name]
        if found.shape != want.shape or found.dtype != want.dtype:
            return f"output {name} is {found.dtype}{list(found.shape)}, not {want.dtype}{list(want.shape)}"
        if want.dtype.kind != "f":
            share = float((found != want).mean()) if want.size else 0.0
            worst = max(worst, share)
            continue
        if want.size:
            span = max(float(np.abs(want).max()), 1e-6)
            difference = float(np.nan_to_num(np.abs(found.astype("f8") - want.astype("f8")), nan=np.inf).max())
            worst = max(worst, difference / span)
    return worst


def check(make, decompose):
    """What becomes of a model: a status, and a detail."""
    from export import names

    torch.manual_seed(0)
    try:
        model, inputs = make()
        model = randomised(model.eval())
        program = torch.export.export(model, inputs, strict=False)
        if decompose:
            program = program.run_decompositions()
    except Exception as error:  # noqa: BLE001
        return "not exported", str(error).strip().splitlines()[0][:120] if str(error).strip() else type(error).__name__
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.pt2"
        torch.export.save(program, path)
        with torch.no_grad():
            outputs = program.module()(*inputs)
        outputs = outputs if isinstance(outputs, (tuple, list)) else (outputs,)
        flat = torch.utils._pytree.tree_leaves(outputs)
        expected = {n: v.detach().numpy() for n, v in zip(names(program), flat, strict=True)}
        given = torch.utils._pytree.tree_leaves(inputs)
        np.savez(Path(folder) / "in.npz", **{n: v.numpy() for n, v in zip(program.graph_signature.user_inputs, given, strict=True)})
        del model, program
        gc.collect()
        command = [str(RELAYC), "run", str(path), "--inputs", f"{folder}/in.npz", "--outputs", f"{folder}/out.npz"]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, check=False)
        except subprocess.TimeoutExpired:
            return "too slow", f"more than {LIMIT} s"
        if done.returncode:
            text = " ".join(done.stderr.split()).replace(str(path), "")
            return "refused", text[:300]
        worst = compared(dict(np.load(f"{folder}/out.npz")), expected)
    if isinstance(worst, str):
        return "differs", worst
    return ("agrees" if worst <= TOLERANCE else "differs"), f"{worst:.1e}"


def table(files):
    """The results that files of lines have, as a page. A later line of a model replaces an earlier one."""
    found = {}
    for file in files:
        for line in file.read_text().splitlines():
            cells = [cell.strip() for cell in line.split(" | ")]
            if len(cells) >= 5:
                found[cells[0], cells[1]] = (cells[2], " ".join(cells[3:-1]))
    text = f"""# Models of PyTorch

Models with random weights, exported by PyTorch {torch.__version__} as `torch.export.export` does it, without decompositions, and compiled from
the `.pt2` file. A model agrees if no output differs from PyTorch's by more than {TOLERANCE:g} of its range. `./x torch models` makes the lines,
and `test/torch/models.py --table` this page.

| suite | agree | differ | refused | too slow | not exported by PyTorch | greatest difference of those that agree |
|---|---|---|---|---|---|---|
"""
    for suite in SUITES:
        rows = [row for (of, _), row in found.items() if of == suite]
        if not rows:
            continue
        counts = [sum(status == kind for status, _ in rows) for kind in ("agrees", "differs", "refused", "too slow", "not exported")]
        worst = max((float(detail) for status, detail in rows if status == "agrees"), default=0.0)
        text += f"| {suite} | {' | '.join(map(str, counts))} | {worst:.1e} |\n"
    text += "\nAgree: " + ", ".join(f"{name}" for (_, name), (status, _) in found.items() if status == "agrees") + ".\n"
    text += "\n| model | what | why |\n|---|---|---|\n"
    for (suite, name), (status, detail) in found.items():
        if status != "agrees":
            text += f"| {name} ({suite}) | {status} | {detail} |\n"
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("suites", nargs="*", default=list(SUITES))
    parser.add_argument("--decompose", action="store_true", help="decompose operators before they are saved")
    parser.add_argument("--only", help="a part of the names of models")
    parser.add_argument("--table", type=Path, help="write a table of the lines that files have instead")
    parser.add_argument("--lines", type=Path, nargs="*", default=[], help="these files")
    arguments = parser.parse_args()
    if arguments.table:
        arguments.table.write_text(table(arguments.lines))
        return
    warnings.filterwarnings("ignore")
    sys.path.insert(0, str(Path(__file__).parent))
    for suite in arguments.suites:
        counts = {}
        for name, make in SUITES[suite]():
            if arguments.only and arguments.only not in name:
                continue
            start = time.monotonic()
            status, detail = check(make, arguments.decompose)
            counts[status] = counts.get(status, 0) + 1
            print(f"{suite} | {name} | {status} | {detail} | {time.monotonic() - start:.0f} s", flush=True)
        print(f"{suite}: {counts}", flush=True)


if __name__ == "__main__":
    main()
