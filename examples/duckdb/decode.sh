#!/bin/sh
# Decodes the VINs of any table that DuckDB can read, and joins them: decode.sh stock.parquet
set -eu
stock=$1
duckdb -noheader -list -c "SELECT DISTINCT vin FROM '$stock' WHERE vin IS NOT NULL" |
  ${MONRONEY:-monroney} decode - -o decoded.parquet --fields year,make,model
duckdb -c "SELECT make, model, count(*) AS cars FROM '$stock' JOIN 'decoded.parquet' USING (vin) GROUP BY ALL ORDER BY cars DESC"
