import { hash } from 'node:crypto';
import { LabelMissing, nullFor } from './errors.ts';
import type { Files } from './label-bytes.ts';
import type { VpicChoice, VpicFile, VpicFiles } from './store.ts';

/** vPIC data that the operator added, beside the labels, so that every instance finds it after a restart. */

const CHOICE = 'vpic/current.json';
const MAX_CHOICE_BYTES = 10_000;
/** Five times as large as today. Data files are read at every start. */
const MAX_DATA_BYTES = 32 * 2 ** 20;

const nameOf = ({ month, sha256 }: VpicFile) => `vpic/${month}.${sha256}.bin`;

/** The data is written first, then the small file that chooses it: whatever fails, the earlier choice stays. */
export function vpicFiles(files: Files): VpicFiles {
  const stored = async (): Promise<VpicChoice | null> => {
    const text = await files.text(CHOICE, MAX_CHOICE_BYTES).catch(nullFor(LabelMissing));
    return text === null ? null : parseChoice(text);
  };

  async function choose(choice: VpicChoice): Promise<VpicChoice> {
    await files.put(CHOICE, Buffer.from(`${JSON.stringify(choice)}\n`));
    const kept = [choice.current, choice.previous].flatMap((file) => (file ? [nameOf(file)] : []));
    for await (const names of files.list('vpic/'))
      for (const name of names) if (name.endsWith('.bin') && !kept.includes(name)) await files.remove(name);
    return choice;
  }

  return {
    choice: async () => (await stored()) ?? { current: null, previous: null },
    read: (file) => files.get(nameOf(file), file),
    async add(month, bytes) {
      const file = { month, bytes: bytes.byteLength, sha256: hash('sha256', bytes, 'hex') };
      const before = await stored();
      await files.put(nameOf(file), bytes);
      const isSame = before?.current?.sha256 === file.sha256;
      return choose({ current: file, previous: (isSame ? before.previous : before?.current) ?? null });
    },
    async rollBack() {
      const before = await stored();
      return before && choose({ current: before.previous, previous: before.current });
    },
  };
}

/** Throws if the text isn't one: whoever starts then uses the data of the program, and says so. */
function parseChoice(text: string): VpicChoice {
  const { current, previous } = JSON.parse(text) as VpicChoice;
  for (const file of [current, previous])
    if (file !== null && !isValid(file)) throw new Error(`${CHOICE} is damaged.`);
  return { current, previous };
}

const isValid = ({ month, sha256, bytes }: VpicFile): boolean =>
  /^20\d\d-\d\d$/.test(month) &&
  /^[0-9a-f]{64}$/.test(sha256) &&
  Number.isSafeInteger(bytes) &&
  bytes <= MAX_DATA_BYTES;
