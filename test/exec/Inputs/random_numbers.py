"""Threefry's words in Python's integers, what is made of them, and Fourier transforms by numpy."""

import sys
from pathlib import Path

import numpy as np

from relay_cases import Case, check

relayc, folder = sys.argv[1], Path(sys.argv[2])
random = np.random.default_rng(11)
MASK = 2**64 - 1
TURNS = [(14, 16), (52, 57), (23, 40), (5, 37), (25, 33), (46, 12), (58, 22), (32, 32)]


def threefry(key, words):
    """20 rounds on four words; a part of the key is added before each four."""
    parity = 0x1BD11BDAA9FC1A22
    for part in key:
        parity ^= part
    key, words = [*key, parity], list(words)
    for number in range(20):
        if number % 4 == 0:
            step = number // 4
            words = [(word + key[(step + at) % 5]) & MASK for at, word in enumerate(words)]
            words[3] = (words[3] + step) & MASK
        for first, turn in zip((0, 2), TURNS[number % 8]):
            x, y = words[first : first + 2]
            x = (x + y) & MASK
            y = ((y << turn) | (y >> (64 - turn))) & MASK
            words[first : first + 2] = x, y ^ x
        words[1], words[3] = words[3], words[1]
    return words


def stepped(key):
    """The key with a step more in its path, and the counter that it had."""
    place = ((key[8] << 64) | key[9]) >> 1
    return [*key[:4], key[4] | key[8], key[5] | key[9], key[6], key[7], place >> 64, place & MASK]


def generated(key, count):
    if key[7] >= MASK - count:
        if key[8] == key[9] == 0:
            key = [*threefry(key[:4], [MASK] * 4), 0, 0, 0, 0, 1 << 63, 0]
        else:
            key = stepped(key)
            key[6] = key[7] = 0
    words = []
    for block in range(count // 4):
        words += threefry(key[:4], [(word + block) & MASK for word in key[4:8]])
    key[7] += count // 4 * 4
    if count % 4:
        words += threefry(key[:4], key[4:8])[: count % 4]
        key[7] += 4
    key[6] = 0
    return key, words


def split(key):
    if key[8] == key[9] == 0:
        words = threefry(key[:4], key[4:8])
        return [*words, 0, 0, 0, 0, 1 << 62, 0], [*words, 1 << 63, 0, 0, 0, 1 << 62, 0]
    right = stepped(key)
    return [*key[:8], *right[8:]], right


def fractions(words, dtype):
    if dtype == np.float32:
        return np.array([(word & 0xFFFFFFFF) >> 9 for word in words], np.float64) / 2**23
    return np.array([word >> 12 for word in words], np.float64) / 2**52


def key_of(numbers):
    return np.array(numbers, np.uint64)


def keys():
    start = [int(word) for word in random.integers(0, MASK, 4, np.uint64)] + [0, 0, 0, 0, 1 << 63, 0]
    yield start
    yield [*start[:4], 0b101 << 61, 0, 0, 8, 1, 0]
    yield [*start[:4], 5, 7, 0, MASK - 5, 0, 1 << 20]
    yield [*start[:4], 5, 7, 0, MASK - 1, 0, 0]


def random_cases():
    for key in keys():
        inputs = {"k": key_of(key)}
        for shape in [(3, 4), (7,), (2,)]:
            following, words = generated(list(key), int(np.prod(shape)))
            expected = key_of(following), key_of(words).reshape(shape)
            yield Case(f"random.threefry_generate({{k}}, out_shape={list(shape)})", inputs, expected)
        yield Case("random.threefry_split({k})", inputs, tuple(map(key_of, split(list(key)))))
    inputs = {"k": key_of(key)}
    for dtype in (np.float32, np.float64):
        low, high, name = dtype(-1.5), dtype(4), np.dtype(dtype).name
        following, words = generated(list(key), 15)
        numbers = (fractions(words, dtype) * (high - low) + low).astype(dtype).reshape(3, 5)
        call = f'random.uniform({{k}}, {{l}}, {{h}}, out_shape=[3, 5], out_dtype="{name}")'
        yield Case(call, inputs | {"l": low, "h": high}, (key_of(following), numbers), 1e-6)
        following, words = generated(list(key), 30)
        u, v = fractions(words, dtype).reshape(2, 15)
        numbers = np.sqrt(-2 * np.log(1 - u)) * np.sin(2 * np.pi * v) * high + low
        call = f'random.normal({{k}}, {{l}}, {{h}}, out_shape=[15], out_dtype="{name}")'
        yield Case(call, inputs | {"l": low, "h": high}, (key_of(following), numbers.astype(dtype)), 1e-5)
    probs = random.uniform(-0.3, 1, (2, 6)).astype(np.float32)
    following, words = generated(list(key), 16)
    sums = np.cumsum(np.maximum(probs, 0) / np.maximum(probs, 0).sum(1, keepdims=True), 1)
    samples = [(line > u).argmax() for line, u in zip(sums.repeat(8, 0), fractions(words, np.float32))]
    expected = key_of(following), np.array(samples, np.int32).reshape(2, 8)
    yield Case("random.multinomial({k}, {p}, num_samples=8)", inputs | {"p": probs}, expected)


def signal_cases():
    re, im = random.standard_normal((2, 3, 20)).astype(np.float32)
    for is_inverse in (False, True):
        found = (np.fft.ifft if is_inverse else np.fft.fft)(re + 1j * im)
        expected = found.real.astype(np.float32), found.imag.astype(np.float32)
        yield Case(f"dft({{r}}, {{i}}, inverse={is_inverse})", {"r": re, "i": im}, expected, 2e-5)
    signal, window = random.standard_normal((2, 50)).astype(np.float32), np.hanning(12).astype(np.float32)
    frames = np.lib.stride_tricks.sliding_window_view(signal, 12, axis=1)[:, ::5] * window
    found = np.fft.fft(frames).transpose(0, 2, 1)
    pairs = np.stack([found.real, found.imag], -1).astype(np.float32)
    attrs = "n_fft=12, hop_length=5, win_length=12"
    inputs = {"x": signal, "w": window}
    yield Case(f"stft({{x}}, {{w}}, {attrs}, normalized=False, onesided=True)", inputs, pairs[:, :7], 2e-5)
    expected = (pairs / np.sqrt(12)).astype(np.float32)
    yield Case(f"stft({{x}}, {{w}}, {attrs}, normalized=True, onesided=False)", inputs, expected, 2e-5)
    yield Case(f"stft({{x}}, {{w}}, {attrs})", inputs | {"x": signal[0]}, pairs[0, :7], 2e-5)


check(relayc, folder, "random", [*random_cases(), *signal_cases()])
