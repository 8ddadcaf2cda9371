import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { checkDigit } from '@monroney/vin';
import { makeFolder } from '../lib/file-system.ts';
import { printedVins } from '@monroney/label/reading/vehicles';
import type { LabelText } from '@monroney/label/reading/types';
import { pdfIn, unwrapBase64, type SourceResponse } from './judge.ts';

/**
 * One request to a source and its response, on disk: `NAME.json` and the unchanged body next to it. The two files can be
 * attached to a bug report, and the simulator replays them.
 */

export interface SourceExchange {
  source: string;
  vin: string;
  url: string;
  /** Milliseconds since the epoch. */
  at: number;
  ms: number;
  /** Null when there was no response. */
  response: SourceResponse | null;
}

/** `NAME.json`. */
export interface SourceExchangeRecord {
  format: 1;
  source: string;
  vin: string;
  /** Null when only the host is known. */
  url: string | null;
  host: string;
  at: string;
  status: number;
  /** Without cookies. */
  headers: Record<string, string>;
  /** The file with the decompressed body; null when it had to be left out. */
  body: string | null;
  bytes: number;
  /** `label`, `none:…`, `refused:…` or `failed:…`, or why it is in quarantine. */
  verdict: string;
  /** Set when VINs were replaced. A label's body is then its text with positions, as JSON. */
  masked?: true;
}

const COOKIES = /^(?:set-cookie2?|cookie)$/;

export function recordOf(exchange: {
  source: string;
  vin: string;
  url: string | null;
  at: number;
  response: SourceResponse;
  verdict: string;
}): SourceExchangeRecord {
  const { source, vin, url, at, verdict, response } = exchange;
  const headers = Object.entries(response.headers).flatMap(([name, value]) =>
    value === undefined || COOKIES.test(name) ? [] : [[name, [value].flat().join(', ')]],
  );
  return {
    format: 1,
    source,
    vin,
    url,
    host: response.host,
    at: new Date(at).toISOString(),
    status: response.status,
    headers: Object.fromEntries(headers) as Record<string, string>,
    body: null,
    bytes: response.body.length,
    verdict,
  };
}

/** Never through a link. */
const NEW_FILE = { flag: 'wx', mode: 0o600 } as const;

/** Writes the body first, so that a record never appears without its body. */
export async function writeExchange(
  dir: string,
  name: string,
  record: SourceExchangeRecord,
  body: Uint8Array | null,
): Promise<void> {
  makeFolder(dir, 0o700);
  const file = body === null ? null : `${name}${record.masked ? maskedExtension(body) : extensionOf(body)}`;
  if (file) await writeFile(path.join(dir, file), body!, NEW_FILE);
  const text = `${JSON.stringify({ ...record, body: file }, null, 2)}\n`;
  await writeFile(path.join(dir, `${name}.json`), text, NEW_FILE);
}

/** Lets a double click open the body. Never `.json`, which is the record's. */
function extensionOf(body: Uint8Array): string {
  const start = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, 1024)).toString('latin1');
  if (start.startsWith('%PDF-')) return '.pdf';
  return /^\s*<(?:!doctype|html|head|body)/i.test(start) ? '.html' : '.body';
}

const maskedExtension = (body: Uint8Array): string =>
  Buffer.from(body).toString('latin1', 0, 20).startsWith('{"version"') ? '.text' : extensionOf(body);

/** Returns the same mask for the same VIN, and different ones for different VINs. */
export type VinMask = (vin: string) => string;

/**
 * Masks are VINs of the same model with serial number 999999, which factories rarely reach, then 999998 and so on. VINs
 * with serial number 000000 belong to no car and stay as they are.
 */
export function createVinMask(): VinMask {
  const masks = new Map<string, string>();
  const taken = new Set<string>();
  return (vin) => {
    if (vin.endsWith('000000')) return vin;
    let mask = masks.get(vin);
    for (let serial = 999_999; mask === undefined; serial--) {
      const candidate = withCheckDigit(`${vin.slice(0, 11)}${serial}`);
      if (!taken.has(candidate)) mask = candidate;
    }
    taken.add(mask);
    masks.set(vin, mask);
    return mask;
  };
}

const withCheckDigit = (vin: string): string => vin.slice(0, 8) + checkDigit(vin)! + vin.slice(9);

/**
 * Replaces the VINs in a record and its body. In a PDF they are compressed, and also drawn as a barcode, so the label's
 * text replaces it. `body` is null for a PDF without text: a picture cannot be masked.
 */
export function maskExchange(
  record: SourceExchangeRecord,
  body: Buffer,
  text: LabelText | null,
  maskVin: VinMask,
): { record: SourceExchangeRecord; body: Buffer | null } {
  const plain = unwrapBase64(body);
  const isPdf = pdfIn(plain) !== null;
  const pieces = isPdf ? (text?.pages.flatMap((page) => page.items.map((item) => item.text)) ?? []) : [];
  const words = isPdf ? pieces.join(' ') : plain.toString('latin1');
  const vins = [...new Set([record.vin, ...printedVins(words.replace(/\s+/g, ' ')).map(({ vin }) => vin)])];
  const mask = (texts: readonly string[]) =>
    vins.reduce<string[]>((masked, vin) => replaceVin(masked, vin, maskVin(vin)), [...texts]);
  const maskOne = (text: string) => mask([text])[0]!;
  const maskedRecord: SourceExchangeRecord = {
    ...record,
    vin: maskVin(record.vin),
    url: record.url && maskOne(record.url),
    headers: Object.fromEntries(
      Object.entries(record.headers).map(([name, value]) => [name, maskOne(value)]),
    ),
    masked: true,
  };
  if (!isPdf) {
    const clean = Buffer.from(maskOne(plain.toString('latin1')), 'latin1');
    return { record: maskedRecord, body: plain === body ? clean : Buffer.from(clean.toString('base64')) };
  }
  if (!text || pieces.length === 0) return { record: maskedRecord, body: null };
  const cleaned = mask(pieces);
  let next = 0;
  const pages = text.pages.map((page) => ({
    ...page,
    items: page.items.map((item) => ({ ...item, text: cleaned[next++]! })),
  }));
  return { record: maskedRecord, body: Buffer.from(JSON.stringify({ ...text, pages })) };
}

/** Replaces a VIN, also with dashes or spaces in it or split over several pieces, and its serial number alone. */
function replaceVin(pieces: string[], vin: string, mask: string): string[] {
  const letters: { piece: number; offset: number; letter: string }[] = [];
  pieces.forEach((piece, index) => {
    for (const { 0: letter, index: offset } of piece.matchAll(/[A-Za-z0-9]/g))
      letters.push({ piece: index, offset, letter: letter.toUpperCase() });
  });
  const squeezed = letters.map(({ letter }) => letter).join('');
  const result = pieces.map((piece) => piece.split(''));
  // The complete VIN, and the parts that are printed alone: its last eight and last six characters.
  for (const length of [17, 8, 6]) {
    const [original, replacement] = [vin.slice(-length), mask.slice(-length)];
    for (let from = squeezed.indexOf(original); from >= 0; from = squeezed.indexOf(original, from + 1)) {
      for (let step = 0; step < length; step++) {
        const { piece, offset } = letters[from + step]!;
        result[piece]![offset] = replacement[step]!;
      }
    }
  }
  return result.map((piece) => piece.join(''));
}
