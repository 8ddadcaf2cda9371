// Compiled with the output of openapi-typescript.
import createClient from 'openapi-fetch';
import type { paths } from './schema';

async function main(): Promise<void> {
  const [baseUrl = '', storedVin = '', missingVin = '', ip = ''] = process.argv.slice(2);
  const client = createClient<paths>({ baseUrl, headers: { 'X-Forwarded-For': ip } });

  const lookup = await client.GET('/api/v1/vin/{vin}', { params: { path: { vin: storedVin } } });
  const label = await client.GET('/api/v1/vin/{vin}/label', { params: { path: { vin: storedVin } } });
  const pdf = await client.GET('/api/sticker/{vin}', {
    params: { path: { vin: storedVin } },
    parseAs: 'arrayBuffer',
  });
  const missing = await client.GET('/api/sticker/{vin}', { params: { path: { vin: missingVin } } });

  const later = await client.GET('/api/v1/vin/{vin}', { params: { path: { vin: missingVin } } });
  const batch = await client.POST('/api/v1/decode', { body: { vins: [storedVin, 'short'] } });
  const results = batch.data?.results;
  const bytes = Buffer.from(pdf.data!);
  console.log(
    JSON.stringify({
      make: lookup.data?.vehicle?.make,
      bytes: lookup.data?.windowSticker.bytes,
      total: label.data?.label?.prices.total,
      pdf: [bytes.length, bytes.subarray(0, 5).toString()],
      error: [missing.response.status, missing.error?.reason],
      later: later.data?.windowSticker.reason,
      batch: [results?.[0]?.vehicle?.make, results?.[1]?.error?.reason],
    }),
  );
}

void main();
