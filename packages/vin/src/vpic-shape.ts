import { groupBy } from './group-by.ts';
import type { Release } from './reader.ts';
import type { DecodedElement, DecodedFull, VpicValues, VpicVariable } from './types.ts';

const PRINTED = 1;
const LOOKUP = 8;
const MAKE = 26;
const MANUFACTURER = 27;
const MODEL = 28;
const DISPLACEMENT_CC = 11;
const DISPLACEMENT_CI = 12;
const DISPLACEMENT_L = 13;
const SUGGESTED_VIN = 142;
const POSSIBLE_VALUES = 144;
const ERROR_CODE = 143;
const PLANT_ADDRESS = 204;

/** NHTSA's internal (NCSA) fields: always present in flat responses and empty, because the release lacks them. */
const INTERNAL = [96, 97, 98, 186, 187, 188, 189];
/** Those that are in the extended list. */
const LISTED_INTERNAL = [96, 97, 98, 186];
/** Driver Assist, Adaptive Headlights and Cash For Clunkers: no longer decoded, but still in flat responses. */
const RETIRED = [16, 82, 158];

/** The order of the web API's list: by group, then by element id. Other groups come last. */
const GROUPS = [
  '',
  'General',
  'Exterior/Body',
  'Exterior/Dimension',
  'Exterior/Truck',
  'Exterior/Trailer',
  'Exterior/Wheel Tire',
  'Interior',
  'Interior/Seat',
  'Mechanical/Transmission',
  'Mechanical/Drivetrain',
  'Mechanical/Brake',
  'Mechanical/Battery',
  'Mechanical/Battery/Charger',
  'Engine',
  'Passive Safety System',
  'Passive Safety System/Air Bag Location',
  'Active Safety System',
  'Internal',
];

/** Converts a full decode to the shapes of NHTSA's web API. */
export function vpicShape(release: Release) {
  const ids = Array.from(release.elementId);
  const isPrinted = (slot: number): boolean => (release.elementFlags[slot]! & PRINTED) !== 0;
  const isLookup = (slot: number): boolean => (release.elementFlags[slot]! & LOOKUP) !== 0;
  const all = ids.map((id, slot) => ({ id, slot, code: release.elementCode[slot]! }));

  const flat = all.filter(
    ({ id, slot }) =>
      (isPrinted(slot) && id !== PLANT_ADDRESS) || INTERNAL.includes(id) || RETIRED.includes(id),
  );
  const keys = [...flat.map(({ code }) => code), 'MakeID', 'ManufacturerId', 'ModelID', 'VIN'].sort();
  const codes = new Map(flat.map(({ id, code }) => [id, code]));

  const rank = (slot: number): number => {
    const index = GROUPS.indexOf(release.elementGroup[slot] ?? '');
    return index === -1 ? GROUPS.length : index;
  };
  const listed = all
    .filter(({ id, slot }) => isPrinted(slot) || LISTED_INTERNAL.includes(id))
    .sort((a, b) => rank(a.slot) - rank(b.slot) || a.id - b.id);

  function values(full: DecodedFull): VpicValues {
    const result = {} as VpicValues;
    for (const key of keys) result[key] = '';
    for (const element of full.elements) {
      const code = codes.get(element.id);
      if (code === undefined) continue;
      const value = printedValue(element, full);
      result[code] = result[code] ? `${result[code]}, ${value}` : value;
      if (element.id === MAKE) result['MakeID'] = element.valueId;
      if (element.id === MODEL) result['ModelID'] = element.valueId;
      if (element.id === MANUFACTURER) result['ManufacturerId'] = element.valueId;
    }
    result['VIN'] = full.vin;
    return result;
  }

  function variables(full: DecodedFull, extended: boolean): VpicVariable[] {
    const found = groupBy(full.elements, ({ id }) => id);
    return listed.flatMap(({ id, slot }): VpicVariable[] => {
      const name = { Variable: release.elementName[slot]!, VariableId: id };
      if (LISTED_INTERNAL.includes(id)) return extended ? [{ Value: null, ValueId: null, ...name }] : [];
      const elements = found.get(id);
      if (elements) {
        return elements.map((element) => ({
          Value: printedValue(element, full),
          ValueId: element.valueId,
          ...name,
        }));
      }
      if (id === SUGGESTED_VIN || id === POSSIBLE_VALUES) return [{ Value: '', ValueId: '', ...name }];
      return [{ Value: null, ValueId: isLookup(slot) && id !== ERROR_CODE ? null : '', ...name }];
    });
  }

  return { values, variables };
}

/** Divisions between displacements, and how many more decimals the quotient has than the dividend. */
export const DIVISIONS = [
  { to: DISPLACEMENT_CI, from: DISPLACEMENT_L, more: 10 },
  { to: DISPLACEMENT_CI, from: DISPLACEMENT_CC, more: 9 },
  { to: DISPLACEMENT_L, from: DISPLACEMENT_CC, more: 5 },
];
const MIN_DECIMALS = 6;

/** NHTSA's web server prints quotients with fewer decimals than its published procedure, which the decoder follows. */
function printedValue(element: DecodedElement, full: DecodedFull): string {
  if (element.source !== 'conversion') return element.value;
  for (const { to, from, more } of DIVISIONS) {
    if (to !== element.id) continue;
    const dividend = full.elements.find(({ id, source }) => id === from && source !== 'conversion')?.value;
    if (dividend !== undefined) return shortened(element.value, dividend, more);
  }
  return element.value;
}

/** Products have fewer decimals, and all of them are printed. */
export function shortened(value: string, dividend: string, more: number): string {
  if (!/\.\d{16}/.test(value)) return value;
  const decimals = Math.max(MIN_DECIMALS, more + (dividend.split('.')[1]?.length ?? 0));
  return value.slice(0, value.indexOf('.') + 1 + decimals);
}
