import {
  ProtocolError,
  ProtocolErrorCode,
  type GetPromptResult,
  type ListPromptsResult,
} from '@modelcontextprotocol/server';

/** A prompt that a person can pick. It names the tools to use, so that the assistant doesn't have to guess. */
interface Prompt {
  title: string;
  description: string;
  arguments: { name: string; description: string; required: boolean }[];
  text(given: Record<string, string>): string;
}

const prompts: Record<string, Prompt> = {
  compare_two_cars: {
    title: 'Compare two cars by VIN',
    description: 'What sets two cars apart: price when new, options, equipment, fuel economy.',
    arguments: [
      { name: 'first', description: 'VIN of the first car.', required: true },
      { name: 'second', description: 'VIN of the second car.', required: true },
    ],
    text: ({ first, second }) =>
      `Compare the cars ${first} and ${second} with compare_window_stickers; where one has no sticker, use decode_vin and say so. ` +
      'Put the differences first, the largest first: total price when new, options only one of them has with their prices, then equipment. ' +
      'For fuel economy use read_window_sticker. Use only what the tools return, and give money in dollars.',
  },
  judge_asking_price: {
    title: 'Is this asking price fair against the sticker',
    description: 'Compares an asking price with what the car cost new, option by option.',
    arguments: [
      { name: 'vin', description: 'VIN of the car on offer.', required: true },
      { name: 'price', description: 'The asking price, as written in the offer.', required: true },
      { name: 'mileage', description: 'Miles driven, if known.', required: false },
    ],
    text: ({ vin, price, mileage }) =>
      `A seller asks ${price} for the car ${vin}${mileage ? `, driven ${mileage} miles` : ''}. Read its window sticker with read_window_sticker. ` +
      'Say what it cost new in total, which options are in that, and how the asking price compares with it in dollars and percent. ' +
      'If there is no sticker, say why with explain_missing_sticker and do not estimate its price. Name what the sticker cannot tell: condition, history, market.',
  },
};

export const listedPrompts: ListPromptsResult = {
  prompts: Object.entries(prompts).map(([name, { title, description, arguments: parameters }]) => ({
    name,
    title,
    description,
    arguments: parameters,
  })),
};

export function getPrompt(name: string, given: Record<string, string> = {}): GetPromptResult {
  const prompt = Object.hasOwn(prompts, name) ? prompts[name] : undefined;
  if (!prompt) throw invalid(`There is no such prompt. Prompts: ${Object.keys(prompts).join(', ')}.`);
  const missing = prompt.arguments.filter((argument) => argument.required && !given[argument.name]?.trim());
  if (missing.length > 0) throw invalid(`Missing: ${missing.map(({ name }) => name).join(', ')}.`);
  return {
    description: prompt.description,
    messages: [{ role: 'user', content: { type: 'text', text: prompt.text(given) } }],
  };
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
