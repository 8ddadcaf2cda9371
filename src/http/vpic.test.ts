import assert from 'node:assert/strict';
import { test } from 'node:test';
import { client, dependenciesWith, fakeLookup, turn } from './testing.ts';

const { vpic } = dependenciesWith(fakeLookup().lookup);
const LIST = '/vpic/api/vehicles/GetAllMakes';

test('of NHTSA’s lists that were requested at once, each is made in a turn of its own', async () => {
  let turns = 0;
  const over = new AbortController();
  const made: number[] = [];
  const makes = () => {
    made.push(turns);
    return [];
  };
  const { get } = client(fakeLookup().lookup, { vpic: { ...vpic, makes } });
  const count = async () => {
    for (; !over.signal.aborted; turns++) await turn();
  };
  const counting = count();
  await Promise.all(Array.from({ length: 10 }, () => get(LIST)));
  over.abort();
  await counting;
  assert.equal(new Set(made).size, 10, `made in turns ${made.join(', ')}`);
});

test('when forty lists wait, more are told to come again', async () => {
  const { get } = client(fakeLookup().lookup, { limiter: null });
  const statuses = (await Promise.all(Array.from({ length: 60 }, () => get(LIST)))).map(
    ({ statusCode, headers }) => `${statusCode} ${headers['retry-after'] ?? ''}`,
  );
  assert.equal(statuses.filter((status) => status === '503 5').length, 20);
  assert.equal((await get(LIST)).statusCode, 200);
});
