/** Runs the program of a PDF worker, and writes the functions that it called into a folder whenever it gets SIGUSR2. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { countCalls } from './count-calls.ts';

const [node, , folder, ...rest] = process.argv;
const [program, kind] = rest.slice(-2);
process.argv = [node!, program!, kind!];
const calls = await countCalls();
process.on('SIGUSR2', () => {
  void calls
    .take()
    .then((called) => writeFileSync(join(folder!, `${process.pid}.json`), JSON.stringify(called)));
});
await import(program!);
