"""Uses what openapi-python-client generates."""

import json
import sys

from monroney import Client
from monroney.api.label import get_sticker, read_sticker
from monroney.api.lookup import get_vin
from monroney.models import Problem

base_url, held, none, address = sys.argv[1:]
client = Client(base_url=base_url, headers={"X-Forwarded-For": address})

lookup = get_vin.sync(held, client=client)
label = read_sticker.sync(held, client=client)
pdf = get_sticker.sync(held, client=client).payload.read()
missing = get_sticker.sync(none, client=client)
assert isinstance(missing, Problem)

print(
    json.dumps(
        {
            "make": lookup.vehicle.make,
            "bytes": lookup.window_sticker.bytes_,
            "total": label.label.prices.total,
            "pdf": [len(pdf), pdf[:5].decode()],
            "error": [missing.status, missing.reason],
        }
    )
)
