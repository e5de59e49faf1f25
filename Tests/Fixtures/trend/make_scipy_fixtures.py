"""Writes scipy.json beside this file: Kendall's exact p and Theil-Sen's slope and interval as SciPy computes them.

    python3 -m venv venv && venv/bin/pip install scipy numpy && venv/bin/python make_scipy_fixtures.py
"""
import json
import os

import numpy
import scipy
from scipy.stats import kendalltau, theilslopes

random = numpy.random.default_rng(20240501)


def kendall_case(count):
    y = random.permutation(count).astype(float) + random.choice([0.0, 0.4, 1.0]) * numpy.arange(count)
    y += random.normal(0, 1e-6, count)  # no ties: the exact distribution has none
    p = kendalltau(numpy.arange(count), y, method="exact", alternative="greater").pvalue
    s = int(sum(numpy.sign(y[j] - y[i]) for i in range(count) for j in range(i + 1, count)))
    return {"y": y.tolist(), "s": s, "p": float(p)}


def theil_case(count, kind):
    x = numpy.arange(count, dtype=float)
    y = 3.5 * x + random.normal(0, 10, count)
    if kind == "irregular":
        x = numpy.sort(random.uniform(0, 100, count))
    elif kind == "ties in y":
        y = numpy.round(y / 20) * 20
    elif kind == "ties in x":
        x = numpy.floor(x / 2)
    elif kind == "falling":
        y = -y
    elif kind == "bytes":
        x, y = 168.75 * x, 104857600 + 4096.0 * numpy.round(y * 50)
    result = theilslopes(y, x, alpha=0.95)
    return {
        "kind": kind, "x": x.tolist(), "y": y.tolist(), "slope": float(result.slope),
        "low": float(result.low_slope), "high": float(result.high_slope),
    }


kinds = ["regular", "irregular", "ties in y", "ties in x", "falling", "bytes"]
fixtures = {
    "scipy": scipy.__version__,
    "numpy": numpy.__version__,
    "kendall": [kendall_case(n) for n in [2, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 8, 9, 10, 10, 11, 12, 16, 20, 32, 64, 100]],
    "theilSen": [theil_case(n, kind) for kind in kinds for n in [4, 5, 6, 7, 8, 8, 10, 13, 30]],
}
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "scipy.json"), "w") as file:
    json.dump(fixtures, file)
    file.write("\n")
