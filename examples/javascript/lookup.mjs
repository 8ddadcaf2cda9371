// Nothing to install:
//   node lookup.mjs [VIN]   (Node 20 or newer)
//   bun lookup.mjs [VIN]
//   deno run --allow-net --allow-env lookup.mjs [VIN]
const baseUrl = process.env.MONRONEY_URL ?? 'http://localhost:8080';
const vin = process.argv[2] ?? '1FMUK8DH0TG000000';

async function get(path) {
  const response = await fetch(new URL(path, baseUrl));
  if (!response.ok) throw new Error((await response.json()).detail);
  return response;
}

const { vehicle, windowSticker } = await (await get(`/api/v1/vin/${vin}`)).json();
console.log(vehicle ? `${vehicle.year} ${vehicle.make} ${vehicle.model}` : 'Unknown manufacturer');
if (windowSticker.available) {
  const pdf = await (await get(`/api/sticker/${vin}`)).arrayBuffer();
  const { label } = await (await get(`/api/v1/vin/${vin}/label`)).json();
  console.log(`${pdf.byteLength} bytes, $${(label?.prices.total ?? 0) / 100} when new`);
}
