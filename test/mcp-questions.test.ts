import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { tools } from '../src/mcp/tools.ts';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { listedTool } from '../src/mcp/server.ts';
import { call, textOf } from './mcp-client.ts';
import { startService } from './service.ts';

/**
 * Everyday questions with the call that answers each. To measure the descriptions, show a model the list of tools and each
 * question, and count correct tools and arguments. These tests only check that the calls are valid.
 */
const choices = JSON.parse(
  readFileSync(new URL('mcp/questions.json', import.meta.url), 'utf8'),
) as Question[];

interface Question {
  question: string;
  tool: string;
  arguments: Record<string, unknown>;
}

const [EXPLORER, CORVETTE, JEEP, TUCSON] = [
  '1FMUK8DH0TG000000',
  '1G1YB2D43S5000000',
  '1C4RJHBR7TC000000',
  '5NMJECDE7TH000000',
];
const [G80, RUNNER, KICKS, NAUTILUS] = [
  'KMTGC4SC5TU000000',
  'JTEVB5BR6S5000000',
  '3N8AP6DA9SL000000',
  '2LMPJ8J99PB000000',
];
const [ENCLAVE, FORESTER, TELLURIDE, ACCORD] = [
  '5GAEVAKW4RJ000000',
  'JF2SKAGC8RH000000',
  '5XYP5DGC4PG000000',
  '1HGCV3F53MA000000',
];

/**
 * Forty more, with the fact that must be in the text of the result: for clients that show the model nothing else. To measure
 * the texts, show a model only a question and the text, and count right answers.
 */
const facts: [tool: string, vins: string | string[], fact: string, question: string][] = [
  ['read', EXPLORER, 'Options in all: $5,590', 'How much did the options of % add up to?'],
  ['read', EXPLORER, '$2,150 a year', 'What would I spend on gas in a year with %?'],
  ['read', EXPLORER, 'US and Canadian 45%', 'How American is %? I mean its parts'],
  ['read', EXPLORER, 'Assembled in: CHICAGO', 'Which factory does the sticker of % name?'],
  ['read', JEEP, 'Ventilated Front Seats', 'Does % have cooled seats?'],
  ['read', JEEP, 'Dual–Pane Panoramic Sunroof', "What's in the Customer Preferred Package of %?"],
  ['read', TUCSON, '10-year/100,000-mile Powertrain', 'How long is the powertrain warranty of %?'],
  ['read', TUCSON, 'smog rating 6 of 10', 'How clean is %, smog-wise?'],
  ['read', CORVETTE, 'rollover 4', 'Rollover rating of %?'],
  ['read', CORVETTE, 'SAVINGS: −$250', 'Was there any discount on % when it was new?'],
  ['read', CORVETTE, '8-SPEED DUAL CLUTCH', 'Does the Monroney of % say dual clutch?'],
  ['read', RUNNER, 'Receiver Hitch', 'Seller of % claims a factory hitch. True?'],
  ['read', RUNNER, 'not found by our reader: fuel economy', 'MPG on the sticker of %?'],
  ['read', G80, 'engine from KOREA', 'Where does the engine of % come from, by its label?'],
  ['read', G80, 'The prices add up to the total.', 'Did you read all prices on the sticker of % right?'],
  ['read', G80, 'Paint: $1,500', 'What did the gold paint of % cost extra?'],
  ['get', RUNNER, 'code 01M4', 'Which paint code do I order for %?'],
  ['get', JEEP, '/window-sticker/1C4RJHBR7TC000000', 'I want a web page about the sticker of % for my wife'],
  ['get', NAUTILUS, 'Lincoln has no window sticker for this VIN', 'Do you have the sticker of %?'],
  ['get', TUCSON, '/api/sticker/5NMJECDE7TH000000', 'PDF please: https://dealer.example/suv/tucson-%?utm=ad'],
  ['show', KICKS, 'Window sticker of the 2025 Nissan Kicks SR', 'What color is my Nissan %?'],
  ['show', JEEP, 'Window sticker of the 2026 Jeep', 'Put the sticker of % on my screen'],
  ['decode', G80, 'AWD/All-Wheel Drive', 'Which wheels does % drive?'],
  ['decode', ENCLAVE, '6 cylinders', 'V6 or four-cylinder? %'],
  ['decode', RUNNER, 'JAPAN', 'Which country was % made in?'],
  ['decode', ACCORD, 'Hybrid EX-L', 'Which trim is %?'],
  ['decode', TELLURIDE, 'KIA GEORGIA', 'Which company built %?'],
  ['decode', G80, 'The VIN is valid', 'Is % a valid VIN?'],
  ['decode', TUCSON, '2026 Hyundai Tucson', 'Which car is this ad for? https://cars.example/ad/7?vin=%'],
  ['decode', CORVETTE, 'drive and transmission', 'Manual or automatic, by the VIN? %'],
  [
    'decodes',
    [EXPLORER, ACCORD, KICKS],
    'no stickers from this make',
    'For which of % can you get stickers?',
  ],
  ['decodes', [RUNNER, KICKS, FORESTER], '2024 Subaru Forester Sport', 'Year, make and model of %'],
  ['decodes', [ENCLAVE, EXPLORER], 'one character is probably wrong', 'Any typos in %?'],
  ['compare', [TUCSON, G80], 'The Tucson cost $22,305 less than the G80', 'Which was dearer new: %?'],
  ['compare', [EXPLORER, JEEP], '$1,245 / $995', 'What did the tow package cost on %?'],
  ['compare', [JEEP, TUCSON], '$1,995 / $1,600 (+$395)', 'Difference in destination charges of %'],
  [
    'compare',
    [EXPLORER, TUCSON],
    'Standard on car 1, not listed by all',
    'What does the first of % have that the other lacks?',
  ],
  ['makes', 'Subura', 'Subaru is covered.', 'Do you have stickers of %?'],
  [
    'explain',
    FORESTER,
    'Try again in 30 seconds',
    'When should I ask for the sticker of % again? You said it failed',
  ],
  ['explain', TELLURIDE, "We've paused lookups for Kia", 'Why do I get no sticker for %?'],
];

