import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { checkDigit } from '@monroney/vin';
import { makeFolder } from '../lib/folder.ts';
import { vinsIn } from '../reading/vehicles.ts';
import type { LabelText } from '../reading/types.ts';
import { pdfIn, unwrapBase64 } from './body-kind.ts';
import type { SourceResponse } from './judge.ts';

/**
 * One request to a source and what came back, on disk: `NAME.json` and the body beside it, as it was sent. A bug report
 * can carry the two files and the simulator replays them.
 */

export interface Exchange {
  source: string;
  vin: string;
  url: string;
  /** Milliseconds since the epoch. */
  at: number;
  ms: number;
  /** Null when nothing came. */
  answer: SourceResponse | null;
}

/** `NAME.json`. */
export interface ExchangeRecord {
  format: 1;
  source: string;
  vin: string;
  /** Null where only the host is known. */
  url: string | null;
  host: string;
  at: string;
  status: number;
  /** Without cookies. */
  headers: Record<string, string>;
  /** The file with the body, after any Content-Encoding was undone; null where it had to be left out. */
  body: string | null;
  bytes: number;
  /** What it was taken for: `label`, `none:…`, `refused:…` or `failed:…`, or why it is in quarantine. */
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
  answer: SourceResponse;
  verdict: string;
}): ExchangeRecord {
  const { source, vin, url, at, verdict, answer } = exchange;
  const headers = Object.entries(answer.headers).flatMap(([name, value]) =>
    value === undefined || COOKIES.test(name) ? [] : [[name, [value].flat().join(', ')]],
  );
  return {
    format: 1,
    source,
    vin,
    url,
    host: answer.host,
    at: new Date(at).toISOString(),
    status: answer.status,
    headers: Object.fromEntries(headers) as Record<string, string>,
    body: null,
    bytes: answer.body.length,
    verdict,
  };
}

/** Body first: a record without its body is never seen. */
export async function writeExchange(
  dir: string,
  name: string,
  record: ExchangeRecord,
  body: Uint8Array | null,
): Promise<void> {
  makeFolder(dir, 0o700);
  const file = body === null ? null : `${name}${record.masked ? maskedEnding(body) : endingOf(body)}`;
  if (file) await writeFile(path.join(dir, file), body!, { mode: 0o600 });
  const text = `${JSON.stringify({ ...record, body: file }, null, 2)}\n`;
  await writeFile(path.join(dir, `${name}.json`), text, { mode: 0o600 });
}

/** So that a double click opens it. Never `.json`, which is the record's. */
function endingOf(body: Uint8Array): string {
  const start = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, 1024)).toString('latin1');
  if (start.startsWith('%PDF-')) return '.pdf';
  return /^\s*<(?:!doctype|html|head|body)/i.test(start) ? '.html' : '.body';
}

const maskedEnding = (body: Uint8Array): string =>
  Buffer.from(body).toString('latin1', 0, 20).startsWith('{"version"') ? '.text' : endingOf(body);

/** The same model with serial number 999999, which factories hardly reach, and the right check digit. */
export function maskedVin(vin: string): string {
  const masked = `${vin.slice(0, 11)}999999`;
  return masked.slice(0, 8) + checkDigit(masked)! + masked.slice(9);
}

/**
 * Replaces the VINs in a record and its body. In the PDF of a label they are compressed and drawn as bars too, so its
 * text takes its place. `body` is null for a PDF without text: what it shows cannot be masked.
 */
export function maskExchange(
  record: ExchangeRecord,
  body: Buffer,
  text: LabelText | null,
): { record: ExchangeRecord; body: Buffer | null } {
  const plain = unwrapBase64(body);
  const isPdf = pdfIn(plain) !== null;
  const pieces = isPdf ? (text?.pages.flatMap((page) => page.items.map((item) => item.text)) ?? []) : [];
  const words = isPdf ? pieces.join(' ') : plain.toString('latin1');
  const vins = [...new Set([record.vin, ...vinsIn(words.replace(/\s+/g, ' ')).map(({ vin }) => vin)])];
  const mask = (parts: readonly string[]) => vins.reduce<string[]>(maskIn, [...parts]);
  const maskOne = (part: string) => mask([part])[0]!;
  const kept: ExchangeRecord = {
    ...record,
    vin: maskedVin(record.vin),
    url: record.url && maskOne(record.url),
    headers: Object.fromEntries(
      Object.entries(record.headers).map(([name, value]) => [name, maskOne(value)]),
    ),
    masked: true,
  };
  if (!isPdf) {
    const clean = Buffer.from(maskOne(plain.toString('latin1')), 'latin1');
    return { record: kept, body: plain === body ? clean : Buffer.from(clean.toString('base64')) };
  }
  if (!text || pieces.length === 0) return { record: kept, body: null };
  const cleaned = mask(pieces);
  let at = 0;
  const pages = text.pages.map((page) => ({
    ...page,
    items: page.items.map((item) => ({ ...item, text: cleaned[at++]! })),
  }));
  return { record: kept, body: Buffer.from(JSON.stringify({ ...text, pages })) };
}

/** Replaces a VIN wherever it stands, also with dashes or blanks in it or over several pieces, and its serial number alone. */
function maskIn(pieces: string[], vin: string): string[] {
  const letters: { piece: number; at: number; letter: string }[] = [];
  pieces.forEach((piece, index) => {
    for (const { 0: letter, index: at } of piece.matchAll(/[A-Za-z0-9]/g))
      letters.push({ piece: index, at, letter: letter.toUpperCase() });
  });
  const squeezed = letters.map(({ letter }) => letter).join('');
  const changed = pieces.map((piece) => piece.split(''));
  const safe = maskedVin(vin);
  // The whole of it, and the ends that are printed alone: the last eight and the last six.
  for (const length of [17, 8, 6]) {
    const [wanted, instead] = [vin.slice(-length), safe.slice(-length)];
    for (let from = squeezed.indexOf(wanted); from >= 0; from = squeezed.indexOf(wanted, from + 1)) {
      for (let step = 0; step < length; step++) {
        const { piece, at } = letters[from + step]!;
        changed[piece]![at] = instead[step]!;
      }
    }
  }
  return changed.map((piece) => piece.join(''));
}
