"""Writes models of operators of the domain ai.onnx.ml, as check_cases.py reads them; what they compute is what ONNX Runtime makes of them."""

import pathlib
import sys

import cases
import numpy as np
from onnx import helper, numpy_helper

RANDOM = np.random.default_rng(5)
FLOATS = RANDOM.standard_normal((3, 4)).astype(np.float32)
WHOLE = np.array([[3, 1, 4], [1, -5, 9]])
KEYS = {"keys_int64s": [1, 3, 9]}
NUMBERS = np.array([0.5, np.nan, -0.0, 7, np.inf], np.float32)


def tensor(values, dtype):
    """A list of an attribute."""
    return numpy_helper.from_array(np.array(values, dtype), "list")


# By name: the operator, the version of its domain, its inputs, and its attributes.
CASES = {
    "binarizer": ("Binarizer", 1, [FLOATS], {"threshold": 0.25}),
    "binarizer_at_zero": ("Binarizer", 1, [np.array([[-1, 0, 1]], np.float32)], {}),
    "columns": ("ArrayFeatureExtractor", 1, [FLOATS, np.array([[3, 0, 3]])], {}),
    "columns_of_a_list": ("ArrayFeatureExtractor", 1, [FLOATS[0], np.array([2, 1])], {}),
    "columns_of_rank_3": ("ArrayFeatureExtractor", 1, [FLOATS.reshape(3, 2, 2), np.array([1])], {}),
    "ints_to_floats": ("LabelEncoder", 2, [WHOLE], {**KEYS, "values_floats": [0.5, 1.5, -2.0]}),
    "with_a_default": (
        "LabelEncoder",
        2,
        [WHOLE],
        {**KEYS, "values_floats": [0.5, 1.5, -2.0], "default_float": 100.0},
    ),
    "floats_to_ints": (
        "LabelEncoder",
        4,
        [NUMBERS],
        {"keys_floats": [0.5, float("nan"), 0.0], "values_int64s": [10, 20, 30], "default_int64": -7},
    ),
    "tensors": (
        "LabelEncoder",
        4,
        [WHOLE],
        {
            "keys_tensor": tensor([3, 4, 9], np.int64),
            "values_tensor": tensor([30, 40, 90], np.float32),
            "default_tensor": tensor([-1], np.float32),
        },
    ),
}


# Samples with numbers at the nodes' thresholds, and such as are none.
SAMPLES = np.vstack([RANDOM.standard_normal((40, 5)), np.full((1, 5), 0.5), np.full((1, 5), np.nan)]).astype(np.float32)
KINDS_OF_TESTS = ["BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT", "BRANCH_EQ", "BRANCH_NEQ"]


def trees(leaf, count, depth, targets, tests=("BRANCH_LEQ",), missing=False, least=-1.0):
    """Attributes of random trees, whose leaves' attributes begin with `leaf`."""
    nodes = {name: [] for name in ("treeids", "nodeids", "featureids", "values", "modes", "truenodeids", "falsenodeids")}
    leaves = {name: [] for name in ("treeids", "nodeids", "ids", "weights")}

    def grow(tree, node, left):
        """Adds a node and what is below; returns the next free number."""
        place = len(nodes["modes"])
        for name, value in [("treeids", tree), ("nodeids", node), ("featureids", int(RANDOM.integers(5)))]:
            nodes[name].append(value)
        nodes["values"].append(float(RANDOM.choice([0.5, -0.25, 0.1])))
        nodes["modes"].append("LEAF")
        nodes["truenodeids"].append(0)
        nodes["falsenodeids"].append(0)
        if left == 0 or (left < depth and RANDOM.random() < 0.2):
            for target in targets:
                for name, value in [("treeids", tree), ("nodeids", node), ("ids", target)]:
                    leaves[name].append(value)
                leaves["weights"].append(float(RANDOM.uniform(least, 1)))
            return node + 1
        nodes["modes"][place] = str(RANDOM.choice(tests))
        nodes["truenodeids"][place] = node + 1
        other = grow(tree, node + 1, left - 1)
        nodes["falsenodeids"][place] = other
        return grow(tree, other, left - 1)

    for tree in range(count):
        grow(tree, 0, depth)
    attributes = {f"nodes_{name}": values for name, values in nodes.items()}
    attributes |= {f"{leaf}_{name}": values for name, values in leaves.items()}
    if missing:
        attributes["nodes_missing_value_tracks_true"] = RANDOM.integers(0, 2, len(nodes["modes"])).tolist()
    return attributes


