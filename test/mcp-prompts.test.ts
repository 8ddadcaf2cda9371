import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ERAS, request } from './mcp-client.ts';
import { startService, type Service } from './service.ts';
import { makeCount } from '../src/makers/index.ts';

/** Prompts and resources, in both protocol revisions. */

const STORED_VIN = '1FMUK8DH0TG000000';
let service: Service;
before(async () => {
  service = await startService();
});
after(() => service.close());

interface Prompt {
  messages: { role: string; content: { text: string } }[];
}
interface Contents {
  contents: { uri: string; mimeType: string; text: string }[];
}

for (const era of ERAS) {
  test(`prompts contain the VINs and the tools to use, ${era}`, async () => {
    const { result: listed } = await request<{ prompts: { name: string; arguments: object[] }[] }>(
      service,
      era,
      'prompts/list',
    );
    assert.deepEqual(
      listed?.prompts.map(({ name, arguments: args }) => [name, args.length]),
      [
        ['compare_two_cars', 2],
        ['judge_asking_price', 3],
      ],
    );
    const { result } = await request<Prompt>(service, era, 'prompts/get', {
      name: 'judge_asking_price',
      arguments: { vin: STORED_VIN, price: '$41,000' },
    });
    const [{ role, content }] = result!.messages as [Prompt['messages'][number]];
    assert.equal(role, 'user');
    assert.match(content.text, /asks \$41,000 for the car 1FMUK8DH0TG000000\. .*read_window_sticker/);
    assert.doesNotMatch(content.text, /miles|undefined/);
  });

  test(`a missing prompt argument or an unknown prompt is a protocol error, ${era}`, async () => {
    const { error } = await request(service, era, 'prompts/get', {
      name: 'compare_two_cars',
      arguments: { first: STORED_VIN },
    });
    assert.equal(error?.code, -32602);
    assert.match(error.message, /Missing: second/);
    const other = await request(service, era, 'prompts/get', { name: 'constructor' });
    assert.equal(other.error?.code, -32602);
  });

  test(`a VIN resource is read without a request to a source, and coverage is a resource too, ${era}`, async () => {
    const car = await request<Contents>(service, era, 'resources/read', {
      uri: `vin://${STORED_VIN.toLowerCase()}`,
    });
    const [{ mimeType, text }] = car.result!.contents as [Contents['contents'][number]];
    assert.equal(mimeType, 'application/json');
    assert.deepEqual(JSON.parse(text), await service.json(`/api/v1/vin/${STORED_VIN}?sticker=false`));
    const makes = await request<Contents>(service, era, 'resources/read', { uri: 'monroney://coverage' });
    assert.equal((JSON.parse(makes.result!.contents[0]!.text) as object[]).length, makeCount);
  });

  test(`an unknown resource or an invalid VIN is a protocol error, ${era}`, async () => {
    const unknown = await request(service, era, 'resources/read', { uri: 'vin://x/y' });
    assert.equal(unknown.error?.code, -32602);
    const bad = await request(service, era, 'resources/read', { uri: 'vin://1FMUK8DH0TG00000O' });
    assert.match(bad.error!.message, /Position 17/);
  });

  test(`the PDF and the picture that tools link to can be read as resources, ${era}`, async () => {
    const { result } = await request<{ resourceTemplates: { uriTemplate: string }[] }>(
      service,
      era,
      'resources/templates/list',
    );
    const templates = result!.resourceTemplates.map(({ uriTemplate }) => uriTemplate);
    const base = templates
      .find((template) => template.endsWith('/api/sticker/{vin}'))!
      .replace(/\/api\/.*/, '');
    assert.ok(templates.includes(`${base}/api/sticker/{vin}/preview`));
    const read = async (path: string) => {
      const uri = `${base}${path}`;
      const { result: resource, error } = await request<{
        contents: { uri: string; mimeType: string; blob: string }[];
      }>(service, era, 'resources/read', { uri });
      return resource ? resource.contents[0]! : error!;
    };
    const pdf = (await read(`/api/sticker/${STORED_VIN}`)) as { blob: string };
    const served = Buffer.from(await (await service.get(`/api/sticker/${STORED_VIN}`)).arrayBuffer());
    assert.ok(served.equals(Buffer.from(pdf.blob, 'base64')), 'byte for byte');
    const preview = (await read(`/api/sticker/${STORED_VIN}/preview`)) as { mimeType: string; blob: string };
    assert.equal(preview.mimeType, 'image/webp');
    assert.equal(Buffer.from(preview.blob, 'base64').toString('latin1', 8, 12), 'WEBP');
    const notStored = (await read('/api/sticker/1FMUK8DH5TG900001')) as { code: number; message: string };
    assert.match(notStored.message, /don't have this label yet/);
    const honda = (await read('/api/sticker/1HGCM82633A004352')) as { message: string };
    assert.equal(honda.message, "Honda doesn't publish window stickers.");
    assert.equal(((await read('/status.json')) as { code: number }).code, -32602);
  });

  test(`completion suggests makes and specimen VINs, ${era}`, async () => {
    const complete = async (name: string, value: string, uri: string) => {
      const { result } = await request<{ completion: { values: string[] } }>(
        service,
        era,
        'completion/complete',
        {
          ref: { type: 'ref/resource', uri },
          argument: { name, value },
        },
      );
      return result!.completion.values;
    };
    assert.deepEqual(await complete('make', 'ch', 'monroney://coverage/{make}'), ['Chevrolet', 'Chrysler']);
    const vins = await complete('vin', '1fm', 'vin://{vin}');
    assert.ok(vins.includes(STORED_VIN));
    const chevy = await request<Contents>(service, era, 'resources/read', {
      uri: 'monroney://coverage/chevy',
    });
    assert.match(chevy.result!.contents[0]!.text, /"make":"Chevrolet"/);
  });
}
