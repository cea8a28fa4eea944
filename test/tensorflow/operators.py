"""The groups of operators whose frozen graphs export.py writes: a function of tensors for each, and its inputs."""

import numpy as np
import tensorflow as tf

raw = tf.raw_ops


def floats(random, *shape):
    return random.uniform(-2, 2, shape).astype("f4")


def boxes(random, *shape):
    """Boxes that overlap, of which some are outside of the image."""
    corner = random.uniform(-0.2, 0.6, (*shape, 2))
    return np.concatenate([corner, corner + random.uniform(0.2, 0.6, (*shape, 2))], -1).astype("f4")


def unary(x, i):
    positive = tf.abs(x) + 0.5
    small = tf.clip_by_value(x, -0.9, 0.9)
    functions = (
        tf.abs, tf.negative, tf.sign, tf.exp, tf.sin, tf.cos, tf.tan, tf.sinh, tf.cosh, tf.tanh, tf.asinh, tf.atan,
        tf.math.erf, tf.math.erfc, tf.sigmoid, tf.nn.relu, tf.nn.relu6, tf.nn.elu, tf.nn.selu, tf.nn.softplus,
        tf.nn.softsign, tf.floor, tf.math.ceil, tf.math.rint, tf.round, tf.square, tf.math.expm1, tf.zeros_like,
        tf.ones_like, tf.nn.leaky_relu, tf.math.is_nan, tf.math.is_inf, tf.math.is_finite, tf.nn.gelu, tf.nn.silu,
    )  # fmt: skip
    return [
        *(function(x) for function in functions),
        *(function(positive) for function in (tf.sqrt, tf.math.rsqrt, tf.math.log, tf.math.log1p, tf.math.reciprocal)),
        *(function(small) for function in (tf.asin, tf.acos, tf.atanh)),
        tf.acosh(positive + 1.0), tf.nn.leaky_relu(x, 0.3), tf.cast(x, tf.int32), tf.cast(x, tf.bool), tf.cast(i, tf.float64),
        tf.logical_not(x > 0), tf.bitwise.invert(i), tf.bitcast(x, tf.int32), tf.abs(i), tf.sign(i), tf.nn.relu(i),
        tf.quantization.fake_quant_with_min_max_args(x, -1.5, 1.0), tf.quantization.fake_quant_with_min_max_args(x, 0.0, 1.0, 4, True),
        tf.quantization.fake_quant_with_min_max_vars(x, -1.0, 1.7), tf.stop_gradient(x),
    ]  # fmt: skip


def binary(x, y, i, j):
    flags = x > 0
    return [
        x + y, x - y, x * y, x / (y + 3.0), tf.maximum(x, y), tf.minimum(x, y), tf.pow(tf.abs(x), y), tf.math.squared_difference(x, y),
        tf.atan2(x, y), x < y, x <= y, x > y, x >= y, tf.equal(i, j), tf.not_equal(i, j), flags & (y > 0), flags | (y > 0),
        tf.math.floordiv(x, y + 3.0), tf.math.floormod(x, y + 3.0), tf.truncatemod(x, y + 3.0), i // j, i % j, tf.truncatediv(i, j),
        tf.truncatemod(i, j), i & j, i | j, i ^ j, tf.bitwise.left_shift(i, 2), tf.bitwise.right_shift(i, 1), tf.add_n([x, x, x]),
        tf.nn.bias_add(x, y[0]), tf.math.divide_no_nan(x, tf.nn.relu(y)), tf.math.multiply_no_nan(x, tf.nn.relu(y)),
        tf.math.xdivy(tf.nn.relu(x), y), tf.math.xlogy(tf.nn.relu(x), tf.abs(y)), tf.clip_by_value(x, -0.5, 0.7),
        tf.where(flags, x, y), raw.Select(condition=flags[:, 0], x=x, y=x * 2.0), tf.where(flags, 1.0, x),
    ]  # fmt: skip


