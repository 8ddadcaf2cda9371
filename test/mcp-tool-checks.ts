import assert from 'node:assert/strict';
import { after } from 'node:test';
import { checkDigit } from '@monroney/vin';
import { sources } from '../src/makers/index.ts';
import { startSimulator } from '../tools/simulator/simulator.ts';
import { request, call, textOf } from './mcp-client.ts';
import { startService } from './service.ts';
import { toolNamed } from '../src/mcp/call.ts';
import { assertMatches, type Schema } from './fake-lookup.ts';

/** The tools as an assistant sees them, with real sockets and simulated manufacturers. */

export type { Schema };
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

/** Text for clients that show nothing else: no JSON, and not too long (test/mcp/tokens.test.ts) unless there are many cars. */
function assertShortText(name: string, text: string): void {
  assert.ok(text.length > 0, name);
  assert.doesNotMatch(text, /[{}]|\bnull\b|undefined|NaN/, name);
  if (name !== 'decode_vins') assert.ok(text.length <= 6_000, `${name}: ${text.length} characters`);
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
  /** Calls a tool and checks everything that applies to any result. */
  async function callChecked(name: string, args: Record<string, unknown>): Promise<Record<string, unknown>> {
    const result = await call(service, name, args);
    assert.notEqual(result.isError, true, textOf(result));
    const { outputSchema } = listed.find((tool) => tool.name === name)!;
    assertMatches(outputSchema!, result.structuredContent, name);
    // The published schema doesn't say which fields are always there.
    toolNamed(name).output!.parse(result.structuredContent);
    assertShortText(name, textOf(result));
    return result.structuredContent!;
  }

  return { service, simulator, listed, listedJson, callChecked };
}
