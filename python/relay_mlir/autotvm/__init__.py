"""AutoTVM in Python, by TVM's names: a template of `relay_mlir.te` leaves choices open, and a tuner tries them.

    from relay_mlir import autotvm, te

    @autotvm.template("tutorial/matmul")
    def matmul(n, l, m, dtype):
        a, b = te.placeholder((n, l), dtype, name="a"), te.placeholder((l, m), dtype, name="b")
        k = te.reduce_axis((0, l), name="k")
        c = te.compute((n, m), lambda i, j: te.sum(a[i, k] * b[k, j], axis=k), name="c")
        s = te.create_schedule(c.op)
        y, x = s[c].op.axis
        cfg = autotvm.get_config()
        cfg.define_split("tile_y", y, num_outputs=2)
        cfg.define_split("tile_x", x, num_outputs=2)
        yo, yi = cfg["tile_y"].apply(s, c, y)
        xo, xi = cfg["tile_x"].apply(s, c, x)
        s[c].reorder(yo, xo, k, yi, xi)
        return s, [a, b, c]

    task = autotvm.task.create("tutorial/matmul", args=(512, 512, 512, "float32"), target="llvm")
    tuner = autotvm.tuner.XGBTuner(task)
    option = autotvm.measure_option(builder="local", runner=autotvm.LocalRunner(number=5))
    tuner.tune(n_trial=100, measure_option=option, callbacks=[autotvm.callback.log_to_file("matmul.log")])
    with autotvm.apply_history_best("matmul.log"):
        s, args = matmul(512, 512, 512, "float32")
        product = te.build(s, args, target="llvm")

`relay_mlir.tune` tunes whole models, with the templates of the compiler, also on other machines.
"""

from . import callback, record, task, tuner
from .dispatcher import ApplyConfig, ApplyHistoryBest, DispatchContext, FallbackContext, apply_history_best
from .measure import LocalBuilder, LocalRunner, measure_option
from .record import MeasureErrorNo, MeasureInput, MeasureResult
from .space import ConfigEntity, ConfigSpace, FallbackConfigEntity
from .task import Task, get_config, template

__all__ = [
    "ApplyConfig",
    "ApplyHistoryBest",
    "ConfigEntity",
    "ConfigSpace",
    "DispatchContext",
    "FallbackConfigEntity",
    "FallbackContext",
    "LocalBuilder",
    "LocalRunner",
    "MeasureErrorNo",
    "MeasureInput",
    "MeasureResult",
    "Task",
    "apply_history_best",
    "callback",
    "get_config",
    "measure_option",
    "record",
    "task",
    "template",
    "tuner",
]
