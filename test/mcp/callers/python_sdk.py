"""What every client does first, with the protocol's own Python SDK. Prints what it got as JSON."""

import asyncio
import base64
import json
import sys

from mcp import Client, MCPError

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
        bad = await client.call_tool("decode_vin", {"vin": "IIIIIIIIIIIIIIIII"})
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
                    "tools": [tool.name for tool in tools.tools],
                    "make": decoded.structured_content["vehicle"]["make"],
                    "total": reading.structured_content["label"]["prices"]["total"],
                    "makes": len(json.loads(coverage.contents[0].text)),
                    "pdf": base64.b64decode(pdf.contents[0].blob)[:5].decode(),
                    "badVin": bad.is_error,
                    "unknownTool": unknown,
                }
            )
        )


asyncio.run(main())