const TOOLS: Record<string, string> = {
  read: 'read_window_sticker',
  get: 'get_window_sticker',
  show: 'show_window_sticker',
  compare: 'compare_window_stickers',
  decode: 'decode_vin',
  decodes: 'decode_vins',
  makes: 'list_covered_makes',
  explain: 'explain_missing_sticker',
};

const withFacts = facts.map(([tool, about, fact, question]) => ({
  question: question.replace('%', [about].flat().join(', ')),
  tool: TOOLS[tool]!,
  arguments: Array.isArray(about) ? { vins: about } : tool === 'makes' ? { make: about } : { vin: about },
  fact,
}));

const questions: Question[] = [...choices, ...withFacts];

test('every expected call is valid by our schema and by the published one', () => {
  const ajv = new Ajv2020({ strict: true });
  const valid = new Map(tools.map((tool) => [tool.name, ajv.compile(listedTool(tool).inputSchema)]));
  for (const { question, tool: name, arguments: args } of questions) {
    const tool = tools.find((candidate) => candidate.name === name);
    assert.ok(tool, `${name}: ${question}`);
    assert.ok(tool.input.safeParse(args).success, question);
    assert.ok(valid.get(name)!(args), question);
  }
});

test('no two questions are the same, those that the tools state included', () => {
  const asked = [...questions, ...tools.map(({ selection }) => selection)].map(({ question }) => question);
  assert.deepEqual(
    asked.filter((question, at) => asked.indexOf(question) !== at),
    [],
  );
});

test('the text of each result has the fact that answers its question', async (t) => {
  const service = await startService({ SOURCE_ORIGIN: 'http://127.0.0.1:9' });
  t.after(() => service.close());
  for (const { question, tool, arguments: args, fact } of withFacts) {
    const text = textOf(await call(service, tool, args));
    assert.ok(text.includes(fact), `${question}\n${text}`);
  }
});

test("every argument appears in its question, so the model doesn't have to guess", () => {
  for (const { question, arguments: args } of questions)
    for (const value of [args.vin, args.make, args.vins].flat())
      if (typeof value === 'string')
        assert.ok(question.toLowerCase().includes(value.toLowerCase()), question);
});