def reductions(x, i):
    return [
        tf.reduce_sum(x), tf.reduce_sum(x, 1), tf.reduce_mean(x, (0, 2), keepdims=True), tf.reduce_max(x, -1), tf.reduce_min(x, (0, -1)),
        tf.reduce_prod(x, 2), tf.reduce_all(x > -1, 1), tf.reduce_any(x > 1, 2), tf.norm(x), raw.EuclideanNorm(input=x, axis=[1]),
        tf.argmax(x, 1), tf.argmin(x, -1, output_type=tf.int32), tf.cumsum(x, 1), tf.cumsum(x, 1, exclusive=True, reverse=True),
        tf.math.cumprod(x, 2), tf.reduce_mean(i, 0), tf.reduce_sum(i, 1), tf.reduce_logsumexp(x, 1), tf.math.reduce_variance(x, 1),
        tf.nn.softmax(x), tf.nn.log_softmax(x), tf.nn.softmax(x, 1), tf.nn.l2_loss(x), tf.nn.l2_normalize(x, -1),
        tf.linalg.matmul(x, x, transpose_b=True), tf.einsum("bij,bkj->bik", x, x), tf.einsum("...ij,jk->...ik", x, tf.transpose(x[0])),
        tf.matmul(x[0], x[1], transpose_a=True), tf.matmul(x[0], x[1], transpose_b=True), tf.tensordot(x, x, [[1, 2], [1, 2]]),
    ]  # fmt: skip


def windows(x, v, k, d, t, c):
    pool = [1, 2, 2, 1]
    return [
        tf.nn.conv2d(x, k, 1, "SAME"), tf.nn.conv2d(x, k, 2, "SAME"), tf.nn.conv2d(x, k, (2, 1), "VALID"),
        tf.nn.conv2d(x, k, 1, "SAME", dilations=2), tf.nn.conv2d(x, k, 1, [[0, 0], [1, 2], [0, 1], [0, 0]]),
        tf.nn.conv2d(x, k[:, :, :2], 1, "SAME"), tf.nn.depthwise_conv2d(x, d, [1, 1, 1, 1], "SAME"),
        tf.nn.depthwise_conv2d(x, d, [1, 2, 2, 1], "VALID"), tf.nn.conv2d_transpose(x, t, (1, 14, 10, 3), 2, "SAME"),
        tf.nn.conv2d_transpose(x, t, (1, 15, 11, 3), 2, "VALID"), tf.nn.conv3d(v, c, [1, 1, 2, 1, 1], "SAME"),
        tf.nn.conv3d_transpose(v, c, (1, 6, 10, 8, 3), [1, 2, 2, 2, 1], "SAME"), tf.nn.max_pool2d(x, 3, 2, "SAME"),
        tf.nn.max_pool2d(x, 2, 2, "VALID"), tf.nn.avg_pool2d(x, 3, 2, "SAME"), tf.nn.avg_pool2d(x, 2, 1, "VALID"),
        raw.MaxPoolV2(input=x, ksize=pool, strides=pool, padding="SAME"), tf.nn.max_pool3d(v, 2, 1, "SAME"),
        tf.nn.avg_pool3d(v, 2, 2, "SAME"), tf.nn.local_response_normalization(x, 1, 1.0, 0.3, 0.6),
        tf.nn.max_pool2d(x, 3, 1, [[0, 0], [1, 1], [0, 1], [0, 0]]), tf.nn.atrous_conv2d(x, k, 2, "VALID"),
    ]  # fmt: skip


def norms(x, s):
    mean, variance = s * 0.1, tf.abs(s) + 0.2
    return [
        raw.FusedBatchNormV3(x=x, scale=s, offset=s, mean=mean, variance=variance, is_training=False, epsilon=1e-3).y,
        *raw.FusedBatchNormV3(x=x, scale=s, offset=s, mean=mean[:0], variance=variance[:0], is_training=True)[:3],
        tf.nn.batch_normalization(x, mean, variance, s, s, 1e-3), *tf.nn.moments(x, [1, 2]),
    ]  # fmt: skip


