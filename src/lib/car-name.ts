import type { Vehicle } from '@monroney/vin';
import { titleCase } from './words.ts';

/** `2024 Jeep Gladiator Rubicon`; null when not even the make is known. */
export function carName(vehicle: Vehicle | null): string | null {
  if (!vehicle?.make) return null;
  return [vehicle.year, titleCase(vehicle.make), ...modelAndTrim(vehicle)].filter(Boolean).join(' ');
}

/** `Gladiator Rubicon`, for headings where the make is said already. */
export function shortName(vehicle: Vehicle | null): string | null {
  if (!vehicle?.model) return vehicle?.make ? titleCase(vehicle.make) : null;
  return modelAndTrim(vehicle).filter(Boolean).join(' ');
}

/** `Kicks`: Nissan files the kind of vehicle as part of the model, `Kicks MPV`. */
export function modelName(vehicle: Vehicle | null): string | null {
  return vehicle?.model?.replace(/(?<=.) MPV$/i, '') ?? null;
}

/** A trim that begins with the model's name says it again: `RC` and `Rc 390` are an RC 390. */
function modelAndTrim(vehicle: Vehicle): (string | null)[] {
  const model = modelName(vehicle);
  const trim = oneTrim(vehicle);
  const again = model && trim?.toLowerCase().startsWith(`${model.toLowerCase()} `);
  return [model, again ? trim!.slice(model.length + 1) : trim];
}

/** Where a VIN stands for several trims vPIC lists them all: no car is all of them. */
function oneTrim({ trim, model }: Vehicle): string | null {
  // Some makers file the kind of vehicle as its trim.
  if (!trim || /[,/;]/.test(trim) || trim.length > 30 || /^(?:MPV|SUV|Truck|Passenger Car)$/i.test(trim))
    return null;
  return model?.toLowerCase().endsWith(trim.toLowerCase()) ? null : trim;
}
