"""Tuning on a Ray cluster: of several nodes, all of which are this machine. Needs Ray (test/oracle/requirements-ray.txt)."""

import json
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
import ray
from conftest import make_model
from onnx import TensorProto, helper
from ray.cluster_utils import Cluster

import relay_mlir
from relay_mlir.tune_ray import RayExecutor

NODE = {"num_cpus": 2, "object_store_memory": 100 << 20}


@pytest.fixture
def cluster():
    cluster = Cluster(initialize_head=True, head_node_args={**NODE, "include_dashboard": False})
    yield cluster
    cluster.shutdown()


@pytest.fixture(scope="module")
def model():
    """relu(x y) of batches: a kernel."""
    shape = (2, 24, 24)
    nodes = [helper.make_node("MatMul", ["x", "y"], ["p"]), helper.make_node("Relu", ["p"], ["z"])]
    tensors = [(name, TensorProto.FLOAT, shape) for name in ("x", "y", "z")]
    return make_model(nodes, tensors[:2], tensors[2:])


def test_a_node_that_is_killed_costs_no_record(cluster, model, tmp_path):
    path = tmp_path / "records.jsonl"
    timing = {"resources": {"relay_cpu": 1}, **NODE}
    first = cluster.add_node(**timing)
    tried, killed = threading.Event(), threading.Event()

    def listen(event):
        if event["event"] == "tried" and not killed.is_set():
            tried.set()
            assert killed.wait(120)

    executor = RayExecutor(address=cluster.address, runner={"relay_cpu": 1}, builders=2)
    how = {"trials": 16, "budget": 300, "threads": 1, "executor": executor, "progress": listen}
    # Nodes are started and ended by the main thread only.
    with ThreadPoolExecutor(1) as pool:
        tuning = pool.submit(relay_mlir.tune, model, path, **how)
        # Amid the first round: the node that times goes, and another one comes.
        assert tried.wait(120)
        cluster.remove_node(first, allow_graceful=False)
        cluster.add_node(**timing)
        killed.set()
        tuned = tuning.result()
    assert (tuned.trials, tuned.failed) == (16, 0)
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    trials = [line for line in lines if line["kind"] == "trial"]
    assert len(trials) == 16 and all("ran" in line["outcome"] for line in trials)


def test_what_the_cluster_has_not_is_named(cluster, model, tmp_path):
    path = tmp_path / "records.jsonl"
    nothing = RayExecutor(address=cluster.address, runner={"relay_gpu": 1}, builders=1, wait=2)
    with pytest.raises(relay_mlir.CompileError, match="no machine of the Ray cluster has 1 CPUs and 1 of relay_gpu free"):
        relay_mlir.tune(model, path, trials=8, budget=60, threads=1, executor=nothing)
    kinds = [json.loads(line)["kind"] for line in path.read_text().splitlines()]
    assert kinds == ["kernel"], "what says nothing of a schedule is no record"


def test_the_cluster_that_is_connected_is_used(cluster):
    ray.init(address=cluster.address, log_to_driver=False)
    try:
        words = RayExecutor().command()
    finally:
        ray.shutdown()
    assert cluster.address in words