def shapes(x, y):
    size = tf.shape(x)
    return [
        tf.reshape(x, (2, -1)), tf.reshape(x, tf.stack([size[0] * size[1], -1])), tf.squeeze(x[:, :1]), tf.squeeze(x[:, :1], 1),
        tf.expand_dims(x, -1), tf.transpose(x), tf.transpose(x, (1, 0, 2)), tf.stack([x, x * 2.0], 1), *tf.unstack(x, axis=0),
        tf.concat([x, x], 1), *tf.split(x, 2, 2), *tf.split(x, (1, 2), 1), *tf.split(x, (1, -1), 2), tf.tile(x, (2, 1, 3)),
        tf.broadcast_to(x[:, :1], (2, 3, 4)), tf.fill((2, 2), 3.0) * x[0, 0, 0], tf.cast(tf.range(3), tf.float32)[:, None] + x,
        tf.linspace(0.0, 1.0, 4) + x, tf.reverse(x, (0, 2)), tf.reverse_sequence(x, (3, 1), 1, 0), tf.pad(x, ((0, 1), (2, 0), (1, 1))),
        tf.pad(x, ((0, 1), (2, 0), (1, 1)), constant_values=2.0), tf.pad(x, ((0, 1), (2, 1), (1, 1)), "REFLECT"),
        tf.pad(x, ((0, 1), (2, 1), (1, 1)), "SYMMETRIC"), tf.nn.space_to_depth(y, 2), tf.nn.depth_to_space(y, 2),
        tf.space_to_batch(y, (2, 2), ((0, 0), (1, 1))), tf.batch_to_space(tf.tile(y, (4, 1, 1, 1)), (2, 2), ((0, 1), (1, 0))),
        tf.zeros((2,) + tuple(x.shape[1:])) + x, tf.cast(tf.size(x), tf.float32) + x, tf.cast(tf.rank(x), tf.float32) + x,
        tf.ensure_shape(x, (2, 3, 4)), tf.meshgrid(x[0, 0], x[0, :, 0])[0], tf.repeat(x, 2, 1), tf.roll(x, 1, 2),
        tf.linalg.band_part(x, 1, 0), tf.linalg.band_part(x, -1, 1),
    ]  # fmt: skip


def selections(x, i, s, b):
    lists = tf.stack([i % 2, i % 3], 1)
    return [
        x[:, 1:], x[0], x[..., ::2], x[:, ::-1, -3:-1], x[:, tf.newaxis, 1], x[1:0], tf.slice(x, (0, 1, 1), (2, -1, 2)),
        tf.gather(x, i % 2), tf.gather(x, i % 4, axis=2), tf.gather(x, tf.stack([i[:2] % 3, i[1:3] % 3]), axis=1, batch_dims=1),
        tf.gather_nd(x, lists), tf.scatter_nd(lists, s[:4], (2, 3)), tf.tensor_scatter_nd_update(x, lists[:1], x[0, :1]),
        tf.tensor_scatter_nd_add(x[:, :, 0], lists, s[:4]), tf.tensor_scatter_nd_sub(x[:, :, 0], lists, s[:4]),
        tf.tensor_scatter_nd_max(x[:, :, 0], lists, s[:4]), tf.one_hot(i, 5), tf.one_hot(i, 3, 2.0, -1.0, axis=0),
        tf.sparse.to_dense(tf.sparse.SparseTensor([[0, 1], [1, 2]], s[:2], (2, 3))), *tf.math.top_k(x, 2), *tf.unique(i), *tf.unique_with_counts(i),
        tf.where(x[0] > 0), tf.math.segment_sum(s, [0, 0, 1, 1, 3, 3]), tf.math.segment_mean(s, [0, 0, 1, 1, 3, 3]),
        tf.math.unsorted_segment_sum(s, [2, 0, 1, -1, 2, 2], 4), tf.math.unsorted_segment_max(s, [2, 0, 1, 1, 2, 2], 3),
        tf.math.unsorted_segment_prod(s, [2, 0, 1, 1, 2, 2], 3), tf.raw_ops.Bucketize(input=s, boundaries=[-1.0, 0.0, 1.0]),
        tf.image.non_max_suppression(b, s, 4, 0.3), tf.image.non_max_suppression(b, s, 4, 0.3, 0.1),
        *raw.NonMaxSuppressionV4(boxes=b, scores=s, max_output_size=5, iou_threshold=0.4, score_threshold=-1.0, pad_to_max_output_size=True),
        *raw.NonMaxSuppressionV5(boxes=b, scores=s, max_output_size=4, iou_threshold=0.4, score_threshold=0.0, soft_nms_sigma=0.0),
        tf.boolean_mask(s, s > 0),
        tf.nn.embedding_lookup(x[0], i % 3), tf.sort(s), tf.argsort(s),
    ]  # fmt: skip


