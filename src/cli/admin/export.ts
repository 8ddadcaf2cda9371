import type { AdminCommand } from './command.ts';
import { copy } from './import.ts';

/** `admin export FOLDER`: copies the shared store into an embedded one. */
export const command: AdminCommand = ([folder], admin) => copy(folder, admin, 'out');
