"""Times ultravin on the VINs of a file, one per line, on one thread, and prints one JSON object. Needs pyarrow."""

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

with open(sys.argv[1]) as file:
    vins = file.read().split()
ultravin.decode(vins[0], now=NOW)
load = time.process_time() - started
each = []
for vin in vins:
    start = time.perf_counter_ns()
    ultravin.decode(vin, now=NOW)
    each.append(time.perf_counter_ns() - start)
each.sort()
memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024

import pyarrow  # noqa: E402  (not part of ultravin's memory)

column = pyarrow.array(vins)


def one_by_one():
    for vin in vins:
        ultravin.decode(vin, now=NOW)


def stream():
    batches = pyarrow.RecordBatchReader.from_stream(ultravin.decode_stream(column, columns=COLUMNS, now=NOW))
    rows = sum(batch.num_rows for batch in batches)
    if rows != len(vins):
        raise RuntimeError(f"{rows} rows for {len(vins)} VINs")


def seconds(work):
    """CPU time, because other processes may use the core."""
    start = time.process_time()
    work()
    return time.process_time() - start


paths = {
    "decode": one_by_one,
    "decode_batch_json": lambda: ultravin.decode_batch_json(vins, now=NOW),
    "decode_stream": stream,
}
print(json.dumps({
    "costs": {
        "loadMs": load * 1000,
        "rssMb": memory,
        "p50Us": each[len(each) // 2] / 1000,
        "p99Us": each[len(each) * 99 // 100] / 1000,
    },
    "perSecond": {name: len(vins) / min(seconds(work) for _ in range(int(sys.argv[2]))) for name, work in paths.items()},
}))