def images(x, b):
    compat = tf.compat.v1.image
    return [
        tf.image.resize(x, (7, 10)), tf.image.resize(x, (3, 4)), tf.image.resize(x, (9, 6), "nearest"), tf.image.resize(x, (9, 4), "bicubic"),
        compat.resize_bilinear(x, (7, 9)), compat.resize_bilinear(x, (7, 9), align_corners=True), compat.resize_nearest_neighbor(x, (9, 4)),
        compat.resize_nearest_neighbor(x, (9, 4), align_corners=True), tf.image.crop_and_resize(x, b, (0, 0), (4, 4)),
        tf.image.crop_and_resize(x, b, (0, 0), (3, 5), "nearest", 0.5), tf.image.resize(tf.cast(x * 20.0 + 60.0, tf.uint8), (7, 3)),
    ]  # fmt: skip


def others(x, s, m, i, w):
    """Sparse tensors, cells, diagonals, and counts."""
    sparse = tf.sparse.SparseTensor([[0, 1], [1, 3], [2, 0]], s[:3], (3, 4))
    ids = [0, 0, 2, 2]
    cell = raw.LSTMBlockCell(
        x=m[:2, :3], cs_prev=m[1:, :2], h_prev=m[:2, 2:], w=w, wci=s[:2], wcf=s[1:3], wco=s[2:4], b=s, use_peephole=True
    )
    return [
        tf.sparse.sparse_dense_matmul(sparse, tf.transpose(m)), tf.sparse.sparse_dense_matmul(sparse, m, adjoint_a=True),
        tf.sparse.to_dense(tf.sparse.reshape(sparse, (2, -1))), raw.SparseTensorDenseAdd(a_indices=[[0, 1]], a_values=s[:1], a_shape=[3, 4], b=m),
        tf.sparse.segment_sum(m, [0, 1, 0, 2], ids), tf.sparse.segment_mean(m, [0, 1, 0, 2], ids), tf.sparse.segment_sqrt_n(m, [0, 1, 0, 2], ids),
        tf.sparse.segment_sum(m, [0, 1, 0, 2], ids, num_segments=4), raw.Bincount(arr=i, size=3, weights=tf.zeros((0,))),
        raw.Bincount(arr=i, size=5, weights=s[:4]), raw.DenseBincount(input=i, size=4, weights=tf.zeros((0,)), binary_output=True),
        raw.DenseBincount(input=tf.stack([i, i + 1]), size=4, weights=tf.zeros((0, 4))), cell.cs, cell.h, cell.i,
        tf.linalg.diag(s), tf.linalg.diag_part(m), tf.linalg.set_diag(m, s[:3]), tf.nn.dilation2d(x, tf.reshape(m[:, :3], (3, 1, 3)), [1, 1, 1, 1], "SAME", "NHWC", [1, 1, 1, 1]),
        tf.unravel_index(i, (2, 3)),
    ]  # fmt: skip


