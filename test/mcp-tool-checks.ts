import assert from 'node:assert/strict';
import { after } from 'node:test';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { checkDigit } from '@monroney/vin';
import { sources } from '../src/makers/index.ts';
import { startSimulator } from '../tools/simulator/simulator.ts';
import { request, call, textOf } from './mcp-client.ts';
import { startService } from './service.ts';
import { toolNamed } from '../src/mcp/call.ts';

/** The tools as an assistant sees them, with real sockets and simulated manufacturers. */

export interface Schema {
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  additionalProperties?: unknown;
  anyOf?: Schema[];
  items?: Schema;
  $ref?: string;
}
export interface Listed {
  name: string;
  title: string;
  description: string;
  inputSchema: Schema;
  outputSchema?: Schema;
  annotations: Record<string, unknown>;
}

let serial = 200_000;
/** A VIN of the source's example model that has not been looked up yet. */
export function newCar(sourceId: string): string {
  const { example } = sources.find((source) => source.id === sourceId)!;
  const vin = example.slice(0, -5) + String(++serial).slice(-5);
  return vin.slice(0, 8) + checkDigit(vin)! + vin.slice(9);
}

export const withVin = ['get_window_sticker', 'read_window_sticker', 'decode_vin', 'explain_missing_sticker'];

/**
 * Text for clients that show nothing else: no JSON, and at most 400 tokens (test/mcp/tokens.test.ts) unless there are
 * many cars.
 */
function assertShortText(name: string, text: string): void {
  assert.ok(text.length > 0, name);
  assert.doesNotMatch(text, /[{}]|\bnull\b|undefined|NaN/, name);
  if (name !== 'decode_vins') assert.ok(text.length <= 1_250, `${name}: ${text.length} characters`);
}

/** A service with its tool list, closed after the tests of the file that starts it. */
export async function startTools() {
  const simulator = await startSimulator();
  const service = await startService({ SOURCE_ORIGIN: simulator.origin });
  after(async () => {
    await service.close();
    await simulator.close();
  });
  const { result } = await request<{ tools: Listed[] }>(service, '2026-07-28', 'tools/list');
  const listed = result!.tools;
  const listedJson = JSON.stringify(listed);
  const validators = new Map<string, ValidateFunction>();
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: false });
  formats.default(ajv);
  for (const { name, outputSchema } of listed)
    if (outputSchema) validators.set(name, ajv.compile(outputSchema));

  /** Every field of a result is described in the tool list, most of them in the description of the object they are in. */
  function assertAllDescribed(name: string, value: unknown, path = name): void {
    if (Array.isArray(value)) value.forEach((item) => assertAllDescribed(name, item, `${path}[]`));
    else if (value !== null && typeof value === 'object')
      for (const [key, inner] of Object.entries(value)) {
        // Always true, and of no use to an assistant.
        if (key === 'ok') continue;
        assert.match(listedJson, new RegExp(`\\b${key}\\b`), `${path}.${key} is not described`);
        assertAllDescribed(name, inner, `${path}.${key}`);
      }
  }

  /** Calls a tool and checks everything that applies to any result. */
  async function callChecked(name: string, args: Record<string, unknown>): Promise<Record<string, unknown>> {
    const result = await call(service, name, args);
    assert.notEqual(result.isError, true, textOf(result));
    const valid = validators.get(name)!;
    assert.ok(valid(result.structuredContent), `${name}: ${JSON.stringify(valid.errors)}`);
    // The published schema doesn't say which fields are always there.
    toolNamed(name).output!.parse(result.structuredContent);
    assertShortText(name, textOf(result));
    assertAllDescribed(name, result.structuredContent!);
    return result.structuredContent!;
  }

  return { service, simulator, listed, listedJson, callChecked };
}
