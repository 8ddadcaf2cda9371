import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { startService, type Service } from './service.ts';

/** Sends every request in the Bruno collection to the real service. */

const FOLDER = 'docs/bruno';
let service: Service;
before(async () => {
  service = await startService({ SOURCE_ORIGIN: 'http://127.0.0.1:9' });
});
after(() => service.close());

interface BruRequest {
  file: string;
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | undefined;
  expected: [string, string][];
  docs: string;
}

const block = (text: string, name: string) =>
  new RegExp(`^${name} \\{\\n([^]*?)\\n\\}`, 'm').exec(text)?.[1] ?? '';

const pairs = (text: string) =>
  text.split('\n').flatMap((line): [string, string][] => {
    const match = /^\s+(\S+): (.+)$/.exec(line);
    return match ? [[match[1]!, match[2]!]] : [];
  });

/** The JSON body unchanged, or the form fields URL-encoded. */
function bodyOf(text: string): string | undefined {
  const json = block(text, 'body:json');
  const form = pairs(block(text, 'body:form-urlencoded'));
  return json || (form.length > 0 ? new URLSearchParams(form).toString() : undefined);
}

const requests: BruRequest[] = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.bru'))
  .map((file) => {
    const text = readFileSync(`${FOLDER}/${file}`, 'utf8');
    const method = /^(get|head|post) \{/m.exec(text)![1]!;
    const { url } = Object.fromEntries(pairs(block(text, method))) as { url: string };
    return {
      file,
      method: method.toUpperCase(),
      path: url.replace('{{baseUrl}}', ''),
      headers: Object.fromEntries(pairs(block(text, 'headers'))),
      body: bodyOf(text),
      expected: pairs(block(text, 'assert')),
      docs: block(text, 'docs'),
    };
  });

function valueAt(
  response: { status: number; headers: Record<string, string>; body: unknown },
  selector: string,
): unknown {
  const keys = [...selector.matchAll(/\.(\w+)|\["([^"]+)"\]/g)].map(([, plain, quoted]) => plain ?? quoted!);
  return keys.reduce<unknown>((value, key) => (value as Record<string, unknown> | null)?.[key], response);
}

test('every request in the collection passes its own assertions', async () => {
  for (const { file, method, path, headers, body: sent, expected } of requests) {
    const received = await service.get(path, { method, headers, ...(sent ? { body: sent } : {}) });
    const text = await received.text();
    const body =
      /json/.test(received.headers.get('content-type') ?? '') && text ? (JSON.parse(text) as unknown) : text;
    const response = { status: received.status, headers: Object.fromEntries(received.headers), body };
    assert.ok(expected.length, file);
    for (const [selector, rule] of expected) {
      const value = valueAt(response, selector);
      if (rule === 'isString') assert.equal(typeof value, 'string', `${file}: ${selector}`);
      else assert.equal(`eq ${String(value)}`, rule, `${file}: ${selector}`);
    }
  }
});

test('the collection covers every operation in the OpenAPI document', async () => {
  const openapi = await service.json<{ paths: Record<string, Record<string, { operationId: string }>> }>(
    '/openapi.json',
  );
  const ids = Object.values(openapi.paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  );
  for (const id of ids) {
    assert.ok(
      requests.some(({ docs }) => new RegExp(`Operation ${id}\\b`).test(docs)),
      id,
    );
  }
});
