/** The replies of simulated sources. */
import type { Source } from '../../src/makers/maker.ts';
import { Page } from '../specimens/pdf.ts';

/** A reply before a behavior changes it. */
export interface Reply {
  status?: number;
  type?: string;
  headers?: Record<string, string>;
  body: Buffer | string;
}

export interface SourceRequest {
  source: Source;
  host: string;
  vin: string;
  /** How many requests there were for this VIN before, at any host. */
  before: number;
}

/** A maker's replies, in `makers/`. The defaults apply to what it leaves out. */
export interface Replies {
  /** The source's "none" response. */
  none(request: SourceRequest): Reply;
  /** The second "none" response of some sources. */
  otherNone?(request: SourceRequest): Reply;
  /** A label as the source sends it. */
  label?(pdf: Buffer): Reply;
  /** The make that a host belongs to, whose labels it sends. */
  makeOfHost?: Readonly<Record<string, string>>;
}

export const pdf = (body: Buffer): Reply => ({ type: 'application/pdf', body });

export const json = (value: unknown): Reply => ({ type: 'application/json', body: JSON.stringify(value) });

export const page = (title: string, text: string, status = 200): Reply => ({
  status,
  type: 'text/html',
  body: `<!DOCTYPE html>\n<html><head><title>${title}</title></head><body><h1>${title}</h1><p>${text}</p></body></html>`,
});

/** Base64 text with the type application/pdf, as some sources send labels. */
export const base64Pdf = (body: Buffer | string): Reply =>
  pdf(Buffer.from(Buffer.from(body).toString('base64')));

/** A page with these lines and as much text as a label has at least. */
export function plainLabel(lines: readonly string[]): Buffer {
  const equipment = Array.from({ length: 32 }, (_, index) => `Standard equipment, line ${index + 1}`);
  return sheetOf([...lines, ...equipment]);
}

/** A page with only these lines: the placeholder that a source sends instead of a label. */
export function sheetOf(lines: readonly string[]): Buffer {
  const page = new Page(612, 792);
  lines.forEach((line, index) => page.text(72, 100 + index * 20, 12, line));
  return page.toPdf();
}
