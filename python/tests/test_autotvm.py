"""AutoTVM's templates and tuners: spaces have the sizes of their definition, and what a tuner finds computes what numpy computes."""

import json
import math

import numpy as np
import pytest

from relay_mlir import autotvm, te
from relay_mlir.autotvm import record
from relay_mlir.errors import Error, IRError

QUICK = autotvm.measure_option(
    builder=autotvm.LocalBuilder(timeout=60, n_parallel=2),
    runner=autotvm.LocalRunner(timeout=60, number=2, repeat=2, threads=1),
)


@autotvm.template("test/matmul")
def matmul(n, m, l, dtype):
    a, b = te.placeholder((n, l), dtype, name="a"), te.placeholder((l, m), dtype, name="b")
    k = te.reduce_axis((0, l), name="k")
    c = te.compute((n, m), lambda i, j: te.sum(a[i, k] * b[k, j], axis=k), name="c")
    s = te.create_schedule(c.op)
    y, x = s[c].op.axis
    (k,) = s[c].op.reduce_axis
    cfg = autotvm.get_config()
    cfg.define_split("tile_y", y, num_outputs=2)
    cfg.define_split("tile_x", x, num_outputs=2, policy="power2", max_factor=16)
    yo, yi = cfg["tile_y"].apply(s, c, y)
    xo, xi = cfg["tile_x"].apply(s, c, x)
    cfg.define_knob("vectors", [False, True])
    cfg.define_reorder("order", [k, yi], policy="all")
    s[c].reorder(yo, xo, k, yi, xi)
    if cfg["order"].perm == [1, 0]:
        s[c].reorder(yi, k)
    if cfg["vectors"].val:
        s[c].vectorize(xi)
    return s, [a, b, c]


def a_task():
    return autotvm.task.create("test/matmul", args=(24, 20, 12, "float32"), target="llvm")


def check(schedule, args):
    numbers = np.random.default_rng(0)
    x, y = (numbers.standard_normal(shape).astype("f4") for shape in [(24, 12), (12, 20)])
    made = te.build(schedule, args, target="llvm", opt_level=1, threads=1)
    np.testing.assert_allclose(made(x, y), x @ y, rtol=1e-4, atol=1e-4)


def test_a_space_has_all_choices():
    task = a_task()
    divisors = sum(24 % number == 0 for number in range(1, 25))
    powers = 5  # 1, 2, 4, 8, 16
    assert task.config_space.dims == [divisors, powers, 2, 2]
    assert len(task.config_space) == math.prod(task.config_space.dims)
    choices = [task.config_space.get(index) for index in range(len(task.config_space))]
    assert len({repr(choice.chosen) for choice in choices}) == len(choices)
    for index in (0, 1, 77, len(choices) - 1):
        assert task.config_space.index_of(task.config_space.knobs_of(index)) == index
    assert task.flop == 2 * 24 * 20 * 12
    with pytest.raises(IndexError, match="none has the number"):
        task.config_space.get(len(choices))


def test_splits_of_several_loops():
    space = autotvm.ConfigSpace()
    space.define_split("all", 12, num_outputs=3)
    inner = [(a, b) for a in range(1, 13) for b in range(1, 13) if 12 % (a * b) == 0]
    assert [tuple(one.size[1:]) for one in space.space_map["all"]] == inner
    space.define_split("few", 64, num_outputs=2, max_factor=8, filter=lambda entity: entity.size[-1] > 1)
    assert [one.size for one in space.space_map["few"]] == [[-1, 2], [-1, 4], [-1, 8]]
    space.define_split("listed", 64, policy="candidate", candidate=[[-1, 3], [-1, 5]])
    assert [one.size for one in space.space_map["listed"]] == [[-1, 3], [-1, 5]]
    with pytest.raises(IRError, match="no policy 'best'"):
        space.define_split("wrong", 64, policy="best")
    with pytest.raises(IRError, match="more than 5040 orders"):
        space.define_reorder("many", list(range(8)), policy="all")


