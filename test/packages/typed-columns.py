"""Reads a Parquet file of `monroney enrich` and prints sums, without a cast: typed-columns.py duckdb|pandas|polars|spark FILE"""

import json
import subprocess
import sys

reader, path = sys.argv[1:]
QUERY = """SELECT count(*), sum(vin_doors), round(sum(vin_displacement), 1), sum(vin_total), min(vin_make),
max(vin_created)
FROM {} WHERE vin_year >= 2020 AND vin_total > 1000.50"""

if reader == "duckdb":
    query = QUERY.format(f"'{path}'")
    out = subprocess.run(["duckdb", "-csv", "-noheader", "-c", query], capture_output=True, check=True)
    sums = out.stdout.decode().strip().split(",")
elif reader == "spark":
    from pyspark.sql import SparkSession

    spark = SparkSession.builder.master("local[1]").getOrCreate()
    spark.read.parquet(path).createOrReplaceTempView("cars")
    sums = spark.sql(QUERY.format("cars")).first()
    spark.stop()
else:
    if reader == "pandas":
        import pandas

        cars = pandas.read_parquet(path)
        # Text is text, not categories.
        cars = cars.merge(pandas.DataFrame({"vin_make": ["CHEVROLET", "FORD", "JEEP"]}), on="vin_make")
        cars = cars[(cars["vin_year"] >= 2020) & (cars["vin_total"] > 1000)]
    else:
        import polars

        cars = polars.read_parquet(path)
        cars = cars.join(polars.DataFrame({"vin_make": ["CHEVROLET", "FORD", "JEEP"]}), on="vin_make")
        cars = cars.filter((polars.col("vin_year") >= 2020) & (polars.col("vin_total") > 1000))
    names = ["vin_doors", "vin_displacement", "vin_total"]
    sums = [len(cars), *(cars[name].sum() for name in names), cars["vin_make"].min()]
    dates = cars["vin_created"].drop_nulls() if reader == "polars" else cars["vin_created"].dropna()
    sums.append(dates.max())

cars, doors, liters, total, make, created = sums
if reader != "duckdb":
    # A date, not text.
    created = created.isoformat()
print(json.dumps([int(cars), int(doors), round(float(liters), 1), float(total), make, created]))
