"""Writes small models of GGUF with random weights, and what llama.cpp computes of them.

    ./x gguf programs                      # all files, as they are committed
    ./x gguf programs models llama qwen3   # some

`models/NAME.gguf` is a model of an architecture or of types of weights, and `models/NAME.npz` has words, and the logits of llama.cpp: those
of a prompt, and those of 20 words that follow one at a time. llama.cpp computes them of a twin of the model whose weights are floats, because
it rounds the data of other products. transformers computes them, too, for architectures that it reads, and both must agree.

`blocks.gguf` has tensors of each type, and beside them the numbers that the Python package gguf makes of them.
`vocabularies/NAME.gguf` are vocabularies without weights, and `vocabularies/NAME.json` has texts and their tokens.
"""

import json
import sys
import tempfile
from pathlib import Path

import gguf
import llama_cpp
import numpy as np
from gguf import GGMLQuantizationType as Type

FOLDER = Path(__file__).parent
PROMPT = 9
FOLLOWING = 20
CONTEXT = 48


def row(architecture, **changes):
    """What is said of a model, and its shapes."""
    usual = {
        "layers": 2, "width": 64, "heads": 4, "shared": 2, "size": 16, "hidden": 32, "words": 64, "tied": False, "joined": False,
        "biases": False, "head_norms": False, "post_norms": False, "types": {}, "metadata": {}, "rope": None,
    }  # fmt: skip
    return {"architecture": architecture, **usual, **changes}


GEMMA = {"tied": True, "size": 24}
MODELS = {
    "llama": row("llama", types={"": "Q4_0"}, metadata={"rope.freq_base": 500000.0}, rope="rope_freqs"),
    "llama_yarn": row("llama", types={"": "Q4_0"}, metadata={
        "rope.scaling.type": "yarn", "rope.scaling.factor": 4.0, "rope.scaling.original_context_length": 32,
    }),
    "qwen2": row("qwen2", types={"": "Q4_0"}, biases=True, tied=True, metadata={"rope.freq_base": 1000000.0}),
    "qwen3": row("qwen3", types={"": "Q4_0"}, head_norms=True, size=32),
    "gemma": row("gemma", types={"": "Q4_0"}, shared=1, **GEMMA),
    "gemma2": row("gemma2", types={"": "Q4_0"}, post_norms=True, metadata={
        "attention.sliding_window": 6, "attn_logit_softcapping": 50.0, "final_logit_softcapping": 30.0,
    }, **GEMMA),
    "gemma3": row("gemma3", types={"": "Q4_0"}, post_norms=True, head_norms=True, layers=3, metadata={
        "attention.sliding_window": 6, "attention.sliding_window_pattern": 3, "rope.freq_base": 1000000.0,
        "rope.scaling.type": "linear", "rope.scaling.factor": 8.0,
    }, **GEMMA),
    "phi3": row("phi3", types={"": "Q4_0"}, joined=True),
    "phi3_long": row("phi3", types={"": "Q4_0"}, joined=True, rope="rope_factors", metadata={
        "rope.scaling.type": "longrope", "rope.scaling.attn_factor": 1.19, "rope.scaling.original_context_length": 24,
    }),
    "floats": row("llama", layers=1, width=32, size=8, hidden=32, types={
        "attn_q": "F16", "attn_k": "BF16", "ffn_up": "BF16", "ffn_down": "F16", "token_embd": "BF16", "output": "F16",
    }),
    "blocks": row("llama", layers=1, width=256, heads=4, shared=4, size=8, hidden=32, words=48, types={
        "attn_q": "Q4_K", "attn_k": "Q5_K", "attn_v": "Q6_K", "attn_output": "Q5_0", "ffn_gate": "Q4_1", "ffn_up": "Q5_1",
        "ffn_down": "Q8_0", "token_embd": "Q6_K", "output": "Q4_K",
    }),
    "taken": row("llama", layers=1, width=256, heads=4, shared=1, size=8, hidden=32, words=48, tied=True, types={
        "": "Q8_0", "token_embd": "Q4_K",
    }),
}  # fmt: skip


