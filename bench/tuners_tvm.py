"""One of TVM's tuners on one kernel, told what to do by lines of JSON (rounds.Process).

`python tuners_tvm.py` is run by a Python that has TVM with Relay, 0.18 or older. TVM starts other Pythons as it tunes: they take
a third of the time once its files are compiled (`python -m compileall`). Requests:

    {"do": "tune", "method": "ansor" or "autotvm", "kernel": {...}, "trials": N, "threads": N, "log": FILE}
        -> {"tried": N, "failed": N}: of the first `trials`; goes on where the log ends
    {"do": "load", same}      -> {}: compiles the best schedule of the first `trials` trials of the log
    {"do": "run", "runs": N}  -> {"times_ns": [...]}

A kernel is {"op": "matmul", "sizes": [M, K, N]} or {"op": "conv2d", "data": [C, H, W], "weight": [O, I, KH, KW],
"stride": S, "padding": P}. Each method has the layout that is best for it: Ansor NHWC with weights in the order that its
schedule reads (layout rewrite), AutoTVM the blocked layouts of the templates conv2d_NCHWc.x86 and dense_pack.x86.
"""

import contextlib
import functools
import json
import os
import pathlib
import sys
import time

os.environ["TOPHUB_LOCATION"] = "NONE"

import numpy as np
import tvm
from tvm import auto_scheduler, autotvm, relay, te, topi
from tvm.auto_scheduler.measure_record import RecordReader


@functools.cache
def builders(_, *arguments, make=auto_scheduler.measure.PopenPoolExecutor):
    """Processes that build, as many as there are processors."""
    return make(os.cpu_count(), *arguments)


# Ansor builds twice as many candidates at a time as it has builders, runs them, and starts all processes again, which takes longer than
# the trials do. Here the processes stay, and a builder has as many names as make all candidates of a round one batch.
ROUND = 64
auto_scheduler.measure.PopenPoolExecutor = builders
auto_scheduler.measure.PopenWorker = functools.cache(auto_scheduler.measure.PopenWorker)

TARGET = tvm.target.Target(f"llvm -mcpu={tvm.target.codegen.llvm_get_system_cpu()}")


@auto_scheduler.register_workload
def matmul(rows, depth, columns):
    """[rows, depth] by [depth, columns], whose second operand is a weight."""
    data = te.placeholder((rows, depth), name="data")
    weight = te.placeholder((depth, columns), name="weight")
    k = te.reduce_axis((0, depth), name="k")
    product = te.compute(
        (rows, columns),
        lambda i, j: te.sum(data[i, k] * weight[k, j], axis=k),
        name="product",
        attrs={"layout_free_placeholders": [weight]},
    )
    return [data, weight, product]


@auto_scheduler.register_workload
def conv2d(channels, height, width, outputs, kernel_height, kernel_width, stride, padding):
    """A convolution in NHWC with weights in HWIO."""
    data = te.placeholder((1, height, width, channels), name="data")
    weight = te.placeholder((kernel_height, kernel_width, channels, outputs), name="weight")
    result = topi.nn.conv2d_nhwc(data, weight, stride, padding, 1, out_dtype="float32")
    return [data, weight, result]


def search_task(kernel):
    """The kernel as a task of Ansor."""
    if kernel["op"] == "conv2d":
        outputs, _, *window = kernel["weight"]
        function = conv2d
        sizes = [*kernel["data"], outputs, *window, kernel["stride"], kernel["padding"]]
    else:
        function, sizes = matmul, kernel["sizes"]
    return auto_scheduler.SearchTask(
        func=function,
        args=tuple(sizes),
        target=TARGET,
        layout_rewrite_option=auto_scheduler.LayoutRewriteOption.REWRITE_FOR_PRE_TRANSFORMED,
    )


def autotvm_task(kernel):
    """The kernel as a task of AutoTVM: that of a network of it alone."""
    if kernel["op"] == "conv2d":
        data = relay.var("data", shape=(1, *kernel["data"]))
        weight = relay.const(np.ones(kernel["weight"], "float32"))
        call = relay.nn.conv2d(
            data,
            weight,
            strides=(kernel["stride"],) * 2,
            padding=(kernel["padding"],) * 2,
            channels=kernel["weight"][0],
            kernel_size=kernel["weight"][2:],
        )
        template = "conv2d_NCHWc.x86"
    else:
        rows, depth, columns = kernel["sizes"]
        data = relay.var("data", shape=(rows, depth))
        weight = relay.const(np.ones((columns, depth), "float32"))
        call = relay.nn.dense(data, weight)
        template = "dense_pack.x86"
    module = tvm.IRModule.from_expr(relay.Function([data], call))
    tasks = autotvm.task.extract_from_program(module, target=TARGET, params={})
    return next(task for task in tasks if task.name == template)


