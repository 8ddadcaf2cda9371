import assert from 'node:assert/strict';
import { test } from 'node:test';
import { optionName, placeName } from './option-names.ts';

test('names in capitals are written as people write them', () => {
  const cases = {
    'TRACK DAY PACKAGE:': 'Track Day Package',
    'FRONT LICENSE PLATE BRACKET': 'Front License Plate Bracket',
    '3.5L V6 ECOBOOST ENGINE W/ AUTO START-STOP': '3.5L V6 EcoBoost Engine w/ Auto Start-Stop',
    'LED HEADLAMPS AND USB PORTS': 'LED Headlamps and USB Ports',
    'XLT EQUIPMENT GROUP 302A': 'XLT Equipment Group 302A',
    'ROUES DE 20 PO EN ALUMINIUM': 'Roues De 20 Po En Aluminium',
    'Trailer–Tow Package': 'Trailer-Tow Package',
    '8–SPEED TRANSMISSION, 2021–2023': '8-Speed Transmission, 2021–2023',
    'MATS W/O CARPET AND/OR KEY': 'Mats w/o Carpet and/or Key',
    'HEADLAMPS (ON/OFF)': 'Headlamps (On/Off)',
    'LART PREM BLCK PKG DIST': 'Lart Prem Blck Pkg Dist',
    'HTD STD SEATS WITH BSW AND GVWR PKG': 'Htd Std Seats with BSW and GVWR Pkg',
    '255/65R18 A/S BSW TIRES': '255/65R18 A/S BSW Tires',
    'CLASS III RECEIVER HITCH': 'Class III Receiver Hitch',
    'SIRIUSXM® W/ APPLE CARPLAY™': 'SiriusXM® w/ Apple CarPlay™',
    'FORD COPILOT360 ASSIST+ (REMOVED)': 'Ford CoPilot360 Assist+ (Removed)',
    '6.2L V8 DI ENGINE': '6.2L V8 DI Engine',
    '60TH ANNIVERSARY PACKAGE, 2ND ROW': '60th Anniversary Package, 2nd Row',
    'B&O SOUND SYSTEM,12 SPKR - N/A AK&HI': 'B&O Sound System,12 Spkr - N/A AK&HI',
    '265/35R20 W-RATED TIRE W/LOCK': '265/35R20 W-Rated Tire w/Lock',
    'FORD CO-PILOT360™': 'Ford Co-Pilot360™',
    'ONSTAR(R) SERVICES, BREMBO(R)4-PISTON BRAKES': 'OnStar® Services, Brembo®4-Piston Brakes',
    'UCONNECT(MD)5 ET ANDROID AUTO(MC)': 'Uconnect®5 Et Android Auto™',
    'SMART CHARGING USB PORT(2), EQUIPMENT PKG.608A': 'Smart Charging USB Port(2), Equipment Pkg.608A',
    '4G LTE WI-FI (R) HOTSPOT, SEE ONSTAR.COM/TERMS': '4G LTE Wi-Fi® Hotspot, See onstar.com/terms',
    'BUILT-IN APPS, IN-VEHICLE, BUMPER-TO-BUMPER': 'Built-in Apps, In-Vehicle, Bumper-to-Bumper',
    'TER MGMT W/G.O.A.T. MODES® BY 3.5L V6': 'Ter Mgmt w/G.O.A.T. Modes® by 3.5L V6',
    "Driver's Knee Airbag, 5.5' BOX": "Driver’s Knee Airbag, 5.5' BOX",
    "SYSTEME D'ALERTE": 'Systeme D’alerte',
    GT: 'GT',
    ':': ':',
  };
  for (const [printed, name] of Object.entries(cases)) assert.equal(optionName(printed), name);
});

test('a state after a city keeps its capitals', () => {
  assert.equal(placeName('BOWLING GREEN, KY U.S.A.'), 'Bowling Green, KY U.S.A.');
  assert.equal(placeName('CHICAGO, IL'), 'Chicago, IL');
  assert.equal(placeName('DETROIT, MICHIGAN, U.S.A.'), 'Detroit, Michigan, U.S.A.');
  assert.equal(placeName('STERLING HTS, MICH., U.S.A.'), 'Sterling Hts, Mich., U.S.A.');
  assert.equal(placeName('Ulsan, Korea'), 'Ulsan, Korea');
  assert.equal(placeName('STE-THÉRÈSE, QUÉBEC'), 'Ste-Thérèse, Québec');
});

test('colons at the end of a name are left out, unless there is nothing else', () => {
  assert.equal(optionName('Tow Package : :\n'), 'Tow Package');
  assert.equal(optionName('::'), '::');
});
