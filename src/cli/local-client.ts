import { MonroneyError, type Client } from '@monroney/client';
import { parseVin } from '@monroney/vin';
import type { LookupResult } from '../lookup/finding.ts';
import { labelResponse, stickerProblem, vinResponse } from '../lookup/finding-response.ts';
import { createLog } from '../lib/log.ts';
import { batchResult } from '../http/batch.ts';
import { openRuntime } from '../runtime.ts';
import { openStatusBoard } from '../site/status/board.ts';
import { makesResponse } from '../site/status/report.ts';
import type { HeldLabel } from '../store/store.ts';
import { storeConfig } from './store-config.ts';

/** Looks up VINs for a command: over HTTP, or in this process. */
export interface LookupClient extends Client {
  /** The URL of a VIN's page. */
  page(vin: string): string;
  close(): Promise<void>;
}

/** Looks up VINs in this process. A service may run on the same store. */
export async function openLocalClient(hasFiles: boolean): Promise<LookupClient | string> {
  const log = createLog('error', (lines) => void process.stderr.write(lines));
  const config = storeConfig({ hasFiles });
  if (typeof config === 'string') return config;
  let runtime;
  try {
    runtime = await openRuntime(config, log, { exclusive: false, warmWorkers: false });
  } catch (error) {
    return `Can't open the store in DATA_DIR (${config.dataDir}): ${(error as Error).message}.`;
  }
  const { baseUrl } = config;
  const { lookup, vpic } = runtime;
  const find = (text: string, sticker: boolean) => lookup.find(requireVin(text), { sticker });

  const label: Client['label'] = async (vin, how) => {
    const held = requireLabel(await find(vin, true));
    const lines = how?.text ? ((await lookup.lines(held)) ?? []) : null;
    return labelResponse(held, await lookup.reading(held), lines);
  };

  return {
    async lookup(vin, how) {
      return vinResponse(await find(vin, how?.sticker !== false), baseUrl);
    },
    decode: (vins) => Promise.all(vins.map((vin) => batchResult(vin, { lookup, baseUrl }))),
    async sticker(vin) {
      const held = requireLabel(await find(vin, true));
      return new Uint8Array(await lookup.pdf(held));
    },
    label,
    read: label,
    page: (vin) => `${baseUrl}/window-sticker/${vin}`,
    async makes() {
      const board = openStatusBoard({ ...runtime, month: vpic.month, now: Date.now });
      return makesResponse(await board.report()).makes;
    },
    async close() {
      await runtime.close();
      log.flush();
    },
  };
}

function requireVin(text: string): string {
  const parsed = parseVin(text);
  if (parsed.ok) return parsed.vin;
  throw new MonroneyError({ reason: 'bad-vin', detail: parsed.message });
}

function requireLabel(result: LookupResult): HeldLabel {
  if (result.finding.state === 'held') return result.finding.label;
  throw new MonroneyError({ ...stickerProblem(result)!, vin: result.vin });
}
