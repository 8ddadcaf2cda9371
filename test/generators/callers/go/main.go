// Uses what oapi-codegen generates.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"

	"caller/api"
)

func main() {
	baseURL, held, none, address := os.Args[1], os.Args[2], os.Args[3], os.Args[4]
	ctx := context.Background()
	from := func(_ context.Context, request *http.Request) error {
		request.Header.Set("X-Forwarded-For", address)
		return nil
	}
	client, err := api.NewClientWithResponses(baseURL, api.WithRequestEditorFn(from))
	check(err)

	lookup, err := client.GetVinWithResponse(ctx, held, &api.GetVinParams{})
	check(err)
	label, err := client.ReadStickerWithResponse(ctx, held, &api.ReadStickerParams{})
	check(err)
	pdf, err := client.GetStickerWithResponse(ctx, held, &api.GetStickerParams{})
	check(err)
	missing, err := client.GetStickerWithResponse(ctx, none, &api.GetStickerParams{})
	check(err)

	check(json.NewEncoder(os.Stdout).Encode(map[string]any{
		"make":  lookup.JSON200.Vehicle.Make,
		"bytes": lookup.JSON200.WindowSticker.Bytes,
		"total": label.JSON200.Label.Prices.Total,
		"pdf":   []any{len(pdf.Body), string(pdf.Body[:5])},
		"error": []any{missing.StatusCode(), missing.ApplicationproblemJSON404.Reason},
	}))
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
