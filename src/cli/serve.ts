import { start } from '../main.ts';
import { ConfigError, readConfig } from '../config.ts';
import { createLog } from '../log.ts';
import { specimens } from '../specimens/index.ts';

/** `monroney serve`, which is `npm start`. */
export async function run(): Promise<number> {
  let config;
  try {
    config = readConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`Monroney cannot start:\n${error.message}\n`);
    return 2;
  }
  const log = createLog(config.logLevel);
  let service;
  try {
    service = await start(config, log);
  } catch (error) {
    process.stderr.write(`Monroney cannot start: ${(error as Error).message}\n`);
    log.flush();
    return 1;
  }
  const [first] = specimens;
  process.stderr.write(
    `\nMonroney listens on ${service.origin}. Three addresses to try:\n\n` +
      `  ${service.origin}/\n` +
      `  ${service.origin}/api/v1/vin/${first!.vin}\n` +
      `  ${service.origin}/api/sticker/${first!.vin}\n\n`,
  );
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
  });
  await service.close();
  log.flush();
  return 0;
}