def quantised(x, r, s, b, e):
    """Integers that stand for floats, and the best boxes of several classes."""
    results = []
    for mode in ("MIN_COMBINED", "MIN_FIRST", "SCALED"):
        for ty in (tf.qint8, tf.quint8):
            if mode == "MIN_FIRST" and ty == tf.qint8:
                continue
            made = raw.QuantizeV2(input=x, min_range=-1.7, max_range=1.2, T=ty, mode=mode)
            results += [
                tf.bitcast(made.output, tf.int8 if ty == tf.qint8 else tf.uint8),
                made.output_min,
                made.output_max,
            ]
            results.append(
                raw.Dequantize(input=made.output, min_range=made.output_min, max_range=made.output_max, mode=mode)
            )
    low, high = tf.reduce_min(r, 0), tf.reduce_max(r, 0)
    made = raw.QuantizeV2(
        input=x,
        min_range=low,
        max_range=high,
        T=tf.qint8,
        mode="SCALED",
        axis=1,
        round_mode="HALF_TO_EVEN",
        narrow_range=True,
    )
    results.append(
        raw.Dequantize(input=made.output, min_range=low, max_range=high, mode="SCALED", axis=1, narrow_range=True)
    )
    # TensorFlow has only some of the modes of boxes: a class has boxes of its own, or all have the same.
    nms = tf.image.combined_non_max_suppression
    padded = nms(tf.expand_dims(b, 2), s, 3, 20, 0.3, 0.2, pad_per_class=True)
    owned = nms(e, s, 4, 30, 0.5, 0.1, clip_boxes=False)
    return [
        *results, *padded, *owned,
        tf.quantization.fake_quant_with_min_max_vars(x, low[0], high[0]),
        tf.quantization.fake_quant_with_min_max_vars_per_channel(x, low, high, 4, True),
        tf.quantization.fake_quant_with_min_max_vars_per_channel(x, [-1.0, -2.0, -0.5, 0.0], [1.0, 0.5, 1.5, 1.0]),
        tf.quantization.quantize_and_dequantize_v2(x, -1.0, 1.5, range_given=True),
        tf.quantization.quantize_and_dequantize_v2(x, 0.0, 0.0, num_bits=5, narrow_range=True),
        tf.quantization.quantize_and_dequantize_v2(tf.abs(x), 0.0, 1.5, signed_input=False, range_given=True, round_mode="HALF_UP"),
        tf.quantization.quantize_and_dequantize_v2(x, low, high, axis=1),
        raw.QuantizeAndDequantizeV3(input=x, input_min=-1.0, input_max=1.0, num_bits=7),
    ]  # fmt: skip


def numbers(x, y, s):
    """Complex numbers and Fourier transforms: what is returned is real, or is complex itself."""
    z, w = tf.complex(x, y), tf.complex(y, x + 1.0)
    table = tf.constant([[1 + 2j, 3 - 1j, 0.5j, -2]], tf.complex64)
    yield z * w / table
    yield tf.abs(z - w) + tf.math.angle(z) + tf.math.real(w) * tf.math.imag(z)
    yield tf.exp(z) + tf.math.log(w) + tf.sqrt(z) * tf.math.conj(w) + tf.square(z) - tf.math.reciprocal(w)
    yield tf.sin(z) + tf.cosh(w) + tf.tanh(z) + tf.pow(z, w)
    yield tf.matmul(z, w, adjoint_b=True)
    yield tf.einsum("ij,kj->ki", z, w)
    yield tf.concat([z, tf.zeros_like(w), tf.ones_like(w)], 0)[1:, ::2]
    yield tf.reduce_sum(tf.transpose(z), 0) + tf.cast(y[0, 0], tf.complex64)
    yield tf.cast(z, tf.complex128)
    yield tf.equal(z, tf.complex(x, tf.abs(y)))
    yield tf.where(x > 0.0, z, w)
    yield tf.signal.fft(z) + tf.signal.ifft2d(w)
    yield tf.signal.fft2d(z)
    yield tf.signal.rfft(s, [12])
    yield tf.signal.rfft2d(tf.reshape(s, [2, 5, 4]), [5, 6])
    yield tf.signal.irfft2d(tf.stack([z, w]), [2, 5])
    spectrum = tf.signal.stft(s, 8, 4, 8)
    yield spectrum
    yield tf.math.log(tf.abs(spectrum) + 1e-3)
    yield tf.signal.inverse_stft(spectrum, 8, 4, 8)


def number_inputs(r):
    return {"x": floats(r, 3, 4), "y": floats(r, 3, 4), "s": floats(r, 2, 20)}


