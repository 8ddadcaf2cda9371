// The first calls of a typical session, with the protocol's Go SDK. Prints the results as JSON.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"log"
	"os"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func main() {
	url, vin, version := os.Args[1], os.Args[2], os.Args[3]
	ctx := context.Background()
	client := mcp.NewClient(&mcp.Implementation{Name: "third-party-client", Version: "1"}, nil)
	session := must(client.Connect(ctx, &mcp.StreamableClientTransport{Endpoint: url}, &mcp.ClientSessionOptions{ProtocolVersion: version}))
	defer session.Close()

	call := func(name, vin string) (*mcp.CallToolResult, error) {
		return session.CallTool(ctx, &mcp.CallToolParams{Name: name, Arguments: map[string]any{"vin": vin}})
	}
	// Reads fields from JSON, like a Go program with its own types.
	structured := func(result *mcp.CallToolResult, into any) {
		if err := json.Unmarshal(must(json.Marshal(result.StructuredContent)), into); err != nil {
			log.Fatal(err)
		}
	}

	names := []string{}
	for _, tool := range must(session.ListTools(ctx, nil)).Tools {
		names = append(names, tool.Name)
	}
	var decoded struct{ Vehicle struct{ Make string } }
	structured(must(call("decode_vin", vin)), &decoded)
	var reading struct {
		Label struct{ Prices struct{ Total int } }
	}
	structured(must(call("read_window_sticker", vin)), &reading)
	uri := ""
	for _, block := range must(call("get_window_sticker", vin)).Content {
		if link, ok := block.(*mcp.ResourceLink); ok {
			uri = link.URI
		}
	}
	var makes []any
	coverage := must(session.ReadResource(ctx, &mcp.ReadResourceParams{URI: "monroney://coverage"}))
	if err := json.Unmarshal([]byte(coverage.Contents[0].Text), &makes); err != nil {
		log.Fatal(err)
	}
	pdf := must(session.ReadResource(ctx, &mcp.ReadResourceParams{URI: uri})).Contents[0].Blob
	bad := must(call("decode_vin", "IIIIIIIIIIIIIIIII"))
	_, err := call("no_such_tool", vin)
	var unknown *jsonrpc.Error
	code := int64(0)
	if errors.As(err, &unknown) {
		code = unknown.Code
	}
	must(os.Stdout.Write(must(json.Marshal(map[string]any{
		"protocol":    session.InitializeResult().ProtocolVersion,
		"server":      session.InitializeResult().ServerInfo.Name,
		"tools":       names,
		"make":        decoded.Vehicle.Make,
		"total":       reading.Label.Prices.Total,
		"makes":       len(makes),
		"pdf":         string(pdf[:5]),
		"badVin":      bad.IsError,
		"unknownTool": code,
	}))))
}
