"""Results against numbers of more digits, in units in the last place of the results."""

import numpy as np


def check(name, x, expected, found, plain, bound):
    """NaN is where it is expected, and the error of what is `plain` is below the bound; prints the greatest one, and the `x` that it is at."""
    with np.errstate(all="ignore"):
        rounded = expected.astype(found.dtype)
    np.testing.assert_array_equal(np.isnan(found), np.isnan(rounded), err_msg=name)
    error = np.abs(found[plain] - expected[plain]) / np.spacing(np.abs(rounded[plain]))
    at = error.argmax()
    print(f"{name}: {error[at]:.2f} units in the last place at {x[plain][at]}")
    assert error[at] < bound, f"{name}: {error[at]} at {x[plain][at]}"
