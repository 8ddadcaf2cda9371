// lane: service
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { enumsPath, enumsSource } from '../../../tools/vpic/enums.ts';
import { BodyClass, DriveType, FuelTypePrimary } from '../src/generated/enums.ts';
import { vpic } from '../../../test/decoder.ts';

test('the enums match the data', () => {
  assert.equal(readFileSync(enumsPath, 'utf8'), enumsSource(vpic.data));
});

test('an enum has the values that decodes print, with their ids', () => {
  const { elements, vehicle } = vpic.decodeFull('1FTMW1T88MFA00001', { now: new Date('2026-11-01') });
  const idOf = (code: string): number => Number(elements.find((element) => element.code === code)!.valueId);
  assert.equal(vehicle!.bodyClass, 'Pickup');
  assert.equal(BodyClass.Pickup, idOf('BodyClass'));
  assert.equal(DriveType[vehicle!.driveType as DriveType], idOf('DriveType'));
  assert.equal(FuelTypePrimary[vehicle!.engine.fuel as FuelTypePrimary], idOf('FuelTypePrimary'));
});
