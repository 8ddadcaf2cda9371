import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

/** Prompts a person can pick: each names the tools it wants used, so that nothing is guessed. */

const compare = z.object({
  first: z.string().describe('VIN of the first car.'),
  second: z.string().describe('VIN of the second car.'),
});

const fair = z.object({
  vin: z.string().describe('VIN of the car on offer.'),
  price: z.string().describe('The asking price, as written in the offer.'),
  mileage: z.string().optional().describe('Miles driven, if known.'),
});

export function registerPrompts(server: McpServer): void {
  server.registerPrompt(
    'compare_two_cars',
    {
      title: 'Compare two cars by VIN',
      description: 'What sets two cars apart: price when new, options, equipment, fuel economy.',
      argsSchema: compare,
    },
    ({ first, second }) =>
      asUser(
        `Compare the cars ${first} and ${second}. Read both window stickers with read_window_sticker; where one has none, use decode_vin and say so. ` +
          'Put the differences first, the largest first: total price when new, options only one of them has with their prices, then equipment and fuel economy. ' +
          'Use only what the tools return, and give money in dollars.',
      ),
  );
  server.registerPrompt(
    'judge_asking_price',
    {
      title: 'Is this asking price fair against the sticker',
      description: 'Sets an asking price beside what the car cost new, option by option.',
      argsSchema: fair,
    },
    ({ vin, price, mileage }) =>
      asUser(
        `A seller asks ${price} for the car ${vin}${mileage ? `, driven ${mileage} miles` : ''}. Read its window sticker with read_window_sticker. ` +
          'Say what it cost new in total, which options are in that, and how the asking price stands against it in dollars and percent. ' +
          'If there is no sticker, say why with explain_missing_sticker and do not estimate its price. Name what the sticker cannot tell: condition, history, market.',
      ),
  );
}

function asUser(text: string) {
  return { messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }] };
}
