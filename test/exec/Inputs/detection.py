"""Detectors' operators, by plain loops over their definitions."""

import itertools
import math
import sys
from pathlib import Path

import numpy as np

from relay_cases import Case, First, check

relayc, folder = sys.argv[1], Path(sys.argv[2])
random = np.random.default_rng(5)


def boxes(*shape):
    """Random boxes, of which many overlap: two corners in any order."""
    corners = random.uniform(0, 10, (*shape, 2)), random.uniform(0, 10, (*shape, 2))
    return np.concatenate(corners, -1).astype(np.float32)


def overlap(one, other, more=0.0):
    """Shared area by covered area."""
    low, high = np.maximum(one[:2], other[:2]), np.minimum(one[2:], other[2:])
    shared = np.prod(np.maximum(high - low + more, 0))
    covered = sum(np.prod(box[2:] - box[:2] + more) for box in (one, other)) - shared
    return shared / covered if covered > 0 else 0


def ordered(box):
    return np.concatenate([np.minimum(box[:2], box[2:]), np.maximum(box[:2], box[2:])])


def valid_counts(data, threshold, id_index, score_index):
    counts = np.zeros(len(data), np.int32)
    rows, places = np.full_like(data, -1), np.full(data.shape[:2], -1, np.int32)
    for sample, matrix in enumerate(data):
        for place, row in enumerate(matrix):
            if row[score_index] > threshold and (id_index < 0 or row[id_index] >= 0):
                rows[sample, counts[sample]], places[sample, counts[sample]] = row, place
                counts[sample] += 1
    return counts, rows, places


def suppressed(data, valid, most, threshold, forces=False, top=-1, start=2, score=1, id_index=0):
    """Of each sample, the place of the row that is at each place of the result, or None."""
    result = []
    for matrix, count in zip(data, valid):
        order = [None] * len(matrix)
        if threshold <= 0:
            order[:count] = range(count)
        else:
            by_score = sorted(range(count), key=lambda place: -matrix[place, score])
            kept = []
            for at, place in enumerate(by_score[: top if top > 0 else None]):
                row = matrix[place]
                if len(kept) == most:
                    continue
                if row[score] > 0:
                    alike = [
                        matrix[other]
                        for other in kept
                        if id_index < 0 or matrix[other, id_index] >= 0 and (forces or matrix[other, id_index] == row[id_index])
                    ]
                    corners = [ordered(other[start : start + 4]) for other in alike]
                    if any(overlap(other, ordered(row[start : start + 4])) >= threshold for other in corners):
                        continue
                    kept.append(place)
                order[at] = place
        result.append(order)
    return result


def rows_of(data, orders, to_bottom=False):
    result = np.full_like(data, -1)
    for sample, order in enumerate(orders):
        rows = [(at, data[sample, place]) for at, place in enumerate(order) if place is not None]
        if to_bottom:
            rows = enumerate(row for _, row in rows if row[0] >= 0)
        for at, row in rows:
            result[sample, at] = row
    return result


def indices_of(indices, orders):
    result = np.full(indices.shape, -1, np.int32)
    counts = np.zeros((len(orders), 1), np.int32)
    for sample, order in enumerate(orders):
        kept = [indices[sample, place] for place in order if place is not None and indices[sample, place] >= 0]
        result[sample, : len(kept)], counts[sample] = kept, len(kept)
    return result, counts


def regular(boxes, scores, of_class, most, classes, threshold, least):
    batch, count, all_classes = scores.shape
    places, names = np.zeros((batch, most, 4), np.float32), np.zeros((batch, most), np.float32)
    best, counts = np.zeros((batch, most), np.float32), np.zeros(batch, np.int32)
    for sample in range(batch):
        found = []
        for name in range(classes):
            of_name = scores[sample, :, name + all_classes - classes]
            kept = []
            for place in sorted(range(count), key=lambda place: -of_name[place]):
                if of_name[place] < least or len(kept) == of_class:
                    continue
                if all(overlap(boxes[sample, other], boxes[sample, place]) <= threshold for other in kept):
                    kept.append(place)
            found += [(of_name[place], name, place) for place in kept]
        found = sorted(found, key=lambda box: -box[0])[:most]
        counts[sample] = len(found)
        for at, (score, name, place) in enumerate(found):
            places[sample, at], names[sample, at], best[sample, at] = boxes[sample, place], name, score
    return places, names, best, counts


def priors(height, width, sizes, ratios, steps, offsets, clips):
    result = []
    steps = [step if step > 0 else 1 / extent for step, extent in zip(steps, (height, width))]
    for i, j in itertools.product(range(height), range(width)):
        y, x = (i + offsets[0]) * steps[0], (j + offsets[1]) * steps[1]
        kinds = [(size, 1) for size in sizes] + [(sizes[0], ratio) for ratio in ratios[1:]]
        for size, ratio in kinds:
            w, h = size * height / width * math.sqrt(ratio) / 2, size / math.sqrt(ratio) / 2
            result.append([x - w, y - h, x + w, y + h])
    result = np.array([result], np.float32)
    return result.clip(0, 1) if clips else result


