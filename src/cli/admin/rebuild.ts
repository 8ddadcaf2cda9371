import { complain, progress, progressDone, say, type AdminCommand } from './command.ts';

/** `admin rebuild`: rows that the database lost, from the labels themselves and what lies beside them. */
export const command: AdminCommand = async (args, { store }) => {
  if (args.length > 0) return complain('Use: admin rebuild');
  const { added, present, missing, withdrawn, unknown } = await store.rebuild((done) =>
    progress(`${done} labels checked`),
  );
  progressDone();
  say(`${added} rows rebuilt, ${present} were there.`);
  if (withdrawn > 0) say(`${withdrawn} withdrawn labels had come back and were removed again.`);
  if (missing > 0)
    say(`${missing} labels are known, but their files are missing or wrong: restore them from a backup.`);
  if (unknown > 0)
    say(
      `${unknown} label files belong to no row and no line of labels/rows.jsonl; they were left as they are.`,
    );
  return missing > 0 ? 1 : 0;
};
