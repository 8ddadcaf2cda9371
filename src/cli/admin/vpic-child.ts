import { writeFileSync } from 'node:fs';
import { compileRelease } from '@monroney/vin/compile';

/** Compiles a release in a process with little memory (`vpic-update.ts`). Prints its progress. */

const { dump, out, month, checkCounts } = JSON.parse(process.argv[2]!) as {
  dump: string;
  out: string;
  month?: string;
  checkCounts: boolean;
};
try {
  // The best compression would take a minute and 200 MB more.
  const { bytes } = await compileRelease(dump, {
    month,
    checkCounts,
    quality: 5,
    progress: (line) => console.log(line),
  });
  writeFileSync(out, bytes, { flag: 'wx', mode: 0o600 });
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
