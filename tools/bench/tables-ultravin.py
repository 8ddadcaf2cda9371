"""Decodes the VINs of a CSV file into Parquet with ultravin, in one thread: tables-ultravin.py FILE some|all"""

import os
import sys
from datetime import datetime, timezone

os.environ.setdefault("RAYON_NUM_THREADS", "1")

import pyarrow.csv
import ultravin

COLUMNS = [29, 26, 28, 38, 5, 15, 14, 13, 9, 24, 37, 63, 31, 77, 75, 27, 143, 191, 142]

source, columns = sys.argv[1:]
vins = pyarrow.csv.read_csv(source).select(["VIN"])
now = datetime(2026, 11, 1, tzinfo=timezone.utc)
stream = ultravin.decode_stream(vins, columns=COLUMNS if columns == "some" else None, now=now)
stream.to_parquet(f"ultravin-{columns}.parquet")
