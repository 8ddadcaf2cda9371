/** Turns vPIC's printed values into the API's, for the offline decoder and for responses of the live API. */

import type { Vehicle } from './types.ts';

/** vPIC's printed values under the names of its web API; missing, empty and "Not Applicable" mean the same. */
export interface PrintedValues {
  ModelYear?: string | null;
  Make?: string | null;
  Model?: string | null;
  Trim?: string | null;
  BodyClass?: string | null;
  DriveType?: string | null;
  Doors?: string | null;
  DisplacementL?: string | null;
  EngineCylinders?: string | null;
  FuelTypePrimary?: string | null;
  ElectrificationLevel?: string | null;
  EngineHP?: string | null;
  TransmissionStyle?: string | null;
  TransmissionSpeeds?: string | null;
  PlantCity?: string | null;
  PlantState?: string | null;
  PlantCountry?: string | null;
  Manufacturer?: string | null;
}

export function vehicleOf(printed: PrintedValues): Vehicle {
  return {
    year: valueOrNull(printed.ModelYear),
    make: valueOrNull(printed.Make),
    model: valueOrNull(printed.Model),
    trim: valueOrNull(printed.Trim),
    bodyClass: valueOrNull(printed.BodyClass),
    driveType: valueOrNull(printed.DriveType),
    doors: valueOrNull(printed.Doors),
    engine: {
      displacement: liters(printed.DisplacementL),
      cylinders: valueOrNull(printed.EngineCylinders),
      fuel: valueOrNull(printed.FuelTypePrimary),
      electrification: valueOrNull(printed.ElectrificationLevel),
      horsepower: valueOrNull(printed.EngineHP),
    },
    transmission: transmission(printed.TransmissionStyle, printed.TransmissionSpeeds),
    plant: plant(printed.PlantCity, printed.PlantState, printed.PlantCountry),
    manufacturer: valueOrNull(printed.Manufacturer),
  };
}

/** The value as printed, including trailing spaces; null if it's empty or "Not Applicable". */
export function valueOrNull(value: string | null | undefined): string | null {
  return !value || value === 'Not Applicable' || value.trim() === '' ? null : value;
}

/** `3.474057568` becomes `3.5L`, `0.6494` becomes `0.65L`: a motorcycle's engine needs the second decimal. */
export function liters(value: string | null | undefined): string | null {
  const number = Number(valueOrNull(value) ?? 'none');
  if (!Number.isFinite(number) || number <= 0) return null;
  // The small amount keeps 1.15, which is slightly less in binary, from rounding down.
  const hundredths = Math.round(number * 100 + 1e-9);
  return hundredths < 100
    ? `${(hundredths / 100).toFixed(2)}L`
    : `${(Math.round(number * 10 + 1e-9) / 10).toFixed(1)}L`;
}

/** The style as printed, after the number of speeds if known: `10-Speed Automatic`. */
export function transmission(
  style: string | null | undefined,
  speeds: string | null | undefined,
): string | null {
  const name = valueOrNull(style);
  const count = valueOrNull(speeds);
  return name && count ? `${count}-Speed ${name}` : name;
}

export function plant(...parts: (string | null | undefined)[]): string | null {
  return (
    parts
      .map(valueOrNull)
      .filter((part) => part !== null)
      .join(', ') || null
  );
}
