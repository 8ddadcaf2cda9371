import type { LookupResult } from '../lookup/finding.ts';
import type { Label } from '../reading/types.ts';
import { carName } from '../lib/car-name.ts';
import { titleCase } from '../lib/words.ts';

/** The car as schema.org data. */
export function vehicleData(
  found: LookupResult,
  label: Label | null,
  baseUrl: string,
): Record<string, unknown> {
  const { vin, decoded, finding } = found;
  const { vehicle } = decoded;
  const page = `${baseUrl}/window-sticker/${vin}`;
  const data: Record<string, unknown> = {
    '@context': 'https://schema.org',
    '@type': 'Vehicle',
    name: carName(vehicle),
    url: page,
    vehicleIdentificationNumber: vin,
    brand: vehicle?.make ? { '@type': 'Brand', name: titleCase(vehicle.make) } : null,
    manufacturer: vehicle?.manufacturer ? { '@type': 'Organization', name: vehicle.manufacturer } : null,
    model: vehicle?.model,
    vehicleConfiguration: vehicle?.trim,
    vehicleModelDate: vehicle?.year,
    bodyType: vehicle?.bodyClass,
    driveWheelConfiguration: vehicle?.driveType,
    fuelType: vehicle?.engine.fuel,
    vehicleTransmission: vehicle?.transmission ?? label?.transmission,
    numberOfDoors: vehicle?.doors ? Number(vehicle.doors) : null,
    color: label?.exterior?.color,
    vehicleInteriorColor: label?.interior,
    image: finding.state === 'held' ? `${page}/picture?width=1280` : null,
  };
  for (const key of Object.keys(data)) if (data[key] === null || data[key] === undefined) delete data[key];
  return data;
}
