"""Decodes the VINs in a file with ultravin and prints one JSON array [VIN, elements] per line."""

import json
import sys
from datetime import datetime, timezone

import ultravin

NOW = datetime(2026, 11, 1, tzinfo=timezone.utc)
BATCH = 1000

with open(sys.argv[1]) as file:
    vins = file.read().split("\n")
print(json.dumps({"version": ultravin.__version__, "month": ultravin.provenance()["data_month"].replace("_", "-")}))
for start in range(0, len(vins), BATCH):
    batch = vins[start:start + BATCH]
    for vin, decoded in zip(batch, json.loads(ultravin.decode_batch_json(batch, now=NOW))):
        print(json.dumps([vin, decoded["attributes"]]))
