/** Starts the service as `npm start` does and sends its port to the parent process. Configured by the environment. */
import { readConfig } from '../../src/config.ts';
import { createLog } from '../../src/lib/log.ts';
import { start } from '../../src/main.ts';

const log = createLog('info');
const service = await start(readConfig({ PORT: '0', HOST: '127.0.0.1', ...process.env }), log);
process.send!({ port: Number(new URL(service.origin).port) });
process.once('SIGTERM', () => void stop());
process.once('disconnect', () => void stop());

async function stop(): Promise<void> {
  await service.close();
  log.flush();
  process.exit(0);
}
