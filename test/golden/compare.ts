import type { Exchange, Response } from './normalize.ts';

/** Headers whose value is recorded but not compared, because the HTTP library sets them. All others are compared. */
const NOT_COMPARED: Readonly<Record<string, string>> = {
  date: 'set by Node',
  connection: 'whether the connection stays open is compared instead',
  'keep-alive': 'a hint about the time that an idle connection stays open',
  'transfer-encoding': 'chunks or a length: the body is the same',
};

/** A body may get a length that had none, and that of a compressed body depends on the compressor. */
const isLengthCompared = (recorded: Response): boolean =>
  recorded.headers.some(([name]) => name === 'content-length') &&
  !recorded.headers.some(([name]) => name === 'content-encoding');

/** What differs, and in which exchanges: one change of the service often shows in many. */
export type Differences = Map<string, string[]>;

export function differences(recorded: readonly Exchange[], served: readonly Exchange[]): Differences {
  const found: Differences = new Map();
  const add = (what: string, name: string) => found.set(what, [...(found.get(what) ?? []), name]);
  const servedByName = new Map(served.map((exchange) => [exchange.name, exchange]));
  const names = new Set(recorded.map(({ name }) => name));
  const changedBodies = new Set(
    recorded.filter((one) => hasOtherBody(one, servedByName.get(one.name))).map(({ name }) => pathOf(name)),
  );
  for (const exchange of recorded) {
    const current = servedByName.get(exchange.name);
    if (!current) add('no longer requested', exchange.name);
    else
      for (const what of exchangeDifferences(exchange, current, changedBodies.has(pathOf(exchange.name))))
        add(what, exchange.name);
  }
  for (const { name } of served) if (!names.has(name)) add('not recorded yet', name);
  return found;
}

const hasOtherBody = (recorded: Exchange, served: Exchange | undefined): boolean =>
  recorded.responses.some(({ body }, index) => served?.responses[index]?.body !== body);

/** Of `GET /makes [Accept: text/markdown]`; other cases have names of their own. */
const pathOf = (name: string): string => / (\/\S*)/.exec(name)?.[1] ?? name;

const MAX_DIFFERENCES = 20;
const MAX_NAMES = 3;

const WANTED =
  'If all of this is wanted, record it with `UPDATE_GOLDEN=1 npm test -- test/golden` and name it in CHANGELOG.md.';

/** The first differences, each with some of its exchanges. */
export function report(found: Differences): string {
  const texts = [...found].slice(0, MAX_DIFFERENCES).map(([what, names]) => {
    const more = names.length > MAX_NAMES ? [`… and ${names.length - MAX_NAMES} more`] : [];
    return [...names.slice(0, MAX_NAMES), ...more, `    ${what}`].join('\n  ');
  });
  if (found.size > MAX_DIFFERENCES) texts.push(`… and ${found.size - MAX_DIFFERENCES} more differences`);
  return `${found.size} differences from what was recorded:\n\n  ${texts.join('\n\n  ')}\n\n${WANTED}`;
}

/** They follow from the body, so a body that differs says it all, also for HEAD and 304. */
const FROM_BODY = new Set(['content-length', 'content-digest', 'repr-digest', 'etag']);

function exchangeDifferences(recorded: Exchange, served: Exchange, isBodyChanged: boolean): string[] {
  const found: string[] = [];
  const differ = (what: string, before: Shown, after: Shown) => {
    if (before !== after) found.push(`${what}: was ${shown(before)}, is ${shown(after)}`);
  };
  differ('interim responses', recorded.interim.join(', '), served.interim.join(', '));
  differ('number of responses', recorded.responses.length, served.responses.length);
  recorded.responses.forEach((before, index) => {
    const after = served.responses[index];
    if (!after) return;
    differ('status', before.status, after.status);
    const isSameBody = before.body === after.body;
    for (const name of new Set([...before.headers, ...after.headers].map(([header]) => header))) {
      if (Object.hasOwn(NOT_COMPARED, name) || (name === 'content-length' && !isLengthCompared(before)))
        continue;
      if (!isBodyChanged || !FROM_BODY.has(name)) differ(name, valuesOf(before, name), valuesOf(after, name));
    }
    if (!isSameBody) found.push(bodyDifference(before.body, after.body));
  });
  differ('connection', recorded.after, served.after);
  return found;
}

/** Undefined if the header is missing. */
const valuesOf = ({ headers }: Response, name: string): string | undefined =>
  headers
    .filter(([header]) => header === name)
    .map(([, value]) => value)
    .join(' | ') || undefined;

const MAX_SHOWN = 160;

type Shown = string | number | null | undefined;

function shown(value: Shown): string {
  if (value === undefined || value === null || value === '') return 'missing';
  const text = String(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

/** Characters before and after the first difference. */
const [BEFORE, AFTER] = [30, 70];

/** The first difference of two bodies. JSON is one long line, so an excerpt says more than the line. */
function bodyDifference(before: string | null, after: string | null): string {
  if (before === null || after === null) return `body: was ${shown(before)}, is ${shown(after)}`;
  let at = 0;
  while (before[at] === after[at]) at++;
  const line = before.slice(0, at).split('\n').length;
  const excerpt = (text: string) => JSON.stringify(text.slice(Math.max(0, at - BEFORE), at + AFTER));
  return `body, line ${line}, character ${at}:\n      was ${excerpt(before)}\n      is  ${excerpt(after)}`;
}