def flow(x, n, c):
    """Branches and loops, of which some have numbers of steps that the model computes."""
    branch = tf.cond(c, lambda: (x + 1.0, x[0]), lambda: (x * 2.0, x[1]))
    nested = tf.cond(c, lambda: tf.cond(x[0, 0] > 0, lambda: x, lambda: -x), lambda: x * 0.5)
    few = tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * 2.0 + x), (0, x))
    many = tf.while_loop(lambda i, y: i < 40, lambda i, y: (i + 2, y * 0.5 + tf.cast(i, tf.float32)), (0, x))
    computed = tf.while_loop(lambda i, y: i < n, lambda i, y: (i + 1, y + tf.sin(y)), (0, x))
    until = tf.while_loop(lambda y: tf.reduce_sum(y) < 50.0, lambda y: y * 1.5 + 1.0, (x,))
    rows = tf.map_fn(lambda row: tf.cumsum(row) * 2.0, tf.tile(x, (10, 1)))
    sums = tf.scan(lambda total, row: total * 0.5 + row, tf.tile(x, (10, 1)))
    best = tf.foldl(tf.maximum, x)
    array = tf.TensorArray(tf.float32, 3, element_shape=(4,))
    array = array.write(0, x[0]).write(2, x[1])
    last = tf.while_loop(
        lambda i, a: i < 20,
        lambda i, a: (i + 1, a.write(0, x[0] * tf.cast(i, tf.float32))),
        (0, tf.TensorArray(tf.float32, 1)),
    )
    return [
        *branch, nested, few[1], many[1], computed[1], until, rows, sums, best,
        array.stack(), last[1].stack(),
    ]  # fmt: skip


def flow_inputs(r):
    return {"x": floats(r, 2, 4), "n": np.array(5, "i4"), "c": np.array(True)}


GROUPS = {
    "unary": (unary, lambda r: {"x": floats(r, 3, 4), "i": r.randint(-9, 9, (3, 4)).astype("i4")}),
    "binary": (
        binary,
        lambda r: {
            "x": floats(r, 3, 4),
            "y": floats(r, 1, 4),
            "i": r.randint(-9, 9, (3, 4)).astype("i4"),
            "j": r.randint(1, 5, (3, 4)).astype("i4"),
        },
    ),
    "reductions": (reductions, lambda r: {"x": floats(r, 2, 3, 4), "i": r.randint(-9, 9, (3, 4)).astype("i4")}),
    "windows": (
        windows,
        lambda r: {
            "x": floats(r, 1, 7, 5, 4),
            "v": floats(r, 1, 3, 5, 4, 3),
            "k": floats(r, 3, 3, 4, 6),
            "d": floats(r, 3, 3, 4, 2),
            "t": floats(r, 3, 3, 3, 4),
            "c": floats(r, 2, 3, 2, 3, 3),
        },
    ),
    "norms": (norms, lambda r: {"x": floats(r, 2, 3, 5, 4), "s": floats(r, 4)}),
    "shapes": (shapes, lambda r: {"x": floats(r, 2, 3, 4), "y": floats(r, 1, 4, 6, 4)}),
    "selections": (
        selections,
        lambda r: {
            "x": floats(r, 2, 3, 4),
            "i": np.array([3, 1, 0, 1], "i4"),
            "s": floats(r, 6),
            "b": r.uniform(0, 1, (6, 4)).astype("f4"),
        },
    ),
    "others": (
        others,
        lambda r: {
            "x": floats(r, 1, 5, 4, 3),
            "s": floats(r, 8),
            "m": floats(r, 3, 4),
            "i": np.array([1, 0, 3, 1], "i4"),
            "w": floats(r, 5, 8),
        },
    ),
    "quantised": (
        quantised,
        lambda r: {
            "x": floats(r, 3, 4),
            "r": floats(r, 5, 4),
            "s": r.uniform(0, 1, (2, 9, 3)).astype("f4"),
            "b": boxes(r, 2, 9),
            "e": boxes(r, 2, 9, 3),
        },
    ),
    "numbers": (lambda *inputs: list(numbers(*inputs)), number_inputs),
    "images": (
        images,
        lambda r: {"x": floats(r, 1, 5, 6, 2), "b": np.array([[0.1, 0.2, 0.83, 0.87], [-0.2, 0.0, 0.53, 1.27]], "f4")},
    ),
}
