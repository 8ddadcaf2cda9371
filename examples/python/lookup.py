"""Run: python3 lookup.py [VIN]. No packages needed."""

import json
import os
import sys
from urllib.request import urlopen

base_url = os.environ.get("MONRONEY_URL", "http://localhost:8080")
vin = sys.argv[1] if len(sys.argv) > 1 else "1FMUK8DH0TG000000"

with urlopen(f"{base_url}/api/v1/vin/{vin}") as response:
    found = json.load(response)
vehicle = found["vehicle"]
print(vehicle["year"], vehicle["make"], vehicle["model"]) if vehicle else print("Unknown manufacturer")
if found["windowSticker"]["available"]:
    with urlopen(found["windowSticker"]["pdf"]) as response:
        pdf = response.read()
    with urlopen(f"{base_url}/api/v1/vin/{vin}/label") as response:
        label = json.load(response)["label"]
    total = label and label["prices"]["total"]
    print(f"{len(pdf)} bytes" + (f", ${total / 100:g} when new" if total else ""))
