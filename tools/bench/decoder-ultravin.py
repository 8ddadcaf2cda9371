"""Times ultravin on the VINs of a file, one per line, on one thread, and prints one JSON object.

decode_stream reads and writes Arrow arrays. We pass them as plain C structures, so that neither pyarrow nor file access
is part of the measured time.
"""

import ctypes
import json
import os
import resource
import sys
import time
from datetime import datetime, timezone

os.environ["RAYON_NUM_THREADS"] = "1"
started = time.process_time()
import ultravin  # noqa: E402  (after the environment is set, and timed)

COLUMNS = [29, 26, 28, 38, 5, 15, 14, 13, 9, 24, 37, 63, 31, 77, 75, 27]
NOW = datetime(2026, 11, 1, tzinfo=timezone.utc)


class Schema(ctypes.Structure):
    pass


class Array(ctypes.Structure):
    pass


class Stream(ctypes.Structure):
    pass


RELEASE_SCHEMA = ctypes.CFUNCTYPE(None, ctypes.POINTER(Schema))
RELEASE_ARRAY = ctypes.CFUNCTYPE(None, ctypes.POINTER(Array))
Schema._fields_ = [
    ("format", ctypes.c_char_p), ("name", ctypes.c_char_p), ("metadata", ctypes.c_char_p),
    ("flags", ctypes.c_int64), ("n_children", ctypes.c_int64), ("children", ctypes.c_void_p),
    ("dictionary", ctypes.c_void_p), ("release", RELEASE_SCHEMA), ("private_data", ctypes.c_void_p),
]
Array._fields_ = [
    ("length", ctypes.c_int64), ("null_count", ctypes.c_int64), ("offset", ctypes.c_int64),
    ("n_buffers", ctypes.c_int64), ("n_children", ctypes.c_int64), ("buffers", ctypes.POINTER(ctypes.c_void_p)),
    ("children", ctypes.c_void_p), ("dictionary", ctypes.c_void_p), ("release", RELEASE_ARRAY),
    ("private_data", ctypes.c_void_p),
]
Stream._fields_ = [
    ("get_schema", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Stream), ctypes.POINTER(Schema))),
    ("get_next", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Stream), ctypes.POINTER(Array))),
    ("get_last_error", ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.POINTER(Stream))),
    ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(Stream))),
    ("private_data", ctypes.c_void_p),
]

capsule_new = ctypes.pythonapi.PyCapsule_New
capsule_new.restype = ctypes.py_object
capsule_new.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
capsule_get = ctypes.pythonapi.PyCapsule_GetPointer
capsule_get.restype = ctypes.c_void_p
capsule_get.argtypes = [ctypes.py_object, ctypes.c_char_p]


@RELEASE_SCHEMA
def release_schema(schema):
    schema.contents.release = RELEASE_SCHEMA()


@RELEASE_ARRAY
def release_array(array):
    array.contents.release = RELEASE_ARRAY()


class VinColumn:
    """A column of strings for the Arrow C data interface. Owns the memory of its strings."""

    def __init__(self, vins):
        text = "".join(vins).encode()
        offsets = [0]
        for vin in vins:
            offsets.append(offsets[-1] + len(vin))
        self.text = ctypes.create_string_buffer(text, len(text))
        self.offsets = (ctypes.c_int32 * len(offsets))(*offsets)
        self.buffers = (ctypes.c_void_p * 3)(None, ctypes.addressof(self.offsets), ctypes.addressof(self.text))
        self.schema = Schema(b"u", b"vin", None, 0, 0, None, None, release_schema, None)
        self.array = Array(len(vins), 0, 0, 3, 0, self.buffers, None, None, release_array, None)

    def __arrow_c_array__(self, requested_schema=None):
        return (
            capsule_new(ctypes.addressof(self.schema), b"arrow_schema", None),
            capsule_new(ctypes.addressof(self.array), b"arrow_array", None),
        )


def drain(decoded):
    """Reads and releases every batch. Returns the number of rows."""
    capsule = decoded.__arrow_c_stream__()
    stream = ctypes.cast(capsule_get(capsule, b"arrow_array_stream"), ctypes.POINTER(Stream))
    rows = 0
    while True:
        batch = Array()
        if stream.contents.get_next(stream, ctypes.byref(batch)) != 0:
            raise RuntimeError(stream.contents.get_last_error(stream))
        if not batch.release:
            return rows
        rows += batch.length
        batch.release(ctypes.byref(batch))


def seconds(work):
    """CPU time, because other processes may use the core."""
    start = time.process_time()
    work()
    return time.process_time() - start


def main():
    with open(sys.argv[1]) as file:
        vins = file.read().split()
    rounds = int(sys.argv[2])
    ultravin.decode(vins[0], now=NOW)
    load = time.process_time() - started

    def one_by_one():
        for vin in vins:
            ultravin.decode(vin, now=NOW)

    def stream():
        column = VinColumn(vins)
        rows = drain(ultravin.decode_stream(column, columns=COLUMNS, now=NOW))
        if rows != len(vins):
            raise RuntimeError(f"{rows} rows for {len(vins)} VINs")

    each = []
    for vin in vins:
        start = time.perf_counter_ns()
        ultravin.decode(vin, now=NOW)
        each.append(time.perf_counter_ns() - start)
    each.sort()
    paths = {
        "decode": one_by_one,
        "decode_batch_json": lambda: ultravin.decode_batch_json(vins, now=NOW),
        "decode_stream": stream,
    }
    print(json.dumps({
        "version": ultravin.__version__,
        "month": ultravin.provenance()["data_month"].replace("_", "-"),
        "loadMs": load * 1000,
        "rssMb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "p50Us": each[len(each) // 2] / 1000,
        "p99Us": each[len(each) * 99 // 100] / 1000,
        "perSecond": {name: len(vins) / min(seconds(work) for _ in range(rounds)) for name, work in paths.items()},
    }))


main()
