"""Writes every type of Parquet with every codec, lets `monroney enrich` add a column, and compares: parquet-types.py COMMAND..."""

import datetime as dt
import subprocess
import sys
from decimal import Decimal

import pyarrow as pa
import pyarrow.parquet as pq

command = sys.argv[1:]
UTC = dt.timezone.utc
DAY = dt.datetime(2026, 11, 18, 11, 6, 40, 123456)
VIN = "1FMUK8DH0TG000000"

struct = pa.struct([("a", pa.int8()), ("deep", pa.list_(pa.struct([("text", pa.string()), ("d", pa.date32())])))])
TYPES = [
    (pa.int8(), -128), (pa.int16(), -32768), (pa.int32(), -(2**31)), (pa.int64(), -(2**63)),
    (pa.uint8(), 255), (pa.uint16(), 65535), (pa.uint32(), 2**32 - 1), (pa.uint64(), 2**64 - 1),
    (pa.float16(), 1.5), (pa.float32(), 0.1), (pa.float64(), 0.1), (pa.bool_(), True),
    (pa.string(), "Ünïcode ☂"), (pa.large_string(), "long"), (pa.binary(), b"\x00\xff"), (pa.binary(3), b"\x00\x80\xff"),
    (pa.decimal128(12, 2), Decimal("-1234567890.12")), (pa.decimal128(38, 10), Decimal("-1234567890123456789012345678.0123456789")),
    (pa.decimal256(60, 3), Decimal("123456789012345678901234567890123456789012345678901234567.891")),
    (pa.date32(), DAY.date()), (pa.time32("ms"), dt.time(1, 2, 3, 4000)), (pa.time64("us"), dt.time(1, 2, 3, 4)),
    (pa.timestamp("ms"), DAY.replace(microsecond=123000)), (pa.timestamp("us"), DAY), (pa.timestamp("us", "UTC"), DAY.replace(tzinfo=UTC)),
    (pa.timestamp("ns"), 1_795_000_000_123_456_789),
    (pa.list_(pa.int32()), [1, None, 3]), (pa.list_(pa.list_(pa.string())), [["a", None], [], None]),
    (struct, {"a": 1, "deep": [{"text": "x", "d": DAY.date()}, None]}),
    (pa.map_(pa.string(), pa.int64()), [("k", 1), ("l", None)]), (pa.map_(pa.int32(), pa.string()), [(7, "seven"), (-1, None)]),
    (pa.null(), None),
]  # fmt: skip

columns = {"VIN": pa.array([VIN, None, VIN, "nope"])}
for number, (type_, value) in enumerate(TYPES):
    empty = [] if pa.types.is_list(type_) or pa.types.is_map(type_) else None
    columns[f"{number} {type_}"] = pa.array([value, None, empty, value], type_)
table = pa.table(columns)
# In several row groups.
rows = pa.concat_tables([table] * 500)

for codec in "none", "snappy", "gzip", "zstd", "brotli", "lz4":
    for version in "1.0", "2.0":
        name = f"{codec}-{version}.parquet"
        pq.write_table(rows, name, compression=codec, data_page_version=version, row_group_size=700, store_schema=False)
        subprocess.run([*command, "enrich", name, "-o", f"out-{name}", "--fields", "make"], check=True, stderr=subprocess.DEVNULL)
        before, after = pq.read_table(name), pq.read_table(f"out-{name}")
        for column in before.column_names:
            old, new = before[column], after[column]
            assert new.type == old.type, f"{name}: {column} became {new.type}"
            assert new.equals(old), f"{name}: {column} has other values"
        assert after["vin_make"].to_pylist()[:4] == ["FORD", None, "FORD", None]
print(len(TYPES))
