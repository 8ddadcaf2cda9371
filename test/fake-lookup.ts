import assert from 'node:assert/strict';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { createLongWork, type LongWork } from '../src/lib/long-work.ts';
import type { Lookup } from '../src/lookup/find.ts';
import type { Finding } from '../src/lookup/finding.ts';
import { sources } from '../src/makers/index.ts';
import { sourceForMake } from '../src/makers/maker.ts';
import { callTool, toolNamed } from '../src/mcp/call.ts';
import { listedTool } from '../src/mcp/server.ts';
import type { ToolContext } from '../src/mcp/tool.ts';
import { blankLabel } from '@monroney/label/reading/reader';
import type { Label, Reading } from '@monroney/label/reading/types';
import type { HeldLabel } from '../src/store/store.ts';
import { vpic } from './decoder.ts';

/** VINs for tools to look up. The lookup is fake, so no real car's label is fetched. */
export const FORD = '1FMUK8DHXTG900001';
export const JEEP = '1C4RJHBR6TC900001';
export const TESLA = '5YJ3E1EA0KF000316';
/** The last digit of `FORD` as a letter that VINs never use. */
export const MISTYPED = '1FMUK8DHXTG90000I';

interface FakeLookup {
  /** The finding for each VIN; `no-source` for all others. */
  findings?: Record<string, Finding>;
  readings?: Record<string, Reading>;
  preview?: Buffer | null;
  /** Sources that the operator switched off. */
  off?: string[];
  /** The states of sources on the status page. */
  states?: Record<string, string>;
}

/** A lookup with the real decoder and without network, store and workers, and the list of calls to `find`. */
export function fakeLookup({
  findings = {},
  readings = {},
  preview = null,
  off = [],
  states = {},
}: FakeLookup = {}) {
  const calls: { vin: string; sticker: boolean; client: string | undefined }[] = [];
  const lookup: Lookup = {
    decode: (vin) => vpic.decode(vin),
    async find(vin, { sticker, client }) {
      calls.push({ vin, sticker, client });
      const decoded = vpic.decode(vin);
      const make = decoded.vehicle?.make;
      const source = make ? sourceForMake(make, sources) : null;
      return { vin, decoded, source, finding: findings[vin] ?? { state: 'no-source' }, specimen: false };
    },
    reading: async ({ vin }) => readings[vin] ?? assert.fail(`no reading for ${vin}`),
    preview: async () => preview,
    pdf: () => assert.fail('no tool reads the PDF'),
    text: () => assert.fail('no tool reads the text'),
    lines: () => assert.fail('no tool reads the lines'),
    card: () => assert.fail('no tool draws a link preview'),
    sources,
    switches: {
      state: (source) =>
        off.includes(source)
          ? { source, state: 'off', reason: 'maintenance', since: 0 }
          : { source, state: 'on', reason: null, since: 0 },
      restingMs: () => 0,
      rest: () => assert.fail('no tool reports an outcome'),
      responded: () => assert.fail('no tool reports an outcome'),
      refresh: async () => {},
      onWithheldChange() {},
      close: () => {},
    },
  };
  const status = async () => ({
    sources: Object.entries(states).map(([source, state]) => ({ source, state, lastWorked: null })),
  });
  return { lookup, calls, status };
}

export const held = (vin: string): Finding => ({ state: 'held', label: heldLabel(vin) });

function heldLabel(vin: string): HeldLabel {
  return {
    vin,
    make: vpic.decode(vin).vehicle?.make ?? '',
    source: 'ford',
    host: 'labels.example',
    fetched: Date.UTC(2026, 10, 15),
    bytes: 4_321,
    sha256: 'a'.repeat(64),
    paint: { color: 'HARBOR BLUE', code: 'HB' },
    reader: 'ford/1',
  };
}

/** A readable label whose prices add up. */
export function readingOf(vin: string, change: Partial<Label> & { basePrice?: number } = {}): Reading {
  const { basePrice = 4_000_000, ...fields } = change;
  const total = basePrice + 100_000 + 199_500;
  const blank = blankLabel('Ford');
  const label: Label = {
    ...blank,
    model: 'Explorer',
    year: 2026,
    exterior: { color: 'HARBOR BLUE', code: 'HB' },
    interior: 'BLACK CLOTH',
    prices: {
      ...blank.prices,
      base: basePrice,
      options: [
        { name: 'TOW PACKAGE', price: 100_000, children: [] },
        { name: 'FLOOR MATS', price: null, children: [] },
      ],
      destination: 199_500,
      total,
    },
    standard: [{ section: 'SAFETY', items: ['REAR VIEW CAMERA'] }],
    places: { exterior: { page: 1, x: 0, y: 0, width: 1, height: 1 } },
    ...fields,
  };
  return {
    reader: 'ford/1',
    readable: true,
    reason: null,
    vin,
    paint: label.exterior,
    label,
    proof: { closes: true, reason: null, sum: total, total, difference: 0 },
  };
}

// Objects that may be null are published as `properties` without a type.
const ajv = new Ajv2020({ strict: true, strictTypes: false, allowUnionTypes: false });
formats.default(ajv);

/** A published schema, as far as tests look into it. */
export interface Schema {
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  additionalProperties?: unknown;
  anyOf?: Schema[];
  items?: Schema;
  $ref?: string;
}

/** Checks that the value matches its published schema, and that every field is declared there: typed clients drop others. */
export function assertMatches(schema: Schema, value: unknown, name: string): void {
  const isValid = ajv.compile(schema);
  assert.ok(isValid(value), `${name}: ${JSON.stringify(isValid.errors)}`);
  assertDeclared(schema, value, name);
}

function assertDeclared(schema: Schema | undefined, value: unknown, path: string): void {
  assert.ok(schema, `${path} is not declared`);
  if (Array.isArray(value)) for (const item of value) assertDeclared(schema.items, item, `${path}[]`);
  else if (value !== null && typeof value === 'object')
    for (const [name, field] of Object.entries(value))
      assertDeclared(schema.properties?.[name], field, `${path}.${name}`);
}

export interface ToolResult extends CallToolResult {
  /** The text block, which every result has first. */
  text: string;
  /** The structured content, valid against the published schema; empty for errors and pictures. */
  data: Record<string, unknown>;
}

interface RunContext extends Pick<ToolContext, 'lookup' | 'status'> {
  longWork?: LongWork;
  /** Null if no service is known to run. */
  baseUrl?: string | null;
}

/** Calls a tool as the server does and checks the rules that apply to every result. */
export async function runTool(
  name: string,
  args: Record<string, unknown>,
  { lookup, longWork = createLongWork(), status, baseUrl = 'https://example.org' }: RunContext = fakeLookup(),
  disconnected?: AbortSignal,
): Promise<ToolResult> {
  const tool = toolNamed(name);
  const errors: unknown[] = [];
  const result = await callTool(tool, args, {
    lookup,
    longWork,
    status,
    baseUrl,
    client: '192.0.2.1',
    disconnected,
    reportError: (error) => errors.push(error),
  });
  assert.deepEqual(errors, []);
  const [first] = result.content;
  assert.ok(first?.type === 'text' && first.text !== '');
  const { outputSchema } = listedTool(tool);
  if (result.isError || !outputSchema) {
    assert.equal(result.structuredContent, undefined);
  } else {
    assertMatches(outputSchema as Schema, result.structuredContent, name);
  }
  return { ...result, text: first.text, data: (result.structuredContent ?? {}) as Record<string, unknown> };
}
