import { usageError, progress, progressDone, print, type AdminCommand } from './command.ts';

/** `admin rebuild`: restores rows that the database lost from the label files and the copies of the rows beside them. */
export const command: AdminCommand = async (args, { store }) => {
  if (args.length > 0) return usageError('Use: admin rebuild');
  const { added, present, missing, withdrawn, unknown } = await store.rebuild((done) =>
    progress(`${done} labels checked`),
  );
  progressDone();
  print(`${added} rows rebuilt, ${present} already existed.`);
  if (withdrawn > 0) print(`${withdrawn} withdrawn labels had reappeared and were deleted again.`);
  if (missing > 0)
    print(
      `${missing} labels have a row, but their files are missing or corrupted: restore them from a backup.`,
    );
  if (unknown > 0)
    print(`${unknown} label files have no row and no line in labels/rows.jsonl; they were not changed.`);
  return missing > 0 ? 1 : 0;
};
