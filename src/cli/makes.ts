import { failureOf, LOOKUP_OPTIONS, LOOKUP_OPTIONS_HELP, withClient } from './client.ts';
import { parseArguments, usageError, EXIT } from './command-line.ts';
import { sources } from '../makers/index.ts';
import { labelKind } from '../makers/maker.ts';
import { createTable, fail } from './output.ts';

const USAGE = `The makes that publish window stickers, and how their sources are doing.

  monroney makes

  monroney makes                                     a table
  monroney makes --json | jq -r 'select(.readable).make'

${LOOKUP_OPTIONS_HELP}
KIND is original (the manufacturer's file from its own host), original-via-platform (the manufacturer's file, handed on
by a dealer website platform) or dealer-copy (a platform's own copy).

NOW is about the last three hours: answering, slow, unsteady (one request in ten fails), refusing or failing (half do),
resting (paused because it refuses us), off (switched off by the operator), or quiet (no requests in 24 hours).
`;

const TABLE = createTable([
  { title: 'MAKE', width: 12 },
  { title: 'SOURCE', width: 10 },
  { title: 'LABEL', width: 8 },
  { title: 'KIND', width: 21 },
  { title: 'NOW', width: 10 },
  { title: 'YEARS', width: 0 },
]);

/** The format of its labels. A service newer than this command may have more sources. */
function formatOf({ source: id, readable }: { source: string; readable: boolean }): string {
  const source = sources.find((candidate) => candidate.id === id);
  return source ? FORMATS[labelKind(source)] : readable ? 'text' : 'not read';
}

const FORMATS = { text: 'text', picture: 'picture', unread: 'not read' };

export const options = LOOKUP_OPTIONS;

export async function run(args: string[]): Promise<number> {
  const parsed = parseArguments(args, options, USAGE);
  if (typeof parsed === 'number') return parsed;
  if (parsed.positionals.length > 0) return usageError('"makes" takes no arguments.', USAGE);
  return withClient(parsed.values, {}, USAGE, async (client, signal) => {
    const makes = await client.makes({ signal }).catch(failureOf);
    if ('exit' in makes) return fail(makes.detail, makes.exit);
    const lines = parsed.values.json
      ? makes.map((make) => JSON.stringify(make))
      : [
          TABLE.head(),
          ...makes.map((row) => {
            const { make, source, kind, state, years } = row;
            return TABLE.row([make, source, formatOf(row), kind, state, years]);
          }),
        ];
    process.stdout.write(`${lines.join('\n')}\n`);
    return EXIT.done;
  });
}
