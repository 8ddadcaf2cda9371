import assert from 'node:assert/strict';
import { test } from 'node:test';
import { appWith, client, dependenciesWith, fakeLookup, turn } from './testing.ts';

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

test('broken percent-encoding stays as it is, because URLSearchParams throws and catches an exception for each', async () => {
  const app = appWith(dependenciesWith(fakeLookup().lookup));
  const url = '/vpic/api/vehicles/DecodeVINValuesBatch/';
  const send = (query: string, payload: string) => app.inject({ method: 'POST', url: url + query, payload });
  for (const response of [await send('?format=%ff', 'data=1'), await send('', 'format=%ff&data=1')]) {
    assert.equal(response.statusCode, 400);
    assert.match(response.json<{ detail: string }>().detail, /got "%ff"/);
  }
  // Of a form with 15,000 parameters, only the first hundred are parsed.
  const many = 'a=1&'.repeat(15_000);
  assert.equal((await send('', `format=%ff&${many}data=1`)).statusCode, 400);
  assert.equal((await send('', `data=1&${many}format=%ff`)).statusCode, 200);
});