def transformed(classes, moves, anchors, clips, threshold, variances, keeps):
    batch, _, count = classes.shape
    rows, counts = np.full((batch, count, 6), -1, np.float32), np.zeros(batch, np.int32)
    for sample, place in itertools.product(range(batch), range(count)):
        of_box = classes[sample, 0 if keeps else 1 :, place]
        name, score = int(of_box.argmax()) + (0 if keeps else 1), of_box.max()
        name = 0 if score < threshold else name
        if not keeps and name == 0:
            continue
        box, shift = anchors[0, place], moves[sample, 4 * place : 4 * place + 4] * variances
        sides, center = box[2:] - box[:2], (box[:2] + box[2:]) / 2
        center, half = center + shift[:2] * sides, np.exp(shift[2:]) * sides / 2
        corners = np.concatenate([center - half, center + half])
        corners = corners.clip(0, 1) if clips else corners
        rows[sample, counts[sample]] = [name if keeps else name - 1, score, *corners]
        counts[sample] += 1
    return rows, counts


def proposals(scores, moves, images, scales, ratios, stride, threshold, before, after, least, adds):
    batch, _, height, width = scores.shape
    kinds = [(ratio, scale) for ratio in ratios for scale in scales]
    result = []
    for sample in range(batch):
        rows, columns, scale = images[sample]
        found = []
        for i, j, (k, (ratio, size)) in itertools.product(range(height), range(width), enumerate(kinds)):
            w = math.floor(math.sqrt(math.floor(stride * stride / ratio)) + 0.5)
            h = math.floor(w * ratio + 0.5)
            half, middle = np.array([w * size - 1, h * size - 1]) / 2, (stride - 1) / 2
            at = np.array([j, i]) * stride + middle
            box = np.concatenate([at - half, at + half])
            shift = moves[sample, 4 * k : 4 * k + 4, i, j].astype(float)
            if adds:
                box = box + shift
            else:
                sides = box[2:] - box[:2] + 1
                center, half = (box[:2] + box[2:]) / 2 + shift[:2] * sides, (np.exp(shift[2:]) * sides - 1) / 2
                box = np.concatenate([center - half, center + half])
            box = np.maximum(np.minimum(box, [columns - 1, rows - 1] * 2), 0)
            score = scores[sample, len(kinds) + k, i, j]
            if i >= int(rows / stride) or j >= int(columns / stride):
                score = -1
            if min(box[2:] - box[:2] + 1) < least * scale:
                side = least * scale / 2
                box, score = box + np.array([-side, -side, side, side]), -1
            found.append((score, box))
        order = sorted(found, key=lambda box: -box[0])[: before if before > 0 else None]
        kept = []
        for _, box in order:
            if all(overlap(other, box, 1) <= threshold for other in kept):
                kept.append(box)
        result += [[sample, *kept[number % len(kept)]] for number in range(after)]
    return np.array(result, np.float32)


def suppression_cases():
    data = np.concatenate([random.integers(-1, 3, (2, 30, 1)), random.uniform(-0.2, 1, (2, 30, 1)), boxes(2, 30)], -1)
    data = data.astype(np.float32)
    valid = np.array([30, 17], np.int32)
    indices = random.permuted(np.tile(np.arange(-2, 28, dtype=np.int32), (2, 1)), axis=1)
    call = "vision.non_max_suppression({data}, {valid}, {indices}, {most}, {threshold}"
    for most, threshold, attrs, how in [
        (-1, 0.3, "", {}),
        (4, 0.3, "force_suppress=True, top_k=12", {"forces": True, "top": 12}),
        (5, 0.2, "id_index=-1", {"id_index": -1}),
        (-1, 0.0, "", {}),
    ]:
        inputs = {"data": data, "valid": valid, "indices": indices, "most": np.int32(most), "threshold": np.float32(threshold)}
        orders = suppressed(data, valid, most, threshold, **how)
        attrs = f", {attrs}" if attrs else ""
        yield Case(f"{call}{attrs})", inputs, indices_of(indices, orders))
        for to_bottom in (False, True):
            rows = f"{call}{attrs}, return_indices=False, invalid_to_bottom={to_bottom})"
            yield Case(rows, inputs, rows_of(data, orders, to_bottom))


