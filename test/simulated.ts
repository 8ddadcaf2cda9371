import { after } from 'node:test';
import { startSimulator, type Simulator } from '../tools/simulator/simulator.ts';
import { startService, type Service, type ServiceOptions } from './service.ts';

/** A service for all tests of a file, closed after them. */
export async function serviceOfFile(
  env?: Record<string, string>,
  options?: ServiceOptions,
): Promise<Service> {
  const service = await startService(env, options);
  after(() => service.close());
  return service;
}

/** The same with simulated sources. */
export async function startSimulated(
  options?: ServiceOptions,
): Promise<{ service: Service; simulator: Simulator }> {
  const simulator = await startSimulator();
  const service = await serviceOfFile({ SOURCE_ORIGIN: simulator.origin }, options);
  after(() => simulator.close());
  return { service, simulator };
}
