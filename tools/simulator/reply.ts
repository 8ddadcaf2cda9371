/** What a source sends back, and the pieces its replies are made of. */
import type { Source } from '../../src/makers/maker.ts';
import { Page } from '../specimens/pdf.ts';
import type { Behaviour } from './behaviours.ts';

/** What is sent back, before anything is done to it on the way. */
export interface Reply {
  status?: number;
  type?: string;
  headers?: Record<string, string>;
  body: Buffer | string;
}

export interface Question {
  source: Source;
  host: string;
  vin: string;
  /** How often this VIN was asked for before, at any host. */
  before: number;
}

/** A maker's own ways, in its `simulator.ts`. What it leaves out is as everywhere. */
export interface Replies {
  /** "None" in the source's own way of saying it. */
  none(question: Question): Reply;
  /** The other way some sources say it. */
  noneOtherwise?(question: Question): Reply;
  /** A label the way the source sends it. */
  label?(pdf: Buffer): Reply;
  /** The make whose site a host is, so that its labels look like that make's. */
  makeOfHost?: Readonly<Record<string, string>>;
  /** What a behaviour comes to here: `label`, or `none:`, `refused:`, `failed:` and why. `none` at least. */
  truth: Partial<Record<Behaviour, string>> & { none: string };
}

export const pdf = (body: Buffer): Reply => ({ type: 'application/pdf', body });

export const json = (value: unknown): Reply => ({ type: 'application/json', body: JSON.stringify(value) });

export const page = (title: string, text: string, status = 200): Reply => ({
  status,
  type: 'text/html',
  body: `<!DOCTYPE html>\n<html><head><title>${title}</title></head><body><h1>${title}</h1><p>${text}</p></body></html>`,
});

/** Base64 text that is labelled application/pdf. */
export const coated = (body: Buffer | string): Reply =>
  pdf(Buffer.from(Buffer.from(body).toString('base64')));

/** A page with nothing but these lines: the placeholders sources send instead of a label. */
export function sheetOf(lines: readonly string[]): Buffer {
  const page = new Page(612, 792);
  lines.forEach((line, index) => page.text(72, 100 + index * 20, 12, line));
  return page.toPdf();
}
