import type { Vehicle } from '@monroney/vin';
import { titleCase } from './words.ts';

/** Names of cars. Browsers load this file too, for the name below the VIN field, so it must not need Node. */

/** `2024 Jeep Gladiator Rubicon`; null when the make is unknown. */
export function carName(vehicle: Vehicle | null): string | null {
  if (!vehicle?.make) return null;
  return [vehicle.year, titleCase(vehicle.make), ...modelAndTrim(vehicle)].filter(Boolean).join(' ');
}

/** `Gladiator Rubicon`, for headings that already name the make. */
export function shortName(vehicle: Vehicle | null): string | null {
  if (!vehicle?.model) return vehicle?.make ? titleCase(vehicle.make) : null;
  return modelAndTrim(vehicle).filter(Boolean).join(' ');
}

/** `Kicks`, without the vehicle type that Nissan adds to the model: `Kicks MPV`. */
export function modelName(vehicle: Vehicle | null): string | null {
  return vehicle?.model?.replace(/^(.+) MPV$/i, '$1') ?? null;
}

/** Drops the model's name from the trim: `RC` and `Rc 390` are an RC 390. */
function modelAndTrim(vehicle: Vehicle): (string | null)[] {
  const model = modelName(vehicle);
  const trim = oneTrim(vehicle);
  const repeatsModel = model && trim?.toLowerCase().startsWith(`${model.toLowerCase()} `);
  return [model, repeatsModel ? trim!.slice(model.length + 1) : trim];
}

/** Null if vPIC lists several trims, because we don't know which one the car has. */
function oneTrim({ trim, model }: Vehicle): string | null {
  // Some makers give the vehicle type as the trim.
  if (!trim || /[,/;]/.test(trim) || trim.length > 30 || /^(?:MPV|SUV|Truck|Passenger Car)$/i.test(trim))
    return null;
  return model?.toLowerCase().endsWith(trim.toLowerCase()) ? null : trim;
}
