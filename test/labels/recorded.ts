import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { pdfIn } from '../../src/lookup/judge.ts';
import { extractText } from '@monroney/label/pdf/text';
import { plainText } from '@monroney/label/reading/lines';
import type { LabelText } from '@monroney/label/reading/types';
import { sample, withoutSamples } from '../samples.ts';

/** The recorded labels beside the checkout, in three sets. */
const SETS = ['labels', 'labels-2', 'labels-3'];
export const skip = SETS.map((set) => withoutSamples(`samples/${set}`)).find(Boolean) ?? false;

export interface RecordedLabel {
  /** Such as `labels-2/ford/1FTFW3LD5SFB91830.pdf`. */
  file: string;
  vin: string;
}

export const recordedLabels: readonly RecordedLabel[] = skip
  ? []
  : SETS.flatMap((set) =>
      readdirSync(sample(`samples/${set}`)!, { recursive: true, encoding: 'utf8' }).flatMap((file) => {
        const [, vin] = /^([A-HJ-NPR-Z0-9]{17})\.(?:pdf|txt)$/.exec(basename(file)) ?? [];
        return vin ? [{ file: `${set}/${file}`, vin }] : [];
      }),
    );

export const pathOf = (file: string): string => sample(`samples/${file}`)!;

/** The PDF of a label, which some sources wrap. */
export const pdfOf = (file: string): Buffer => Buffer.from(pdfIn(readFileSync(pathOf(file)))!);

const texts = new Map<string, Promise<LabelText>>();

/** The text of a label, extracted once. */
export function textOf(file: string): Promise<LabelText> {
  const extract = async () =>
    file.endsWith('.pdf') ? extractText(pdfOf(file)) : plainText(readFileSync(pathOf(file), 'utf8'));
  if (!texts.has(file)) texts.set(file, extract());
  return texts.get(file)!;
}

/** The rows of a file of JSON lines. */
export const rowsOf = <Row>(file: string): Row[] =>
  readFileSync(pathOf(file), 'utf8')
    .trim()
    .split('\n')
    .map((line): Row => JSON.parse(line));
