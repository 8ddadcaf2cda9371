import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { SourceExchangeRecord } from '../../src/lookup/source-exchange.ts';
import type { LabelText } from '@monroney/label/reading/types';
import { Page } from '../specimens/pdf.ts';
import { byteOf, widthOf } from '../specimens/type.ts';
import type { Reply } from './reply.ts';

/** Headers about the transfer, which don't apply: the recorded body is already decoded. */
const FRAMING = /^(?:connection|content-encoding|content-length|keep-alive|transfer-encoding)$/;

/** Responses of real sources, recorded by `admin check --record DIR`, in order for each URL. */
export function openReplay(dir: string) {
  const replies = new Map<string, Reply[]>();
  for (const file of readdirSync(dir).sort()) {
    if (!file.endsWith('.json')) continue;
    const record = JSON.parse(readFileSync(path.join(dir, file), 'utf8')) as SourceExchangeRecord;
    if (record.format !== 1 || record.url === null) continue;
    const { host, pathname, search } = new URL(record.url);
    const key = withoutDate(`${host}${pathname}${search}`);
    replies.set(key, [...(replies.get(key) ?? []), replyOf(record, dir)]);
  }
  const requestCounts = new Map<string, number>();
  return {
    /** The recorded response to a request. Further requests get the last one again. */
    next(host: string, requestPath: string): Reply | null {
      const key = withoutDate(host + requestPath);
      const recorded = replies.get(key);
      if (!recorded) return null;
      const before = requestCounts.get(key) ?? 0;
      requestCounts.set(key, before + 1);
      return recorded[Math.min(before, recorded.length - 1)]!;
    },
  };
}

/** Some URLs contain the date of the request. */
const withoutDate = (url: string): string => url.replace(/\d{4}-\d\d-\d\d/g, 'DATE');

function replyOf({ status, headers, body, masked }: SourceExchangeRecord, dir: string): Reply {
  const bytes = body === null ? Buffer.alloc(0) : readFileSync(path.join(dir, body));
  const keptHeaders = Object.entries(headers).filter(([name]) => !FRAMING.test(name));
  const drawn =
    masked && body?.endsWith('.text') ? drawText(JSON.parse(bytes.toString()) as LabelText) : bytes;
  return {
    status,
    headers: Object.fromEntries(keptHeaders),
    type: headers['content-type'] ?? 'application/octet-stream',
    body: drawn,
  };
}

/** A masked label is its text with positions. Drawn again, it is judged and read like the original. */
function drawText({ pages }: LabelText): Buffer {
  const drawing = new Page(
    Math.max(...pages.map(({ width }) => width)),
    pages.reduce((sum, { height }) => sum + height, 0),
  );
  let top = 0;
  for (const { items, height } of pages) {
    for (const { text, x, y, size, width, sideways } of items) {
      if (sideways) continue;
      const plain = [...text].map(inWinAnsi).join('');
      const natural = widthOf(plain, size, 'regular');
      drawing.text(x, top + y, size, plain, natural > 0 && width > 0 ? { narrow: width / natural } : {});
    }
    top += height;
  }
  return drawing.toPdf();
}

function inWinAnsi(character: string): string {
  try {
    byteOf(character);
    return character;
  } catch {
    return '?';
  }
}
