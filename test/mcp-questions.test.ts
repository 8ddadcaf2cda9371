import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { tools } from '../src/mcp/tools.ts';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { listedTool } from '../src/mcp/server.ts';
import { call, textOf } from './mcp-client.ts';
import { startService } from './service.ts';

/**
 * Everyday questions with the call that answers each; half of them with the fact that must be in the text of the result, for
 * clients that show the model nothing else. To measure the descriptions, show a model the list of tools and each question,
 * and count correct tools and arguments; to measure the texts, show it a question and the text, and count right answers.
 */
const questions = JSON.parse(readFileSync(new URL('mcp/questions.json', import.meta.url), 'utf8')) as {
  question: string;
  tool: string;
  arguments: Record<string, unknown>;
  fact?: string;
}[];

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

test('the text of each result has the fact that answers its question', async (t) => {
  const service = await startService({ SOURCE_ORIGIN: 'http://127.0.0.1:9' });
  t.after(() => service.close());
  for (const { question, tool, arguments: args, fact } of questions) {
    if (fact === undefined) continue;
    const text = textOf(await call(service, tool, args));
    assert.ok(text.includes(fact), `${question}\n${text}`);
  }
});