def all_class_case():
    places, scores = boxes(2, 12), random.uniform(0, 1, (2, 3, 12)).astype(np.float32)
    found = []
    for sample, name in itertools.product(range(2), range(3)):
        kept = []
        for place in np.argsort(-scores[sample, name], kind="stable"):
            box = ordered(places[sample, place])
            is_kept = all(overlap(ordered(places[sample, other]), box) <= 0.3 for other in kept)
            if scores[sample, name, place] > 0.2 and len(kept) < 4 and is_kept:
                kept.append(place)
        found += [[sample, name, place] for place in kept]
    call = 'vision.all_class_non_max_suppression({b}, {s}, {m}, {i}, {t}, output_format="onnx")'
    limits = {"m": np.int64(4), "i": np.float32(0.3), "t": np.float32(0.2)}
    yield Case(call, {"b": places, "s": scores} | limits, (First(np.array(found)), np.array([len(found)])))


def cases():
    yield from all_class_case()
    data = random.uniform(-0.5, 1, (3, 9, 6)).astype(np.float32)
    inputs = {"data": data, "t": np.float32(0.2)}
    yield Case("vision.get_valid_counts({data}, {t}, id_index=0, score_index=1)", inputs, valid_counts(data, 0.2, 0, 1))
    yield Case("vision.get_valid_counts({data}, {t}, id_index=-1, score_index=2)", inputs, valid_counts(data, 0.2, -1, 2))
    yield from suppression_cases()
    places, scores = boxes(2, 20), random.uniform(0, 1, (2, 20, 4)).astype(np.float32)
    places = np.concatenate([np.minimum(places[..., :2], places[..., 2:]), np.maximum(places[..., :2], places[..., 2:])], -1)
    call = (
        "vision.regular_non_max_suppression({boxes}, {scores}, max_detections_per_class={of_class}, max_detections={most}, "
        "num_classes=3, iou_threshold={threshold}f, score_threshold=0.3f)"
    )
    for of_class, most, threshold in [(4, 7, 0.4), (100, 60, 0.2)]:
        settled = call
        for name, value in [("of_class", of_class), ("most", most), ("threshold", threshold)]:
            settled = settled.replace(f"{{{name}}}", str(value))
        expected = regular(places, scores, of_class, most, 3, threshold, 0.3)
        yield Case(settled, {"boxes": places, "scores": scores}, expected)
    image = np.zeros((1, 2, 3, 5), np.float32)
    call = "vision.multibox_prior({x}, sizes=[0.5f, 0.3f], ratios=[1f, 2f, 0.5f], steps=[0.2f, -1f], offsets=[0.5f, 0.25f], clip=True)"
    yield Case(call, {"x": image}, priors(3, 5, [0.5, 0.3], [1, 2, 0.5], [0.2, -1], [0.5, 0.25], True))
    yield Case("vision.multibox_prior({x})", {"x": image}, priors(3, 5, [1], [1], [-1, -1], [0.5, 0.5], False))
    classes = random.dirichlet(np.ones(4), (2, 7)).transpose(0, 2, 1).astype(np.float32)
    moves, anchors = random.standard_normal((2, 28)).astype(np.float32), random.uniform(0, 1, (1, 7, 4)).astype(np.float32)
    inputs = {"p": classes, "l": moves, "a": anchors}
    call = "vision.multibox_transform_loc({p}, {l}, {a}, clip=False, threshold=0.4f, variances=[0.2f, 0.1f, 0.3f, 0.2f])"
    yield Case(call, inputs, transformed(classes, moves, anchors, False, 0.4, [0.2, 0.1, 0.3, 0.2], False))
    call = "vision.multibox_transform_loc({p}, {l}, {a}, keep_background=True)"
    yield Case(call, inputs, transformed(classes, moves, anchors, True, 0.01, [0.1, 0.1, 0.2, 0.2], True))
    scores, moves = random.uniform(0, 1, (2, 8, 4, 5)).astype(np.float32), random.standard_normal((2, 16, 4, 5)) / 4
    images = np.array([[50, 70, 1], [64, 40, 1.5]], np.float32)
    call = "vision.proposal({s}, {m}, {i}, scales=[1f, 2f], ratios=[0.5f, 2f], feature_stride=16, rpn_min_size=8, "
    for rest, threshold, before, after, adds in [
        ("threshold=0.5f, rpn_pre_nms_top_n=30, rpn_post_nms_top_n=6", 0.5, 30, 6, False),
        ("threshold=0.2f, rpn_pre_nms_top_n=-1, rpn_post_nms_top_n=40, iou_loss=True", 0.2, -1, 40, True),
    ]:
        moves = moves.astype(np.float32)
        expected = proposals(scores, moves, images, [1, 2], [0.5, 2], 16, threshold, before, after, 8, adds)
        yield Case(f"{call}{rest})", {"s": scores, "m": moves, "i": images}, expected, 1e-4)


check(relayc, folder, "detection", list(cases()))
