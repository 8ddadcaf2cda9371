import type { Vehicle } from '@monroney/vin';
import { printedName, withoutType, type PrintedName } from './printed-name.ts';
import { titleCase } from './words.ts';

/** Names of cars. Browsers load this file too, for the name below the VIN field, so it must not need Node. */

/** The parts of a car's name, as its label prints them, else as vPIC does. */
export interface NameParts {
  year: string | null;
  make: string | null;
  model: string | null;
  /** Trim and, on a label, body or cab and drive. */
  trim: string | null;
}

/** `2024 Jeep Gladiator Rubicon`; null when the make is unknown. Everything that names a car uses this. */
export function carName(vehicle: Vehicle | null, label: PrintedName | null = null): string | null {
  const parts = nameParts(vehicle, label);
  return parts.make && joined(parts.year, parts.make, parts.model, parts.trim);
}

/** `Gladiator Rubicon`, for headings that already name the make. */
export function shortName({ make, model, trim }: NameParts): string | null {
  return joined(model, trim) || make;
}

export function nameParts(vehicle: Vehicle | null, label: PrintedName | null): NameParts {
  const decoded = {
    year: vehicle?.year ?? null,
    make: vehicle?.make ?? null,
    model: vehicle?.model ?? null,
    trim: vehicle ? oneTrim(vehicle) : null,
    trims: vehicle?.trim ?? null,
  };
  const make = decoded.make ?? label?.make.toUpperCase();
  const known = { year: label?.year?.toString() ?? decoded.year, make: make ? titleCase(make) : null };
  const printed = label && printedName(label, decoded);
  return { ...known, ...(printed ?? decodedParts(decoded)) };
}

/** Drops the model's name from the trim: `RC` and `Rc 390` are an RC 390. */
function decodedParts({ model, trim }: Pick<NameParts, 'model' | 'trim'>): Pick<NameParts, 'model' | 'trim'> {
  const name = model && withoutType(model);
  const repeatsModel = name && trim?.toLowerCase().startsWith(`${name.toLowerCase()} `);
  return { model: name, trim: repeatsModel ? trim!.slice(name.length + 1) : trim };
}

const joined = (...words: (string | null)[]): string => words.filter(Boolean).join(' ');

/** Null if vPIC lists several trims, because we don't know which one the car has. */
function oneTrim({ trim, model }: Vehicle): string | null {
  // Some makers give the vehicle type as the trim.
  if (!trim || /[,/;]/.test(trim) || trim.length > 30 || /^(?:MPV|SUV|Truck|Passenger Car)$/i.test(trim))
    return null;
  return model?.toLowerCase().endsWith(trim.toLowerCase()) ? null : trim;
}
