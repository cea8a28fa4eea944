// Models tuned on a Ray cluster, of which a node is killed meanwhile.
// REQUIRES: ray, time
// RUN: %package
// RUN: %ray-python -m pytest -q -p no:cacheprovider %examples/../python/tests/test_tune_ray.py
