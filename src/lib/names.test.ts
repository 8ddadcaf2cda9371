import assert from 'node:assert/strict';
import { test } from 'node:test';
import { optionName } from './names.ts';

test('names in capitals are written as people write them', () => {
  const cases = {
    'TRACK DAY PACKAGE:': 'Track Day Package',
    'FRONT LICENSE PLATE BRACKET': 'Front License Plate Bracket',
    '3.5L V6 ECOBOOST ENGINE W/ AUTO START-STOP': '3.5L V6 Ecoboost Engine w/ Auto Start-Stop',
    'LED HEADLAMPS AND USB PORTS': 'LED Headlamps and USB Ports',
    'XLT EQUIPMENT GROUP 302A': 'XLT Equipment Group 302A',
    'ROUES DE 20 PO EN ALUMINIUM': 'Roues De 20 Po En Aluminium',
    'Trailer–Tow Package': 'Trailer–Tow Package',
    '255/65R18 A/S BSW TIRES': '255/65R18 A/S BSW Tires',
    GT: 'GT',
    ':': ':',
  };
  for (const [printed, name] of Object.entries(cases)) assert.equal(optionName(printed), name);
});
