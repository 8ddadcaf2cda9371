"""What every client does first, with fastmcp. Prints what it got as JSON."""

import asyncio
import base64
import json
import sys

from fastmcp import Client
from fastmcp.exceptions import ToolError
from mcp import MCPError

url, vin, mode = sys.argv[1:]


async def main():
    async with Client(url, mode=mode) as client:
        tools = await client.list_tools()
        decoded = await client.call_tool("decode_vin", {"vin": vin})
        reading = await client.call_tool("read_window_sticker", {"vin": vin})
        sticker = await client.call_tool("get_window_sticker", {"vin": vin})
        links = [block for block in sticker.content if block.type == "resource_link"]
        coverage = await client.read_resource("monroney://coverage")
        pdf = await client.read_resource(str(links[0].uri))
        try:
            await client.call_tool("decode_vin", {"vin": "IIIIIIIIIIIIIIIII"})
            bad = False
        except ToolError:
            bad = True
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
                    "badVin": bad,
                    "unknownTool": unknown,
                }
            )
        )


asyncio.run(main())
