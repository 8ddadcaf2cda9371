// deno run --allow-net --allow-env lookup.ts
import { createClient } from 'npm:@monroney/client';

const client = createClient({ baseUrl: Deno.env.get('MONRONEY_URL') ?? 'http://localhost:8080' });
const vin = Deno.args[0] ?? '1FMUK8DH0TG000000';

const { vehicle, windowSticker } = await client.lookup(vin);
console.log(`${vehicle?.year} ${vehicle?.make} ${vehicle?.model}`);
if (windowSticker.available) {
  const pdf = await client.label(vin);
  const { label } = await client.read(vin);
  console.log(`${pdf.length} bytes, $${(label?.prices.total ?? 0) / 100} when new`);
}
