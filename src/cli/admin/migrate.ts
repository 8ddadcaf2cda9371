import { print, usageError, type AdminCommand } from './command.ts';

/** `admin migrate`: opening a store migrates its tables, so this only has to open it. For use before an upgrade. */
export const command: AdminCommand = async (args, admin) => {
  if (args.length > 0) return usageError('Use: admin migrate');
  await admin.store.ready();
  print(`The ${admin.store.kind} store is up to date.`);
  return 0;
};
