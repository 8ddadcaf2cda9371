/** How vPIC's printed values become the API's: shared by the offline decoder and answers of the live one. */

import type { Vehicle } from './types.ts';

/** vPIC's printed values under the names of its web API; missing, empty and "Not Applicable" mean the same. */
export interface Printed {
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
  TransmissionStyle?: string | null;
  TransmissionSpeeds?: string | null;
  PlantCity?: string | null;
  PlantState?: string | null;
  PlantCountry?: string | null;
  Manufacturer?: string | null;
}

export function vehicleOf(printed: Printed): Vehicle {
  return {
    year: said(printed.ModelYear),
    make: said(printed.Make),
    model: said(printed.Model),
    trim: said(printed.Trim),
    bodyClass: said(printed.BodyClass),
    driveType: said(printed.DriveType),
    doors: said(printed.Doors),
    engine: {
      displacement: litres(printed.DisplacementL),
      cylinders: said(printed.EngineCylinders),
      fuel: said(printed.FuelTypePrimary),
    },
    transmission: transmission(printed.TransmissionStyle, printed.TransmissionSpeeds),
    plant: plant(printed.PlantCity, printed.PlantState, printed.PlantCountry),
    manufacturer: said(printed.Manufacturer),
  };
}

/** The value as printed, spaces at its end too, or null where vPIC says nothing. */
export function said(value: string | null | undefined): string | null {
  return !value || value === 'Not Applicable' || value.trim() === '' ? null : value;
}

/** `3.474057568` becomes `3.5L`, `0.6494` becomes `0.65L`: a motorcycle's engine needs the second decimal. */
export function litres(value: string | null | undefined): string | null {
  const number = Number(said(value) ?? 'none');
  if (!Number.isFinite(number) || number <= 0) return null;
  // The little more keeps 1.15, which is a bit less in binary, from going down.
  const hundredths = Math.round(number * 100 + 1e-9);
  return hundredths < 100
    ? `${(hundredths / 100).toFixed(2)}L`
    : `${(Math.round(number * 10 + 1e-9) / 10).toFixed(1)}L`;
}

/** The style as printed, with the speeds in front when known: `10-Speed Automatic`. */
export function transmission(
  style: string | null | undefined,
  speeds: string | null | undefined,
): string | null {
  const name = said(style);
  const count = said(speeds);
  return name && count ? `${count}-Speed ${name}` : name;
}

export function plant(...places: (string | null | undefined)[]): string | null {
  return (
    places
      .map(said)
      .filter((place) => place !== null)
      .join(', ') || null
  );
}
