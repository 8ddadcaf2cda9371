import { escapeMarkup } from '../lib/markup.ts';
import { JSON_TYPE, asciiJson } from './response.ts';
import type { Json, JsonObject } from './operation.ts';

/** The formats of NHTSA's API. Results are written in parts, because a long list would delay other requests. */

export interface Envelope {
  Count: number;
  Message: string;
  SearchCriteria: string | null;
}

interface VpicFormat {
  type: string;
  /** Some results as text. `element` is the name of a result in XML, `columns` those of a table. */
  rows(results: readonly unknown[], element: string, columns: readonly string[]): string;
  /** The whole body. */
  body(envelope: Envelope, rows: readonly string[], columns: readonly string[]): Buffer<ArrayBuffer>;
}

const json: VpicFormat = {
  type: JSON_TYPE,
  rows: (results) => asciiJson(results).slice(1, -1),
  body: (envelope, rows) =>
    Buffer.from(
      `${asciiJson(envelope).slice(0, -1)},"Results":[${rows.filter(Boolean).join(',')}]}`,
      'latin1',
    ),
};

const xml: VpicFormat = {
  type: 'application/xml; charset=utf-8',
  rows: (results, element) => results.map((result) => xmlElement(element, result as JsonObject)).join(''),
  body: (envelope, rows) => {
    const head = Object.entries(envelope).map(([name, value]) => xmlElement(name, value as Json));
    const namespaces =
      'xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';
    return Buffer.from(
      `<?xml version="1.0" encoding="utf-8"?><Response ${namespaces}>${head.join('')}<Results>${rows.join('')}</Results></Response>`,
    );
  },
};

const csv: VpicFormat = {
  type: 'text/csv; charset=utf-8',
  rows: (results, _element, columns) =>
    results.map((result) => csvLine(columns.map((column) => (result as JsonObject)[column]))).join(''),
  // NHTSA writes the names of columns in lower case, and nothing of the envelope.
  body: (_envelope, rows, columns) =>
    Buffer.from(csvLine(columns.map((column) => column.toLowerCase())) + rows.join('')),
};

const FORMATS: Readonly<Record<string, VpicFormat>> = { json, xml, csv };

/** Undefined if there is no such format. */
export const formatOf = (name: string): VpicFormat | undefined =>
  Object.hasOwn(FORMATS, name.toLowerCase()) ? FORMATS[name.toLowerCase()] : undefined;

/** Null is left out. A list has an element per item, named without its plural s. */
function xmlElement(name: string, value: Json | undefined): string {
  if (value === null || value === undefined) return '';
  const content = Array.isArray(value)
    ? value.map((item) => xmlElement(name.replace(/s$/, ''), item)).join('')
    : typeof value === 'object'
      ? Object.entries(value)
          .map(([key, item]) => xmlElement(key, item))
          .join('')
      : xmlText(String(value));
  return content === '' ? `<${name} />` : `<${name}>${content}</${name}>`;
}

/** XML can't contain these characters, not even escaped. They come from the request's path. */
// eslint-disable-next-line no-control-regex
const NOT_XML = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;

const xmlText = (text: string): string => escapeMarkup(text.replace(NOT_XML, ''));

const csvLine = (cells: readonly (Json | undefined)[]): string => `${cells.map(csvCell).join(',')}\r\n`;

function csvCell(value: Json | undefined): string {
  if (value === null || value === undefined) return '';
  const text = Array.isArray(value)
    ? value.map((item) => (item as { Name?: string }).Name ?? '').join(', ')
    : typeof value === 'object'
      ? ''
      : String(value);
  // A spreadsheet would run it as a formula. It comes from the request: no value of NHTSA's begins so but numbers.
  const safe = /^[=+\-@]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;
  return /[",\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
