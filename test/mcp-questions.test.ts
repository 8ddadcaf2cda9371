import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { tools } from '../src/mcp/tools.ts';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { listedTool } from '../src/mcp/server.ts';

/**
 * Everyday questions with the call that answers each. To measure the descriptions, show a model the list of tools and each
 * question, and count correct tools and arguments. These tests only check that the calls are valid.
 */
const questions = JSON.parse(readFileSync(new URL('mcp/questions.json', import.meta.url), 'utf8')) as {
  question: string;
  tool: string;
  arguments: Record<string, unknown>;
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

test('there are forty different questions, at least two for each tool', () => {
  assert.equal(new Set(questions.map(({ question }) => question)).size, 40);
  for (const { name } of tools) assert.ok(questions.filter(({ tool }) => tool === name).length >= 2, name);
});

test("every argument appears in its question, so the model doesn't have to guess", () => {
  for (const { question, arguments: args } of questions)
    for (const value of [args.vin, args.make, args.vins].flat())
      if (typeof value === 'string')
        assert.ok(question.toLowerCase().includes(value.toLowerCase()), question);
});
