/** `node tools/memory.ts`: checks that memory stays flat over 20,000 requests and 500 MB of PDFs. Also `npm run drill -- memory`. */
import { run } from './drill/memory.ts';

const { ok, figures, failures } = await run();
process.stdout.write(`${JSON.stringify({ ok, ...figures, failures }, null, 2)}\n`);
process.exit(ok ? 0 : 1);
