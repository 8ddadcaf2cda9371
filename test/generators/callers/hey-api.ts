// Compiled with the output of @hey-api/openapi-ts.
import { client } from './hey/client.gen';
import { decodeVins, getLabel, getSticker, getVin } from './hey/sdk.gen';

async function main(): Promise<void> {
  const [baseUrl = '', storedVin = '', missingVin = '', ip = ''] = process.argv.slice(2);
  client.setConfig({ baseUrl, headers: { 'X-Forwarded-For': ip } });

  const lookup = await getVin({ path: { vin: storedVin } });
  const label = await getLabel({ path: { vin: storedVin } });
  const pdf = await getSticker({ path: { vin: storedVin } });
  const missing = await getSticker({ path: { vin: missingVin } });
  const later = await getVin({ path: { vin: missingVin } });
  const batch = await decodeVins({ body: { vins: [storedVin, 'short'] } });

  const results = batch.data?.results;
  const bytes = Buffer.from(await pdf.data!.arrayBuffer());
  console.log(
    JSON.stringify({
      make: lookup.data?.vehicle?.make,
      bytes: lookup.data?.windowSticker.bytes,
      total: label.data?.label?.prices.total,
      pdf: [bytes.length, bytes.subarray(0, 5).toString()],
      error: [missing.response?.status, missing.error?.reason],
      later: later.data?.windowSticker.reason,
      batch: [results?.[0]?.vehicle?.make, results?.[1]?.error?.reason],
    }),
  );
}

void main();
