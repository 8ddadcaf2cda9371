import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../free-port.ts';
import { startSimulator, type Simulator } from '../simulator/simulator.ts';
import { serve, type RunningService } from './drill.ts';

export interface SimulatedService {
  service: RunningService;
  simulator: Simulator;
  /** Where its metrics are. */
  adminPort: number;
}

/** Runs the service as a process on an empty data folder, with simulated sources, until `use` has ended. */
export async function withSimulatedService<T>(
  env: Record<string, string>,
  use: (target: SimulatedService) => Promise<T>,
): Promise<T> {
  const dataDir = mkdtempSync(join(tmpdir(), 'drill-'));
  const simulator = await startSimulator();
  try {
    const adminPort = await freePort();
    const service = await serve({
      DATA_DIR: dataDir,
      SOURCE_ORIGIN: simulator.origin,
      ADMIN_PORT: String(adminPort),
      ...env,
    });
    try {
      return await use({ service, simulator, adminPort });
    } finally {
      await service.kill('SIGKILL');
    }
  } finally {
    await simulator.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
