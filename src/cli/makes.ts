import { ASKING, ASKING_HELP, takeArguments, wrongUse } from './arguments.ts';
import { openAsker } from './asker.ts';
import { asTrouble, EXIT, exitOf } from './exits.ts';
import { sources } from '../makers/index.ts';
import { labelKind } from '../makers/maker.ts';
import { createTable, plain } from './table.ts';

const USAGE = `The makes that publish window stickers, and how their sources are doing.

  monroney makes

  monroney makes                                     a table
  monroney makes --json | jq -r 'select(.readable).make'

${ASKING_HELP}`;

const TABLE = createTable([
  { title: 'MAKE', width: 12 },
  { title: 'SOURCE', width: 10 },
  { title: 'LABEL', width: 8 },
  { title: 'THROUGH', width: 12 },
  { title: 'NOW', width: 10 },
  { title: 'YEARS', width: 0 },
]);

/** What its labels are; a service that is newer than this command may know more sources. */
function kindOf({ source: id, readable }: { source: string; readable: boolean }): string {
  const source = sources.find((each) => each.id === id);
  return source ? KINDS[labelKind(source)] : readable ? 'text' : 'not read';
}

const KINDS = { text: 'text', picture: 'picture', unread: 'not read' };

export async function run(args: string[]): Promise<number> {
  const taken = takeArguments(args, ASKING, USAGE);
  if (typeof taken === 'number') return taken;
  if (taken.positionals.length > 0) return wrongUse('"makes" takes no arguments.', USAGE);
  const asker = await openAsker(taken.values);
  if (typeof asker === 'string') return wrongUse(asker, USAGE);
  try {
    const makes = await asker.makes();
    const lines = taken.values.json
      ? makes.map((make) => JSON.stringify(make))
      : [
          TABLE.head(),
          ...makes.map((row) => {
            const through = row.thirdParty ? 'dealer sites' : 'manufacturer';
            return TABLE.row([row.make, row.source, kindOf(row), through, row.state, row.years]);
          }),
        ];
    process.stdout.write(`${lines.join('\n')}\n`);
    return EXIT.done;
  } catch (error) {
    const trouble = asTrouble(error);
    process.stderr.write(`${plain(trouble.message)}\n`);
    return exitOf(trouble);
  } finally {
    await asker.close();
  }
}
