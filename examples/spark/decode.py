"""Decodes a list of VINs on a Spark cluster: spark-submit decode.py vins.txt decoded.parquet

Every partition goes through one `monroney decode`, so each executor needs the command (MONRONEY, by default `monroney`).
"""

import os
import sys

from pyspark.sql import SparkSession

COMMAND = os.environ.get("MONRONEY", "monroney")
FIELDS = ["year", "make", "model", "trim", "body_class", "fuel", "plant", "warning"]
SCHEMA = ", ".join(f"{name} string" for name in ["vin", *FIELDS, "error"])


def main(source: str, target: str) -> None:
    spark = SparkSession.builder.appName("decode VINs").getOrCreate()
    cores = spark.sparkContext.defaultParallelism
    vins = spark.read.text(source).repartition(4 * cores).rdd.map(lambda row: row.value)
    # One thread for each task: Spark runs as many tasks as there are cores.
    lines = vins.pipe(f"{COMMAND} decode - --jobs 1 --fields {','.join(FIELDS)}", checkCode=True)
    decoded = spark.read.schema(SCHEMA).json(lines)
    decoded.write.mode("overwrite").parquet(target)
    spark.stop()


main(*sys.argv[1:])
