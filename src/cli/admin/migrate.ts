import { say, type AdminCommand } from './command.ts';

/** `admin migrate`: opening a store brings its tables up to date; this is for doing it before an upgrade. */
export const command: AdminCommand = async (_args, admin) => {
  await admin.store.ready();
  say(`The ${admin.store.kind} store is up to date.`);
  return 0;
};
