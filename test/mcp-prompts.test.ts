import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ERAS, ask } from './mcp-client.ts';
import { startService, type Service } from './service.ts';
import { makeCount } from '../src/makers/index.ts';

/** Prompts and resources, in both eras. */

const HELD = '1FMUK8DH0TG000000';
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
    const { result: listed } = await ask<{ prompts: { name: string; arguments: object[] }[] }>(
      service,
      era,
      'prompts/list',
    );
    assert.deepEqual(
      listed?.prompts.map(({ name, arguments: takes }) => [name, takes.length]),
      [
        ['compare_two_cars', 2],
        ['judge_asking_price', 3],
      ],
    );
    const { result } = await ask<Prompt>(service, era, 'prompts/get', {
      name: 'judge_asking_price',
      arguments: { vin: HELD, price: '$41,000' },
    });
    const [{ role, content }] = result!.messages as [Prompt['messages'][number]];
    assert.equal(role, 'user');
    assert.match(content.text, /asks \$41,000 for the car 1FMUK8DH0TG000000\. .*read_window_sticker/);
    assert.doesNotMatch(content.text, /miles|undefined/);
  });

  test(`a missing prompt argument or an unknown prompt is a protocol error, ${era}`, async () => {
    const { error } = await ask(service, era, 'prompts/get', {
      name: 'compare_two_cars',
      arguments: { first: HELD },
    });
    assert.equal(error?.code, -32602);
    assert.match(error.message, /Missing: second/);
    const other = await ask(service, era, 'prompts/get', { name: 'constructor' });
    assert.equal(other.error?.code, -32602);
  });

  test(`a VIN resource is read without asking a source, and coverage is a resource too, ${era}`, async () => {
    const car = await ask<Contents>(service, era, 'resources/read', { uri: `vin://${HELD.toLowerCase()}` });
    const [{ mimeType, text }] = car.result!.contents as [Contents['contents'][number]];
    assert.equal(mimeType, 'application/json');
    assert.deepEqual(JSON.parse(text), await service.json(`/api/v1/vin/${HELD}?sticker=false`));
    const makes = await ask<Contents>(service, era, 'resources/read', { uri: 'monroney://coverage' });
    assert.equal((JSON.parse(makes.result!.contents[0]!.text) as object[]).length, makeCount);
  });

  test(`an unknown resource or an invalid VIN is a protocol error, ${era}`, async () => {
    const gone = await ask(service, era, 'resources/read', { uri: 'vin://x/y' });
    assert.equal(gone.error?.code, -32602);
    const bad = await ask(service, era, 'resources/read', { uri: 'vin://1FMUK8DH0TG00000O' });
    assert.match(bad.error!.message, /Position 17/);
  });

  test(`the PDF and the picture that tools link to can be read as resources, ${era}`, async () => {
    const { result } = await ask<{ resourceTemplates: { uriTemplate: string }[] }>(
      service,
      era,
      'resources/templates/list',
    );
    const templates = result!.resourceTemplates.map(({ uriTemplate }) => uriTemplate);
    const base = templates.find((each) => each.endsWith('/api/sticker/{vin}'))!.replace(/\/api\/.*/, '');
    assert.ok(templates.includes(`${base}/api/sticker/{vin}/preview`));
    const read = async (path: string) => {
      const uri = `${base}${path}`;
      const { result: found, error } = await ask<{
        contents: { uri: string; mimeType: string; blob: string }[];
      }>(service, era, 'resources/read', { uri });
      return found ? found.contents[0]! : error!;
    };
    const pdf = (await read(`/api/sticker/${HELD}`)) as { blob: string };
    const served = Buffer.from(await (await service.get(`/api/sticker/${HELD}`)).arrayBuffer());
    assert.ok(served.equals(Buffer.from(pdf.blob, 'base64')), 'byte for byte');
    const preview = (await read(`/api/sticker/${HELD}/preview`)) as { mimeType: string; blob: string };
    assert.equal(preview.mimeType, 'image/webp');
    assert.equal(Buffer.from(preview.blob, 'base64').toString('latin1', 8, 12), 'WEBP');
    const notHeld = (await read('/api/sticker/1FMUK8DH5TG900001')) as { code: number; message: string };
    assert.match(notHeld.message, /don't have this label yet/);
    assert.equal(((await read('/status.json')) as { code: number }).code, -32602);
  });

  test(`completion suggests makes and specimen VINs, ${era}`, async () => {
    const complete = async (name: string, value: string, uri: string) => {
      const { result } = await ask<{ completion: { values: string[] } }>(
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
    assert.ok(vins.includes(HELD));
    const chevy = await ask<Contents>(service, era, 'resources/read', { uri: 'monroney://coverage/chevy' });
    assert.match(chevy.result!.contents[0]!.text, /"make":"Chevrolet"/);
  });
}