class Ansor:
    """The auto-scheduler."""

    def __init__(self, kernel):
        self.task = search_task(kernel)

    def done(self, log):
        """Of each trial of a log, whether it worked."""
        records = list(RecordReader(log)) if pathlib.Path(log).exists() else []
        return [result.error_no == 0 for _, result in records]

    def tune(self, trials, log):
        """Tries schedules until the log has so many."""
        model = auto_scheduler.XGBModel()
        before = []
        if pathlib.Path(log).exists():
            model.update_from_file(log)
            before = [auto_scheduler.PreloadMeasuredStates(log)]
        policy = auto_scheduler.SketchPolicy(self.task, model, verbose=0, init_search_callbacks=before)
        options = auto_scheduler.TuningOptions(
            num_measure_trials=trials - len(self.done(log)),
            num_measures_per_round=ROUND,
            builder=auto_scheduler.LocalBuilder(n_parallel=ROUND // 2),
            measure_callbacks=[auto_scheduler.RecordToFile(log)],
            verbose=0,
        )
        self.task.tune(options, search_policy=policy)

    def best(self, trials, log):
        """The function of the best of the first trials, and its arguments' shapes."""
        records = list(RecordReader(log))[:trials]
        good = [pair for pair in records if pair[1].error_no == 0]
        mean = lambda pair: float(np.mean([cost.value for cost in pair[1].costs]))
        schedule, arguments = self.task.compute_dag.apply_steps_from_state(
            min(good, key=mean)[0].state, self.task.layout_rewrite_option
        )
        return tvm.build(schedule, arguments, TARGET), arguments


@contextlib.contextmanager
def in_tuning():
    """A kernel's arguments are in blocks, as while it is tuned and in a network; else it would put them into blocks each time."""
    autotvm.GLOBAL_SCOPE.in_tuning = True
    try:
        yield
    finally:
        autotvm.GLOBAL_SCOPE.in_tuning = False


class AutoTvm:
    """Templates."""

    def __init__(self, kernel):
        self.task = autotvm_task(kernel)
        self.tuner = None

    def done(self, log):
        """Of each trial of a log, whether it worked."""
        records = list(autotvm.record.load_from_file(log)) if pathlib.Path(log).exists() else []
        return [result.error_no == 0 for _, result in records]

    def tune(self, trials, log):
        """Tries schedules until the log has so many, or the space has no more."""
        tried = len(self.done(log))
        if self.tuner is None:
            self.tuner = self.tuner_after(tried, log)
        option = autotvm.measure_option(
            builder=autotvm.LocalBuilder(),
            runner=autotvm.LocalRunner(number=1, repeat=10, min_repeat_ms=0, enable_cpu_cache_flush=True),
        )
        callbacks = [autotvm.callback.log_to_file(log)]
        more = min(trials - tried, len(self.task.config_space) - tried)
        self.tuner.tune(n_trial=more, measure_option=option, callbacks=callbacks)

    def tuner_after(self, tried, log):
        """A tuner that knows the trials of a log, as if it had made them: it learns from them once and tries none again."""
        tuner = autotvm.tuner.XGBTuner(self.task, loss_type="reg")
        if tried:
            tuner.train_ct = max(0, tried // tuner.plan_size - 1)
            # A record does not say how many operations its task has.
            records = ((input._replace(task=self.task), result) for input, result in autotvm.record.load_from_file(log))
            tuner.update(*zip(*records))
        return tuner

    def best(self, trials, log):
        """The function of the best of the first trials, and its arguments."""
        records = list(autotvm.record.load_from_file(log))[:trials]
        good = [pair for pair in records if pair[1].error_no == 0]
        config = min(good, key=lambda pair: float(np.mean(pair[1].costs)))[0].config
        with TARGET, in_tuning():
            schedule, arguments = self.task.instantiate(config)
            return tvm.build(schedule, arguments), arguments


METHODS = {"ansor": Ansor, "autotvm": AutoTvm}


class Worker:
    """One kernel under one method."""

    def __init__(self):
        self.method = self.function = self.arguments = None

    def asked(self, request):
        """The method on the kernel: the same one for every request, since it keeps what it has learned."""
        os.environ["TVM_NUM_THREADS"] = str(request["threads"])
        self.method = self.method or METHODS[request["method"]](request["kernel"])
        return self.method

    def tune(self, request):
        """Tunes a kernel."""
        method = self.asked(request)
        if len(method.done(request["log"])) < request["trials"]:
            method.tune(request["trials"], request["log"])
        tried = method.done(request["log"])[: request["trials"]]
        return {"tried": len(tried), "failed": tried.count(False)}

    def load(self, request):
        """Compiles the best schedule of a log."""
        method = self.asked(request)
        self.function, tensors = method.best(request["trials"], request["log"])
        rng = np.random.default_rng(0)
        shapes = [[int(extent) for extent in tensor.shape] for tensor in tensors]
        self.arguments = [tvm.nd.array(rng.standard_normal(shape, np.float32)) for shape in shapes]
        return {}

    def run(self, request):
        """Times some runs."""
        times = []
        for _ in range(request["runs"]):
            start = time.perf_counter_ns()
            self.function(*self.arguments)
            times.append(time.perf_counter_ns() - start)
        return {"times_ns": times}


def main():
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    worker = Worker()
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer = getattr(worker, request["do"])(request)
        except Exception as error:  # Whatever TVM raises is its answer.
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main()
