"""The parts of `tests/benchmark.py`. Each prints tables; none is a test."""
