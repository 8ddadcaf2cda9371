import { catalog, makeFilter, selectModels, type ListedModel, type Span } from './catalog.ts';
import type { VpicData } from './data-file.ts';
import { gunzip } from './gunzip.ts';
import type { Decoder } from './decoder.ts';
import type { Lists } from './open.ts';
import { readRelease } from './reader.ts';
import { wmisToTry } from './test-vins.ts';
import type { Make } from './types.ts';

/** Makes and models for browsers, as JSON files beside the pieces: one of all makes, one of models per letter. */

const MAKES = 'makes.json.gz';
const WMIS = 'wmis.json.gz';
const modelsFile = (letter: string): string => `models-${letter}.json.gz`;

/** The file with a make's models: by its first letter, or `0` for all other characters. */
const letterOf = ({ name }: Make): string => (/^[A-Z]/.test(name) ? name.charAt(0) : '0');

interface MakesFile {
  makes: [id: number, name: string][];
  /** Letters for which there are models. */
  letters: string[];
}

/** Identifiers of manufacturers by make, in one text. */
type WmisFile = [make: string, wmis: string][];

interface ModelsFile {
  types: [id: number, name: string][];
  /** `spans` has three numbers per span: vehicle type, first year, last year. */
  models: [make: number, id: number, name: string, spans: number[]][];
}

/** The content of every file by name, before compression. */
export function listFiles(data: VpicData): Map<string, string> {
  const { makes, listed, types, wmisOfMake } = catalog(readRelease(data));
  const models = new Map<string, ModelsFile['models']>();
  for (const { id, name, make, spans } of listed()) {
    const letter = letterOf(make);
    const list = models.get(letter) ?? [];
    models.set(letter, list);
    list.push([make.id, id, name, mergeSpans(spans()).flatMap(({ type, from, to }) => [type, from, to])]);
  }
  const makesFile: MakesFile = {
    makes: makes().map(({ id, name }) => [id, name]),
    letters: [...models.keys()],
  };
  const wmisFile: WmisFile = [...wmisOfMake()].map(([make, wmis]) => [make, wmis.join(' ')]);
  const files = new Map([
    [MAKES, JSON.stringify(makesFile)],
    [WMIS, JSON.stringify(wmisFile)],
  ]);
  for (const [letter, list] of models) {
    const file: ModelsFile = { types: [...types], models: list };
    files.set(modelsFile(letter), JSON.stringify(file));
  }
  return files;
}

/** Merges spans that overlap or follow each other. */
function mergeSpans(spans: Span[]): Span[] {
  const merged: Span[] = [];
  for (const { type, from, to } of spans.toSorted((a, b) => a.type - b.type || a.from - b.from)) {
    const last = merged.at(-1);
    if (last?.type === type && from <= last.to + 1) last.to = Math.max(last.to, to);
    else merged.push({ type, from, to });
  }
  return merged;
}

/** Reads the lists from their files, each loaded once, when it is first needed. */
export function listsFrom(
  load: (name: string) => Promise<Uint8Array | ArrayBuffer>,
  decoderFor: (wmi: string) => Promise<Decoder>,
): Lists {
  const opened = new Map<string, Promise<unknown>>();

  function read<T>(name: string): Promise<T> {
    let content = opened.get(name);
    if (!content) {
      content = load(name)
        .then(gunzip)
        .then((bytes): unknown => JSON.parse(new TextDecoder().decode(bytes)));
      // A failed load may work later.
      content.catch(() => opened.delete(name));
      opened.set(name, content);
    }
    return content as Promise<T>;
  }

  async function makes(): Promise<Make[]> {
    const { makes: rows } = await read<MakesFile>(MAKES);
    return rows.map(([id, name]) => ({ id, name }));
  }

  async function listedIn(letter: string, makeOf: Map<number, Make>): Promise<ListedModel[]> {
    const { models } = await read<ModelsFile>(modelsFile(letter));
    return models.flatMap(([makeId, id, name, numbers]) => {
      const make = makeOf.get(makeId);
      return make ? [{ id, name, make, spans: () => spansOf(numbers) }] : [];
    });
  }

  return {
    makes,
    async models(make, filter) {
      const wanted = (await makes()).filter(makeFilter(make));
      const makeOf = new Map(wanted.map((make) => [make.id, make]));
      const { letters } = await read<MakesFile>(MAKES);
      const [first, ...others] = [...new Set(wanted.map(letterOf))].filter((letter) =>
        letters.includes(letter),
      );
      if (first === undefined) return [];
      const { types } = await read<ModelsFile>(modelsFile(first));
      const listed = await Promise.all([first, ...others].map((letter) => listedIn(letter, makeOf)));
      return selectModels(listed.flat(), new Map(types), make, filter);
    },
    async testVin(options = {}) {
      if (options.wmi !== undefined) return (await decoderFor(options.wmi)).testVin(options);
      const wmis = (await read<WmisFile>(WMIS)).map(([make, text]): [string, string[]] => [
        make,
        text.split(' '),
      ]);
      for (const wmi of wmisToTry(new Map(wmis), options)) {
        const vin = (await decoderFor(wmi)).testVin({ ...options, wmi });
        if (vin !== null) return vin;
      }
      return null;
    },
  };
}

function spansOf(numbers: number[]): Span[] {
  const spans: Span[] = [];
  for (let index = 0; index < numbers.length; index += 3)
    spans.push({ type: numbers[index]!, from: numbers[index + 1]!, to: numbers[index + 2]! });
  return spans;
}
