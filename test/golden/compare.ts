import type { Texts } from './recorded.ts';

const [MAX_CHANGES, MAX_NAMES, MAX_LINES, MAX_LENGTH] = [20, 3, 8, 160];

const WANTED =
  'Record it with `UPDATE_GOLDEN=1 npm test -- test/golden` and read `git diff test/golden/recorded`. ' +
  'If all of it is wanted, commit it and name it in CHANGELOG.md.';

/** What differs, and in which exchanges: one change of the service often shows in many. */
export function report(recorded: Texts, served: Texts): string {
  const [before, after] = [partsOf(recorded), partsOf(served)];
  const names = [...new Set([...before.keys(), ...after.keys()])];
  const changed = names.filter((name) => before.get(name) !== after.get(name));
  const changes = Map.groupBy(changed, (name) => changeOf(before.get(name), after.get(name)));
  const shown = [...changes].map(
    ([change, members]) => `  ${some(members, MAX_NAMES, 'exchanges').join('\n  ')}\n${change}`,
  );
  const texts = shown.length === 0 ? ['  the same exchanges, in another order'] : shown;
  return ['Not what was recorded:', ...some(texts, MAX_CHANGES, 'changes'), WANTED].join('\n\n');
}

/** The exchanges, and the sets of usual headers, by area and first line. */
const partsOf = (texts: Texts): Map<string, string> =>
  new Map(
    [...texts].flatMap(([area, text]) =>
      text
        .split(/^(?==== |usual )/m)
        .map((part) => [`${area}.txt: ${part.split('\n', 1)[0]}`, part] as const),
    ),
  );

/** The lines that only one side has. */
function changeOf(before = '', after = ''): string {
  const only = (text: string, other: string, sign: string) => {
    const others = new Set(other.split('\n'));
    const lines = text.split('\n').filter((line) => !others.has(line));
    return some(lines, MAX_LINES, 'lines').map((line) => `    ${sign} ${line.slice(0, MAX_LENGTH)}`);
  };
  return (
    [...only(before, after, '-'), ...only(after, before, '+')].join('\n') || '    lines in another order'
  );
}

const some = (items: readonly string[], max: number, what: string): string[] =>
  items.length <= max ? [...items] : [...items.slice(0, max), `… and ${items.length - max} more ${what}`];