def vectors(kernel, **more):
    """Attributes of a support vector machine."""
    return {
        "kernel_type": kernel,
        "kernel_params": [0.3, 0.5, 3.0],
        "n_supports": 6,
        "support_vectors": RANDOM.standard_normal(30).tolist(),
        "coefficients": RANDOM.standard_normal(6).tolist(),
        "rho": [0.25],
        **more,
    }




def pairs(kernel, *counts, **more):
    """Attributes of a support vector machine that compares classes of so many vectors pair by pair."""
    total, pairs = sum(counts), len(counts) * (len(counts) - 1) // 2
    return {
        "kernel_type": kernel,
        "kernel_params": [0.3, 0.5, 3.0],
        "vectors_per_class": list(counts),
        "support_vectors": RANDOM.standard_normal(5 * total).tolist(),
        "coefficients": RANDOM.standard_normal(total * (len(counts) - 1)).tolist(),
        "rho": RANDOM.standard_normal(pairs).tolist(),
        "classlabels_ints": [7, 3, 5, 9][: len(counts)],
        **more,
    }


def chances(classes):
    """Attributes that make probabilities of the scores of pairs of classes."""
    count = classes * (classes - 1) // 2
    return {"prob_a": (-np.abs(RANDOM.standard_normal(count))).tolist(), "prob_b": RANDOM.standard_normal(count).tolist()}


FINITE = SAMPLES[:-1]
LABELS = {"classlabels_int64s": [7, 3, 5]}
TWO = {"classlabels_int64s": [7, 3]}
LINES = {"coefficients": RANDOM.standard_normal(15).tolist(), "intercepts": [0.5, -0.25, 0.0]}
LINE = {"coefficients": RANDOM.standard_normal(5).tolist(), "intercepts": [0.5]}

CASES |= {
    "scaler": ("Scaler", 1, [FINITE], {"offset": [0.5, 1, 2, 3, 4], "scale": [2.0, 3, 4, 5, 6]}),
    "scaler_of_one": ("Scaler", 1, [WHOLE], {"offset": [1.0], "scale": [0.5]}),
    "normalizer_max": ("Normalizer", 1, [FINITE], {"norm": "MAX"}),
    "normalizer_l1": ("Normalizer", 1, [np.vstack([FINITE, np.zeros((1, 5), np.float32)])], {"norm": "L1"}),
    "normalizer_l2": ("Normalizer", 1, [FINITE], {"norm": "L2"}),
    "imputer": ("Imputer", 1, [SAMPLES], {"replaced_value_float": float("nan"), "imputed_value_floats": [1.0, 2, 3, 4, 5]}),
    "imputer_of_ints": ("Imputer", 1, [WHOLE], {"replaced_value_int64": 1, "imputed_value_int64s": [100]}),
    "vectorizer": ("FeatureVectorizer", 1, [FINITE, FINITE[:, :2]], {"inputdimensions": [5, 2]}),
    "one_hot": ("OneHotEncoder", 1, [WHOLE], {"cats_int64s": [1, 9, 3]}),
    "regressor": ("LinearRegressor", 1, [FINITE], {**LINES, "targets": 3}),
    "classifier": ("LinearClassifier", 1, [FINITE], {**LINES, "classlabels_ints": [4, 2, 9], "post_transform": "SOFTMAX"}),
    "classifier_of_two": ("LinearClassifier", 1, [FINITE], {**LINE, "classlabels_ints": [4, 2], "post_transform": "LOGISTIC"}),
    "classifier_of_two_lines": (
        "LinearClassifier",
        1,
        [FINITE],
        {"coefficients": LINES["coefficients"][:10], "intercepts": [0.5, 0.1], "classlabels_ints": [0, 1], "post_transform": "LOGISTIC"},
    ),
    "svm_linear": ("SVMRegressor", 1, [FINITE], vectors("LINEAR")),
    "svm_poly": ("SVMRegressor", 1, [FINITE], vectors("POLY")),
    "svm_rbf": ("SVMRegressor", 1, [FINITE], vectors("RBF")),
    "svm_sigmoid": ("SVMRegressor", 1, [FINITE], vectors("SIGMOID")),
    "svm_one_class": ("SVMRegressor", 1, [FINITE], vectors("RBF", one_class=1)),
    "svm_line": ("SVMRegressor", 1, [FINITE], {"kernel_type": "LINEAR", "kernel_params": [0.0, 0.0, 0.0], "coefficients": LINE["coefficients"], "rho": [0.5], "n_supports": 0}),
    "trees": ("TreeEnsembleRegressor", 3, [SAMPLES], {**trees("target", 10, 6, [0]), "n_targets": 1, "base_values": [0.5]}),
    "trees_of_targets": ("TreeEnsembleRegressor", 3, [SAMPLES], {**trees("target", 5, 4, [0, 2]), "n_targets": 3}),
    "trees_of_doubles": ("TreeEnsembleRegressor", 3, [SAMPLES.astype(np.float64)], {**trees("target", 5, 4, [0]), "n_targets": 1}),
    "tree_of_a_leaf": ("TreeEnsembleRegressor", 3, [FINITE], {**trees("target", 1, 0, [0]), "n_targets": 1}),
    "mean_of_trees": ("TreeEnsembleRegressor", 3, [FINITE], {**trees("target", 4, 3, [0]), "n_targets": 1, "aggregate_function": "AVERAGE"}),
    "greatest_of_trees": ("TreeEnsembleRegressor", 3, [FINITE], {**trees("target", 4, 3, [0]), "n_targets": 1, "aggregate_function": "MAX"}),
    **{
        f"trees_{test}": ("TreeEnsembleRegressor", 3, [SAMPLES], {**trees("target", 3, 4, [0], [test]), "n_targets": 1})
        for test in KINDS_OF_TESTS
    },
    "trees_that_miss": ("TreeEnsembleRegressor", 3, [SAMPLES], {**trees("target", 9, 5, [0], missing=True), "n_targets": 1}),
    "classes_of_trees": ("TreeEnsembleClassifier", 3, [FINITE], {**trees("class", 7, 4, [0, 1, 2], least=0.0), **LABELS, "post_transform": "SOFTMAX"}),
    "classes_with_base": ("TreeEnsembleClassifier", 3, [FINITE], {**trees("class", 7, 4, [0, 1, 2]), **LABELS, "base_values": [0.5, 0.1, 0.0]}),
    "one_score": ("TreeEnsembleClassifier", 3, [FINITE], {**trees("class", 7, 4, [0]), **TWO, "post_transform": "LOGISTIC"}),
    "one_score_with_base": ("TreeEnsembleClassifier", 3, [FINITE], {**trees("class", 7, 4, [0]), **TWO, "post_transform": "LOGISTIC", "base_values": [0.3]}),
    "one_chance": ("TreeEnsembleClassifier", 3, [FINITE], {**trees("class", 3, 4, [1], least=0.0), **TWO}),
    "one_chance_of_first": ("TreeEnsembleClassifier", 3, [FINITE], {**trees("class", 3, 4, [0], least=0.0), **TWO}),
    "one_score_of_second": ("TreeEnsembleClassifier", 3, [FINITE], {**trees("class", 7, 4, [1]), **TWO, "post_transform": "LOGISTIC"}),
}