@pytest.mark.parametrize(
    "tuner", [autotvm.tuner.RandomTuner, autotvm.tuner.GridSearchTuner, autotvm.tuner.GATuner, autotvm.tuner.XGBTuner]
)
def test_tuners_find_what_is_right(tuner, tmp_path):
    task, log = a_task(), tmp_path / "log.json"
    how = {autotvm.tuner.GATuner: {"pop_size": 4}, autotvm.tuner.XGBTuner: {"plan_size": 4}}.get(tuner, {})
    search = tuner(task, **how)
    search.tune(10, QUICK, callbacks=[autotvm.callback.log_to_file(log)])
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert len(lines) == search.ttl_measured == 10
    assert all(line["result"][1] == 0 for line in lines), lines
    assert len({line["config"]["index"] for line in lines}) == 10
    fastest = min(lines, key=lambda line: sum(line["result"][0]))
    assert search.best_config.index == fastest["config"]["index"]
    with autotvm.apply_history_best(log) as history:
        assert history.query("llvm", task.workload).index == fastest["config"]["index"]
        check(*matmul(24, 20, 12, "float32"))
    more = tuner(task, **how)
    more.load_history(record.load_from_file(log))
    assert not {line["config"]["index"] for line in lines} & set(more._unseen(20))
    assert not {line["config"]["index"] for line in lines} & set(more.next_indices(20))


def test_without_history_each_knob_is_its_first_value():
    check(*matmul(24, 20, 12, "float32"))


@autotvm.template("test/impossible")
def impossible(n):
    a = te.placeholder((n,), name="a")
    b = te.compute((n,), lambda i: a[i] + 1.0, name="b")
    s = te.create_schedule(b.op)
    cfg = autotvm.get_config()
    cfg.define_knob("way", ["fine", "raises", "refused", "fails"])
    way = cfg["way"].val
    if way == "raises":
        raise ValueError("not this way")
    if way == "refused":
        cfg.raise_error("too large")
    if way == "fails":
        s[b].split(b.op.axis[0], factor=7)[0].unknown
    return s, [a, b]


def test_choices_that_fail_are_recorded():
    task = autotvm.task.create("test/impossible", args=(16,))
    search, seen = autotvm.tuner.GridSearchTuner(task), []
    search.tune(10, QUICK, callbacks=[lambda tuner, inputs, results: seen.extend(results)])
    numbers = autotvm.MeasureErrorNo
    assert [result.error_no for result in seen] == [numbers.NO_ERROR] + [numbers.INSTANTIATION_ERROR] * 3
    assert seen[1].costs == ("not this way",)
    assert seen[2].costs == ("too large",)


def test_a_choice_that_takes_too_long_ends():
    task = a_task()
    option = autotvm.measure_option(builder=autotvm.LocalBuilder(timeout=0.001, n_parallel=1))
    search, seen = autotvm.tuner.GridSearchTuner(task), []
    search.tune(1, option, callbacks=[lambda tuner, inputs, results: seen.extend(results)])
    assert [result.error_no for result in seen] == [autotvm.MeasureErrorNo.BUILD_TIMEOUT]


@autotvm.template("test/mixed")
def mixed(n):
    a = te.placeholder((n,), name="a")
    b = te.compute((n,), lambda i: a[i] + 1.0, name="b")
    cfg = autotvm.get_config()
    cfg.define_knob("unroll", [0, 16, "all"])
    cfg.define_knob("way", ["plain", "fast"])
    return te.create_schedule(b.op), [a, b]


def test_values_that_are_no_numbers_stand_beside_numbers():
    search = autotvm.tuner.XGBTuner(autotvm.task.create("test/mixed", args=(16,)), plan_size=2)
    for index in range(3):
        search.visited.add(index)
        search.learn(index, 1e9 * index)
    assert set(search.next_indices(2)) <= {3, 4, 5}


def test_open_extents_are_refused():
    with pytest.raises(IRError, match="the extent of .* is n, which is open"):
        autotvm.task.create("test/mixed", args=("n",))
    with pytest.raises(IRError, match="is open"):
        autotvm.ConfigSpace().define_split("tile", te.reduce_axis((0, "n"), name="k"))


def test_records_are_checked(tmp_path):
    task, log = a_task(), tmp_path / "log.json"
    autotvm.tuner.RandomTuner(task).tune(2, QUICK, callbacks=[autotvm.callback.log_to_file(log)])
    whole = log.read_text()
    log.write_text(whole + whole[:50])
    assert len(list(record.load_from_file(log))) == 2
    log.write_text(whole[:50] + "\n" + whole)
    with pytest.raises(Error, match=":1: this is no record"):
        list(record.load_from_file(log))
    log.write_text(whole * 3)
    record.pick_best(log, tmp_path / "best.json")
    assert len((tmp_path / "best.json").read_text().splitlines()) == 1


def test_what_is_not_there_has_a_message():
    with pytest.raises(IRError, match="no template 'test/none'"):
        autotvm.task.create("test/none", args=())
    with pytest.raises(IRError, match="no knob 'tile_z'; there are tile_y"):
        a_task().config_space["tile_z"]
    with pytest.raises(ValueError, match="'rpc' measures nothing"):
        autotvm.measure_option(runner="rpc")
