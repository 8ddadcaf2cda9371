import { kindOf, type Numbers, type VpicData } from './data-file.ts';
import { sections, texts } from './layout.ts';
import type { SectionName, TextName } from './layout.ts';
import { pieceSections } from './piece-sections.ts';
import { selectEntries } from './piece-selection.ts';
import { linesOf, pieceSource, type PieceSource } from './piece-source.ts';
import { startIndexes } from './start-indexes.ts';

/**
 * Splits a release into pieces by manufacturer. A piece has the format of a release, so the same code reads both. A page
 * that decodes one VIN loads 40 to 100 kilobytes.
 */

/** Pieces larger than this, before compression, are split further if possible. */
const LARGE_BYTES = 300_000;
const MAX_NAME_LENGTH = 3;

/** Returns a function that extracts the piece for all manufacturers whose identifiers begin with a prefix. */
export function carver(data: VpicData): (prefix: string) => VpicData {
  const source = pieceSource(data);
  return (prefix) => pieceOf(source, prefix);
}

function pieceOf(source: PieceSource, prefix: string): VpicData {
  const { data, stringFrom } = source;
  const selection = selectEntries(source, [prefix]);
  const lists = pieceSections(source, selection);
  const { wmis, strings } = selection;
  const all = data.bytes.strings;
  const bytes: Record<TextName, Uint8Array> = {
    ...data.bytes,
    strings: concatenate(strings.list().map((id) => all.subarray(stringFrom[id], stringFrom[id + 1]))),
    wmis: encodeLines(wmis.map((wmi) => source.allWmis[wmi]!)),
    exceptions: encodeLines(source.allExceptions.filter((vin) => vin.startsWith(prefix))),
  };
  const numbers = Object.fromEntries(
    (Object.keys(sections) as SectionName[]).map((name) => [name, toTypedArray(name, lists[name])]),
  ) as Record<SectionName, Numbers>;
  const lengths = Object.fromEntries([
    ...Object.entries(numbers).map(([name, list]) => [name, list.length]),
    ...Object.entries(bytes).map(([name, list]) => [name, list.length]),
  ]) as VpicData['header']['sections'];
  return { header: { ...data.header, counts: {}, size: 0, sections: lengths }, numbers, bytes };
}

const encodeLines = (lines: string[]): Uint8Array => new TextEncoder().encode(lines.join('\n'));

function concatenate(pieces: Uint8Array[]): Uint8Array {
  const all = new Uint8Array(pieces.reduce((size, { length }) => size + length, 0));
  let index = 0;
  for (const piece of pieces) {
    all.set(piece, index);
    index += piece.length;
  }
  return all;
}

function toTypedArray(name: SectionName, list: number[]): Numbers {
  const numbers = new (kindOf(name))(new ArrayBuffer(list.length * sections[name].wide), 0, list.length);
  numbers.set(list);
  return numbers;
}

const paddedSize = (size: number): number => Math.ceil(size / 4) * 4;

/** A piece as bytes, before gzip: length of the header (4), header, then the aligned sections. */
export function pieceBytes(data: VpicData): Uint8Array {
  const names = Object.keys(sections) as SectionName[];
  let size = 0;
  for (const name of names) size += paddedSize(data.numbers[name].byteLength);
  for (const name of texts) size += paddedSize(data.bytes[name].length);
  const json = new TextEncoder().encode(JSON.stringify({ ...data.header, size }));
  const begin = paddedSize(4 + json.length);
  const all = new Uint8Array(begin + size);
  new DataView(all.buffer).setUint32(0, begin - 4, true);
  all.set(json, 4);
  all.fill(32, 4 + json.length, begin);
  let index = begin;
  for (const name of names) {
    const from = data.numbers[name];
    const to = new (kindOf(name))(all.buffer, index, from.length);
    to.set(from);
    if (sections[name].delta) for (let i = from.length - 1; i > 0; i--) to[i] = from[i]! - from[i - 1]!;
    index += paddedSize(from.byteLength);
  }
  for (const name of texts) {
    all.set(data.bytes[name], index);
    index += paddedSize(data.bytes[name].length);
  }
  return all;
}

/** The prefixes of the pieces: one character where the piece is small enough, else two, else three. */
export function pieceNames(data: VpicData): string[] {
  const { wmiLinkCount, linkSchema, schemaSize } = data.numbers;
  const wmis = linesOf(data.bytes.wmis);
  const from = startIndexes(wmiLinkCount);

  /** The size of a piece's tries, which are most of it. */
  const trieBytes = (groupWmis: number[]): number => {
    const schemas = new Set<number>();
    for (const wmi of groupWmis)
      for (let index = from[wmi]!; index < from[wmi + 1]!; index++) schemas.add(linkSchema[index]!);
    let words = 0;
    for (const schema of schemas) words += schemaSize[schema]!;
    return words * 4;
  };
  const split = (groupWmis: number[], length: number): string[] => {
    const groups = new Map<string, number[]>();
    for (const wmi of groupWmis) {
      const name = wmis[wmi]!.slice(0, length);
      const group = groups.get(name);
      if (group) group.push(wmi);
      else groups.set(name, [wmi]);
    }
    return [...groups].flatMap(([name, group]) =>
      length < MAX_NAME_LENGTH && trieBytes(group) > LARGE_BYTES ? split(group, length + 1) : [name],
    );
  };
  return split([...wmis.keys()], 1).sort();
}