CASES |= {
    "svm_two_classes": ("SVMClassifier", 1, [FINITE], pairs("RBF", 3, 4)),
    "svm_two_classes_logistic": ("SVMClassifier", 1, [FINITE], pairs("LINEAR", 2, 3, post_transform="LOGISTIC")),
    "svm_two_chances": ("SVMClassifier", 1, [FINITE], pairs("RBF", 3, 4, **chances(2))),
    "svm_classes": ("SVMClassifier", 1, [FINITE], pairs("POLY", 3, 4, 2, 5)),
    "svm_classes_softmax": ("SVMClassifier", 1, [FINITE], pairs("SIGMOID", 3, 4, 2, post_transform="SOFTMAX")),
    "svm_chances": ("SVMClassifier", 1, [FINITE], pairs("RBF", 3, 4, 2, 5, **chances(4))),
    "maps": ("ZipMap", 1, [FINITE[:, :3]], LABELS),
}


def case(operator, version, arrays, attributes):
    """A model of one node, and its inputs."""
    named = {f"x{place}": array for place, array in enumerate(arrays)}
    names = ["y", "scores"] if operator.endswith("Classifier") else ["y"]
    node = helper.make_node(operator, list(named), names, domain="ai.onnx.ml", **attributes)
    made = cases.model([node], named, {}, names, 17)
    made.opset_import.append(helper.make_opsetid("ai.onnx.ml", version))
    return made, named


def computed(made, inputs):
    """What ONNX Runtime computes; maps as rows of their values, in the order of the classes."""
    outputs = cases.outputs_of(made, inputs)
    classes = LABELS["classlabels_int64s"]
    rows = lambda value: np.array([[row[one] for one in classes] for row in value], np.float32) if isinstance(value, list) else value
    return {name: rows(value) for name, value in outputs.items()}


def main():
    folder = pathlib.Path(sys.argv[1])
    written = []
    for name, of in CASES.items():
        made, inputs = case(*of)
        written.append(cases.write(folder, name, made, inputs, computed(made, inputs)))
    cases.write_index(folder, written)


main()
