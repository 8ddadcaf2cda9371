import { after } from 'node:test';
import { checkDigit } from '@monroney/vin';
import { sources } from '../src/makers/index.ts';
import { startSimulator, type Simulator } from '../tools/simulator/simulator.ts';
import { startService, type Service, type ServiceOptions } from './service.ts';

/** A service with simulated sources, closed after the tests of the file that starts it. */
export async function startSimulated(
  options?: ServiceOptions,
): Promise<{ service: Service; simulator: Simulator }> {
  const simulator = await startSimulator();
  const service = await startService({ SOURCE_ORIGIN: simulator.origin }, options);
  after(async () => {
    await service.close();
    await simulator.close();
  });
  return { service, simulator };
}

let serial = 100_000;
/** A VIN of a source's example model that was not requested before. */
export function newCar(sourceId: string): string {
  const { example } = sources.find((source) => source.id === sourceId)!;
  const vin = example.slice(0, -5) + String(++serial).slice(-5);
  return vin.slice(0, 8) + checkDigit(vin)! + vin.slice(9);
}
