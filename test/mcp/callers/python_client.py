"""The first calls of a typical session, with the library named by the first argument: "mcp" (the SDK) or "fastmcp".
Prints the results as JSON."""

import asyncio
import base64
import dataclasses
import importlib
import json
import sys

from fastmcp.exceptions import ToolError
from mcp import MCPError

library, url, vin, mode, calls = sys.argv[1:]
Client = importlib.import_module(library).Client


def unwrapped(result, name):
    """fastmcp returns lists where the SDK returns objects that contain them."""
    return result if isinstance(result, list) else getattr(result, name)


async def is_rejected(client):
    """fastmcp raises an exception where the SDK returns a result."""
    try:
        return (await client.call_tool("decode_vin", {"vin": "IIIIIIIIIIIIIIIII"})).is_error
    except ToolError:
        return True


def lost(sent, typed, path=""):
    """Fields that a typed result has lost. Only fastmcp makes typed results."""
    if dataclasses.is_dataclass(typed):
        typed = {field.metadata["alias"]: getattr(typed, field.name) for field in dataclasses.fields(typed)}
    if isinstance(sent, dict):
        return [
            name
            for key, value in sent.items()
            for name in (lost(value, typed[key], f"{path}.{key}") if key in typed else [f"{path}.{key}"])
        ]
    if isinstance(sent, list):
        return [name for one, other in zip(sent, typed, strict=True) for name in lost(one, other, f"{path}[]")]
    return [] if sent == typed else [path]


async def lost_fields(client, calls):
    fields = []
    for name, arguments in calls:
        result = await client.call_tool(name, arguments)
        fields += lost(result.structured_content, getattr(result, "data", result.structured_content), name)
    return fields


async def main():
    async with Client(url, mode=mode) as client:
        tools = unwrapped(await client.list_tools(), "tools")
        decoded = await client.call_tool("decode_vin", {"vin": vin})
        reading = await client.call_tool("read_window_sticker", {"vin": vin})
        sticker = await client.call_tool("get_window_sticker", {"vin": vin})
        links = [block for block in sticker.content if block.type == "resource_link"]
        coverage = unwrapped(await client.read_resource("monroney://coverage"), "contents")
        pdf = unwrapped(await client.read_resource(str(links[0].uri)), "contents")
        try:
            await client.call_tool("no_such_tool", {})
            unknown = None
        except MCPError as error:
            unknown = error.error.code
        print(
            json.dumps(
                {
                    "protocol": client.protocol_version,
                    "server": client.server_info.name,
                    "tools": [tool.name for tool in tools],
                    "make": decoded.structured_content["vehicle"]["make"],
                    "total": reading.structured_content["label"]["prices"]["total"],
                    "makes": len(json.loads(coverage[0].text)),
                    "pdf": base64.b64decode(pdf[0].blob)[:5].decode(),
                    "badVin": await is_rejected(client),
                    "lost": await lost_fields(client, json.loads(calls)),
                    "unknownTool": unknown,
                }
            )
        )


asyncio.run(main())
