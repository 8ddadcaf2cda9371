"""Decodes a list of VINs on a Spark cluster: spark-submit decode.py vins.txt decoded.parquet

Every task runs one `monroney decode`, so each executor needs the command (MONRONEY, by default `monroney`). Lines pass
through Python in Arrow's batches, not one by one: that would take longer than decoding them.
"""

import os
import shlex
import subprocess
import sys
import threading

import pyarrow as pa
from pyarrow import json
from pyspark.sql import SparkSession

FIELDS = ["year", "make", "model", "trim", "body_class", "fuel", "plant", "warning"]
COLUMNS = ["vin", *FIELDS, "error"]
# One thread for each task: Spark runs as many tasks as there are cores.
COMMAND = f"{os.environ.get('MONRONEY', 'monroney')} decode - --jobs 1 --fields {','.join(FIELDS)}"


def decode(batches):
    with subprocess.Popen(shlex.split(COMMAND), stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:

        def write():
            with process.stdin as lines:
                for batch in batches:
                    lines.write("".join(f"{line}\n" for line in batch.column(0).to_pylist()).encode())

        threading.Thread(target=write, daemon=True).start()
        # A partition may be empty.
        if process.stdout.peek(1):
            schema = pa.schema([(name, pa.string()) for name in COLUMNS])
            yield from json.open_json(process.stdout, parse_options=json.ParseOptions(explicit_schema=schema))
    if process.returncode != 0:
        raise RuntimeError(f"{COMMAND} failed")


def main(source: str, target: str) -> None:
    spark = SparkSession.builder.appName("decode VINs").getOrCreate()
    # One task per core: each starts a process, which takes two seconds of CPU time before it is fast.
    lines = spark.read.text(source).repartition(spark.sparkContext.defaultParallelism)
    decoded = lines.mapInArrow(decode, ", ".join(f"{name} string" for name in COLUMNS))
    decoded.write.mode("overwrite").parquet(target)
    spark.stop()


main(*sys.argv[1:])
