// npm install @monroney/client && node lookup.mjs
import { createClient } from '@monroney/client';

const client = createClient({ baseUrl: process.env.MONRONEY_URL ?? 'http://localhost:8080' });
const vin = process.argv[2] ?? '1FMUK8DH0TG000000';

const { vehicle, windowSticker } = await client.lookup(vin);
console.log(`${vehicle?.year} ${vehicle?.make} ${vehicle?.model}`);
if (windowSticker.available) {
  const pdf = await client.label(vin);
  const { label } = await client.read(vin);
  console.log(`${pdf.length} bytes, $${(label?.prices.total ?? 0) / 100} when new`);
}
