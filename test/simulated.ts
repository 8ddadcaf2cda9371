import { after } from 'node:test';
import { checkDigit } from '@monroney/vin';
import { sources } from '../src/makers/index.ts';
import { startSimulator } from '../tools/simulator/simulator.ts';
import { startService } from './service.ts';

/** A service with simulated sources, shared by all tests in the importing file. */
export const simulator = await startSimulator();
export const service = await startService({ SOURCE_ORIGIN: simulator.origin });

after(async () => {
  await service.close();
  await simulator.close();
});

let serial = 100_000;
/** A VIN of a source's example model that was not requested before. */
export function newCar(sourceId: string): string {
  const { example } = sources.find((source) => source.id === sourceId)!;
  const vin = example.slice(0, -5) + String(++serial).slice(-5);
  return vin.slice(0, 8) + checkDigit(vin)! + vin.slice(9);
}