def tensors(model, random):
    """The tensors of a model by name, as floats."""
    width, size, hidden = model["width"], model["size"], model["hidden"]
    heads, shared = model["heads"] * size, model["shared"] * size
    made = {}

    def matrix(name, rows, columns, deviation=None):
        made[f"{name}.weight"] = random.normal(0, deviation or columns**-0.5, (rows, columns)).astype("f4")

    def norm(name, count):
        made[f"{name}.weight"] = random.uniform(0.5, 1.5, count).astype("f4")

    matrix("token_embd", model["words"], width, 1.0)
    for layer in range(model["layers"]):
        prefix = f"blk.{layer}"
        norm(f"{prefix}.attn_norm", width)
        projections = {"attn_q": heads, "attn_k": shared, "attn_v": shared}
        if model["joined"]:
            projections = {"attn_qkv": heads + 2 * shared}
        for name, rows in projections.items():
            matrix(f"{prefix}.{name}", rows, width)
            if model["biases"]:
                made[f"{prefix}.{name}.bias"] = random.normal(0, 0.5, rows).astype("f4")
        if model["head_norms"]:
            norm(f"{prefix}.attn_q_norm", size)
            norm(f"{prefix}.attn_k_norm", size)
        matrix(f"{prefix}.attn_output", width, heads)
        norm(f"{prefix}.ffn_norm", width)
        matrix(f"{prefix}.ffn_up", hidden * (2 if model["joined"] else 1), width)
        if not model["joined"]:
            matrix(f"{prefix}.ffn_gate", hidden, width)
        matrix(f"{prefix}.ffn_down", width, hidden)
        if model["post_norms"]:
            norm(f"{prefix}.post_attention_norm", width)
            norm(f"{prefix}.post_ffw_norm", width)
    norm("output_norm", width)
    if not model["tied"]:
        matrix("output", model["words"], width)
    if model["rope"] == "rope_freqs":
        made["rope_freqs.weight"] = random.uniform(1, 8, size // 2).astype("f4")
    if model["rope"] == "rope_factors":
        made["rope_factors_long.weight"] = random.uniform(1, 8, size // 2).astype("f4")
        made["rope_factors_short.weight"] = random.uniform(1, 2, size // 2).astype("f4")
    return made


def type_of(model, name):
    """The type of a tensor: that of its part, or the model's."""
    part = name.removesuffix(".weight").split(".")[-1]
    if not name.endswith(".weight") or "norm" in part or "rope" in part:
        return Type.F32
    return Type[model["types"].get(part, model["types"].get("", "F32"))]


def write(path, model, stored, tokenizer=None):
    """Writes a file; `stored` has bytes and types of tensors by name."""
    writer = gguf.GGUFWriter(path, model["architecture"])
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(model["width"])
    writer.add_block_count(model["layers"])
    writer.add_feed_forward_length(model["hidden"])
    writer.add_head_count(model["heads"])
    writer.add_head_count_kv(model["shared"])
    writer.add_key_length(model["size"])
    writer.add_value_length(model["size"])
    writer.add_rope_dimension_count(model["metadata"].get("rope.dimension_count", model["size"]))
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_vocab_size(model["words"])
    for key, value in model["metadata"].items():
        if key == "rope.dimension_count":
            continue
        add = {float: writer.add_float32, int: writer.add_uint32, str: writer.add_string}[type(value)]
        add(f"{model['architecture']}.{key}", value)
    (tokenizer or words_of)(writer, model["words"])
    for name, (data, kind) in stored.items():
        writer.add_tensor(name, data, raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def words_of(writer, count):
    """A vocabulary of letters."""
    writer.add_tokenizer_model("llama")
    tokens = [b"<unk>", b"<s>", b"</s>", *(f"{chr(97 + at % 26)}{at // 26}".encode() for at in range(count - 3))]
    writer.add_token_list(tokens)
    writer.add_token_scores([0.0] * count)
    writer.add_token_types([2, 3, 3] + [1] * (count - 3))
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_unk_token_id(0)
    writer.add_pad_token_id(0)


def quantized(floats, kind):
    """Floats as blocks. The package cannot make some types of floats: of these, the bytes are random, with small scales."""
    try:
        return gguf.quants.quantize(floats, kind)
    except NotImplementedError:
        pass
    numbers, size = gguf.GGML_QUANT_SIZES[kind]
    random = np.random.default_rng(floats.size)
    blocks = random.integers(0, 256, (*floats.shape[:-1], floats.shape[-1] // numbers, size), dtype="u1")
    # The largest numbers of a group: 63 * 15, 63 * 31 and 127 * 32.
    scale = floats.std() * np.float32({"Q4_K": 1 / 300, "Q5_K": 1 / 600, "Q6_K": 1 / 1500}[kind.name])
    scale = np.frombuffer(np.float16(scale).tobytes(), "u1")
    if kind.name == "Q6_K":
        blocks[..., 208:210] = scale
    else:
        least = floats.std() * np.float32(1 / 40)
        blocks[..., 0:2] = scale
        blocks[..., 2:4] = np.frombuffer(np.float16(least).tobytes(), "u1")
    return blocks.reshape(*floats.shape[:-1], -1)


def logits_of_llama(path, words, batches):
    """The logits of llama.cpp behind each word, for words that are read in batches of these sizes."""
    settings = {
        "n_ctx": CONTEXT,
        "n_threads": 1,
        "logits_all": True,
        "verbose": False,
        "type_k": 0,
        "type_v": 0,
        "n_gpu_layers": 0,
    }
    model = llama_cpp.Llama(str(path), flash_attn=False, **settings)
    at, found = 0, []
    for count in batches:
        model.eval([int(word) for word in words[at : at + count]])
        found.append(np.array(model.scores[at : at + count], "f4"))
        at += count
    return np.concatenate(found)


def logits_of_transformers(path, words):
    """The same of transformers, for architectures that it reads."""
    import torch
    from transformers import AutoModelForCausalLM

    model = AutoModelForCausalLM.from_pretrained(
        str(path.parent), gguf_file=path.name, dtype=torch.float32, attn_implementation="eager"
    )
    with torch.no_grad():
        return model(torch.tensor([[int(word) for word in words]])).logits[0].float().numpy()


def models(names):
    (FOLDER / "models").mkdir(exist_ok=True)
    for number, (name, model) in enumerate(MODELS.items()):
        if names and name not in names:
            continue
        random = np.random.default_rng(number)
        made = tensors(model, random)
        stored, twins = {}, {}
        for tensor, floats in made.items():
            kind = type_of(model, tensor)
            data = floats if kind == Type.F32 else quantized(floats, kind)
            stored[tensor] = (data, kind)
            exact = floats if kind == Type.F32 else gguf.quants.dequantize(data, kind).astype("f4")
            twins[tensor] = (exact.reshape(floats.shape), Type.F32)
        path = FOLDER / "models" / f"{name}.gguf"
        write(path, model, stored)
        words = random.integers(3, model["words"], PROMPT + FOLLOWING)
        with tempfile.TemporaryDirectory() as folder:
            twin = Path(folder) / "twin.gguf"
            write(twin, model, twins)
            logits = logits_of_llama(twin, words, [PROMPT] + [1] * FOLLOWING)
            try:
                other = logits_of_transformers(twin, words)
                agreement = f"{np.abs(other - logits).max() / np.abs(logits).max():.1e} from transformers"
            except (AssertionError, RuntimeError, ValueError) as reason:
                agreement = f"transformers: {type(reason).__name__} {str(reason)[:90]}"
        np.savez_compressed(path.with_suffix(".npz"), words=words.astype("i8"), logits=logits)
        print(f"{name}: {path.stat().st_size} bytes, {agreement}", flush=True)


def blocks():
    random = np.random.default_rng(7)
    writer = gguf.GGUFWriter(FOLDER / "blocks.gguf", "llama")
    for name in ("Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q8_0", "Q4_K", "Q5_K", "Q6_K", "F16", "BF16"):
        kind = Type[name]
        numbers, size = gguf.GGML_QUANT_SIZES[kind]
        data = random.integers(0, 256, (2, 256 // numbers, size), dtype="u1")
        halves = {
            "Q4_0": [0],
            "Q4_1": [0, 2],
            "Q5_0": [0],
            "Q5_1": [0, 2],
            "Q8_0": [0],
            "Q4_K": [0, 2],
            "Q5_K": [0, 2],
            "Q6_K": [208],
            "F16": [0],
            "BF16": [],
        }[name]
        for at in halves:
            # Any scale that is a number.
            scales = random.normal(0, 10.0 ** random.integers(-6, 3, data.shape[:2])).astype("f2")
            data[..., at : at + 2] = scales[..., None].view("u1")
        if name == "BF16":
            data[..., 1] = data[..., 1] % 127
        data = data.reshape(2, -1)
        floats = gguf.quants.dequantize(data.view("f2") if name == "F16" else data, kind)
        writer.add_tensor(name, data, raw_dtype=kind)
        writer.add_tensor(f"{name}.floats", np.ascontiguousarray(floats, "f4"))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


# Texts that are cut: spaces, lines, contractions, digits, capitals, other scripts, marks, emoji, tokens that are not of text.
TEXTS = [
    "", " ", "  ", "   leading", "trailing   ", "a", "Hello, world!", "Hello  world   !", "line\nbreak\n\n\nand\r\nmore \n ", "tab\tand\t\ttabs",
    "it's we'RE I'll DON'T they'd", "1 12 123 1234 12345 3.14159 1,000,000", "x=1+2*3;//!?...", "camelCase HTTPServer snake_case",
    "naïve café São Paulo Ångström", "Привет, мир!", "日本語のテキスト 中文 한국어", "مرحبا بالعالم", "नमस्ते दुनिया", "e\u0301 combining", "🙂👩‍👩‍👧‍👦🇫🇷",
    "\u00a0no\u2003break\u200bspace", "<s> </s> <unk>", "<|special|>and<|special|> text", "<0x0A> is no byte", "\u2581lower", "\x01\x7f",
    "the quick brown fox jumps over the lazy dog " * 3, "    def f(x):\n        return x\n", "''''s 's '", "٣٤٥ ²³ Ⅷ ½",
]  # fmt: skip
SPLITS = ("llama-bpe", "qwen2", "gpt-2", "smollm", "tekken", "default")


def corpus():
    """Lines to make vocabularies of."""
    folder = FOLDER.parents[1]
    lines = (folder / "README.md").read_text().splitlines() + (folder / "docs/style.md").read_text().splitlines()
    return lines + TEXTS * 4


def merging(writer, split):
    """A vocabulary of merges."""
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    made.train_from_iterator(
        corpus(), trainers.BpeTrainer(vocab_size=480, initial_alphabet=alphabet, show_progress=False)
    )
    model = json.loads(made.to_str())["model"]
    tokens = sorted(model["vocab"], key=model["vocab"].get)
    special = ["<s>", "</s>", "<|special|>"]
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre(split)
    writer.add_token_list([*tokens, *special])
    writer.add_token_types([1] * len(tokens) + [3, 3, 4])
    writer.add_token_merges([" ".join(pair) for pair in model["merges"]])
    writer.add_bos_token_id(len(tokens))
    writer.add_eos_token_id(len(tokens) + 1)
    return len(tokens) + len(special)


def scoring(writer, split):
    """A vocabulary of SentencePiece."""
    import sentencepiece

    with tempfile.TemporaryDirectory() as folder:
        prefix = f"{folder}/made"
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter([line for line in corpus() if line]), model_prefix=prefix, vocab_size=620, model_type="bpe",
            byte_fallback=True, user_defined_symbols=["<|special|>"], normalization_rule_name="identity",
            remove_extra_whitespaces=False, character_coverage=0.99, minloglevel=2,
        )  # fmt: skip
        made = sentencepiece.SentencePieceProcessor(model_file=f"{prefix}.model")
    kinds = [(made.is_unknown, 2), (made.is_control, 3), (made.is_byte, 6)]
    count = made.vocab_size()
    types = [next((number for is_kind, number in kinds if is_kind(token)), 1) for token in range(count)]
    types[made.piece_to_id("<|special|>")] = 4
    writer.add_tokenizer_model("llama")
    writer.add_token_list([made.id_to_piece(token).encode() for token in range(count)])
    writer.add_token_scores([made.get_score(token) for token in range(count)])
    writer.add_token_types(types)
    writer.add_bos_token_id(made.bos_id())
    writer.add_eos_token_id(made.eos_id())
    writer.add_unk_token_id(made.unk_id())
    writer.add_add_space_prefix(split != "no-prefix")
    return count


def vocabularies():
    folder = FOLDER / "vocabularies"
    folder.mkdir(exist_ok=True)
    kinds = [(merging, split) for split in SPLITS] + [(scoring, split) for split in ("prefix", "no-prefix")]
    for make, split in kinds:
        path = folder / f"{make.__name__}_{split}.gguf"
        writer = gguf.GGUFWriter(path, "llama")
        make(writer, split)
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_tensors_to_file()
        writer.close()
        model = llama_cpp.Llama(str(path), vocab_only=True, verbose=False)
        tokens = [model.tokenize(text.encode(), add_bos=True, special=True) for text in TEXTS]
        cases = [{"text": text, "tokens": cut} for text, cut in zip(TEXTS, tokens)]
        path.with_suffix(".json").write_text(json.dumps(cases))
        print(f"{path.name}: {path.stat().st_size} bytes", flush=True)


def texts():
    """Models with vocabularies, and the text that llama.cpp writes with them."""
    folder = FOLDER / "texts"
    folder.mkdir(exist_ok=True)
    for make, split in ((merging, "llama-bpe"), (scoring, "prefix")):
        path = folder / f"{make.__name__}.gguf"
        with tempfile.TemporaryDirectory() as scratch:
            counted = gguf.GGUFWriter(Path(scratch) / "none.gguf", "llama")
            model = row("llama", layers=1, width=32, size=8, hidden=32, words=make(counted, split))
        made = {name: (data, Type.F32) for name, data in tensors(model, np.random.default_rng(11)).items()}
        # Rows of it are exact in llama.cpp, too.
        made["token_embd.weight"] = (quantized(made["token_embd.weight"][0], Type.Q4_0), Type.Q4_0)
        made["output.weight"] = (made["output.weight"][0].astype("f2"), Type.F16)
        write(path, model, made, lambda writer, _, make=make, split=split: make(writer, split))
        settings = {"n_ctx": CONTEXT, "n_threads": 1, "verbose": False, "type_k": 0, "type_v": 0}
        model = llama_cpp.Llama(str(path), flash_attn=False, **settings)
        now, text = model.tokenize(b"Once upon a time", special=True), b""
        for _ in range(24):
            model.eval(now)
            logits = llama_cpp.llama_get_logits_ith(model.ctx, -1)
            now = [int(np.argmax(logits[: model.n_vocab()]))]
            if now[0] == model.token_eos():
                break
            text += model.detokenize(now, prev_tokens=[1])
        path.with_suffix(".txt").write_bytes(text + b"\n")
        print(f"{path.name}: {path.stat().st_size} bytes, {text}", flush=True)


def refused():
    """Models that are not imported."""
    folder = FOLDER / "refused"
    folder.mkdir(exist_ok=True)
    tiny = {"layers": 1, "width": 32, "heads": 1, "shared": 1, "size": 32, "hidden": 32, "words": 8}
    kinds = {
        "architecture": row("mamba", **tiny),
        "experts": row("llama", metadata={"expert_count": 8}, **tiny),
        "scaling": row("llama", metadata={"rope.scaling.type": "other"}, **tiny),
        "size": row("llama", metadata={"rope.dimension_count": 7}, **tiny),
        "type": row("llama", **tiny),
        "missing": row("llama", **tiny),
        "unknown": row("llama", **tiny),
        "shape": row("llama", **tiny),
    }
    for name, model in kinds.items():
        stored = {}
        if name in ("type", "missing", "unknown", "shape"):
            made = tensors(model, np.random.default_rng(3)).items()
            stored = {
                tensor: (quantized(data, Type.Q4_0), Type.Q4_0) if data.ndim == 2 else (data, Type.F32)
                for tensor, data in made
            }
        if name == "type":
            stored["blk.0.attn_q.weight"] = (np.zeros((32, 18), "u1"), Type.IQ4_NL)
        if name == "missing":
            del stored["blk.0.ffn_down.weight"]
        if name == "unknown":
            stored["blk.0.ssm_a.weight"] = (np.zeros(4, "f4"), Type.F32)
        if name == "shape":
            stored["blk.0.attn_k.weight"] = (np.zeros((16, 32), "f4"), Type.F32)
        write(folder / f"{name}.gguf", model, stored)


def main():
    groups, names = sys.argv[1:2], sys.argv[2:]
    if not groups or "models" in groups:
        models(names)
    if not groups or "blocks" in groups:
        blocks()
    if not groups or "refused" in groups:
        refused()
    if not groups or "vocabularies" in groups:
        vocabularies()
    if not groups or "texts" in groups:
        texts()


if __name__ == "__main__":
    main()
