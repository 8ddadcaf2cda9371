// lane: service
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { vpic } from '../../../test/decoder.ts';

const now = new Date('2026-11-01T00:00:00Z');

/** The live service's response for this VIN in June 2026, including empty keys. */
const RECORDED = `ABS=Standard|ActiveSafetySysNote|AdaptiveCruiseControl=Standard|AdaptiveDrivingBeam=Standard|
AdaptiveHeadlights|AdditionalErrorText|AirBagLocCurtain=1st Row (Driver and Passenger)|
AirBagLocFront=1st Row (Driver and Passenger)|AirBagLocKnee|AirBagLocSeatCushion|
AirBagLocSide=1st Row (Driver and Passenger)|AutoReverseSystem=Standard|AutomaticPedestrianAlertingSound|
AxleConfiguration|Axles|BasePrice|BatteryA|BatteryA_to|BatteryCells|BatteryInfo|BatteryKWh|BatteryKWh_to|
BatteryModules|BatteryPacks|BatteryType|BatteryV|BatteryV_to|BedLengthIN|BedType|BlindSpotIntervention|
BlindSpotMon=Standard|BodyCabType|BodyClass=Sport Utility Vehicle [SUV]/Multipurpose Vehicle [MPV]|
BrakeSystemDesc|BrakeSystemType|BusFloorConfigType=Not Applicable|BusLength|BusType=Not Applicable|CAN_AACN|
CIB=Standard|CashForClunkers|ChargerLevel|ChargerPowerKW|CombinedBrakingSystem|CoolingType|CurbWeightLB|
CustomMotorcycleType=Not Applicable|DaytimeRunningLight=Standard|DestinationMarket|DisplacementCC=2000.0|
DisplacementCI=122.04748818946|DisplacementL=2.0|Doors|DriveType|DriverAssist|DynamicBrakeSupport=Standard|
EDR|ESC=Standard|EVDriveUnit|ElectrificationLevel|EngineConfiguration|EngineCycles|EngineCylinders=4|
EngineHP=184|EngineHP_to|EngineKW|EngineManufacturer=Volkswagen|EngineModel|EntertainmentSystem|ErrorCode=0|
ErrorText=0 - VIN decoded clean. Check Digit (9th position) is correct|ForwardCollisionWarning=Standard|
FuelInjectionType|FuelTankMaterial|FuelTankType|FuelTypePrimary=Gasoline|FuelTypeSecondary|GCWR|GCWR_to|
GVWR=Class 1D: 5,001 - 6,000 lb (2,268 - 2,722 kg)|GVWR_to|KeylessIgnition=Standard|LaneCenteringAssistance|
LaneDepartureWarning=Standard|LaneKeepSystem=Standard|LowerBeamHeadlampLightSource=LED|Make=VOLKSWAGEN|
MakeID=482|Manufacturer=VOLKSWAGEN DE MEXICO SA DE CV|ManufacturerId=16478|Model=Tiguan|ModelID=8151|
ModelYear=2022|MotorcycleChassisType=Not Applicable|MotorcycleSuspensionType=Not Applicable|NCSABodyType|
NCSAMake|NCSAMapExcApprovedBy|NCSAMapExcApprovedOn|NCSAMappingException|NCSAModel|NCSANote|NonLandUse|Note|
OtherBusInfo|OtherEngineInfo=Test Group: NVGAJ02.0V3A / Emission Std.: Tier 3 BIN 30 LEV3 SULEV30|
OtherMotorcycleInfo|OtherRestraintSystemInfo=Seat Belt: Active-Dr/Pass / Advanced Front Airbags|
OtherTrailerInfo|ParkAssist|PedestrianAutomaticEmergencyBraking|PlantCity=PUEBLA|PlantCompanyName|
PlantCountry=MEXICO|PlantState|PossibleValues|Pretensioner|RearAutomaticEmergencyBraking=Standard|
RearCrossTrafficAlert=Standard|RearVisibilitySystem=Standard|SAEAutomationLevel|SAEAutomationLevel_to|
SeatBeltsAll=Manual|SeatRows=2|Seats=5|SemiautomaticHeadlampBeamSwitching=Standard|Series|Series2|
SteeringLocation|SuggestedVIN|TPMS=Indirect|TopSpeedMPH|TrackWidth|TractionControl=Standard|
TrailerBodyType=Not Applicable|TrailerLength|TrailerType=Not Applicable|TransmissionSpeeds=8|
TransmissionStyle=Automatic|Trim=SE|Trim2|Turbo|VIN=3VV3B7AXXNM077525|ValveTrainDesign|
VehicleDescriptor=3VV3B7AX*NM|VehicleType=MULTIPURPOSE PASSENGER VEHICLE (MPV)|WheelBaseLong|WheelBaseShort|
WheelBaseType|WheelSizeFront|WheelSizeRear|WheelieMitigation|Wheels|Windows`;

test('flat responses have the keys, order and values of the live API', () => {
  const recorded = Object.fromEntries(
    RECORDED.replaceAll('\n', '')
      .split('|')
      .map((pair): [string, string] => {
        const [key = '', ...value] = pair.split('=');
        return [key, value.join('=')];
      }),
  );
  const ours = vpic.values('3VV3B7AXXNM077525', { now });
  assert.deepEqual(Object.keys(ours), Object.keys(recorded));
  // NHTSA has added these two since.
  assert.deepEqual({ ...ours, CurbWeightLB: '', Note: '' }, recorded);
});

test('listed responses have the order and ids of the live API', () => {
  const list = vpic.variables('WA1A4AFY2J2008189', { now, extended: true });
  const ids = list.map(({ VariableId }) => VariableId);
  // As recorded in February 2023; 200 to 204 came later.
  const recorded =
    '142 143 144 156 191 196 10 26 27 28 29 31 34 38 39 75 76 77 109 110 114 136 195 5 14 40 60 159 25 49 54 111 112 184 185 190 3 4 116 117 118 155 115 119 120 23 36 33 61 37 63 15 41 145 42 52 1 2 48 57 58 59 72 132 133 134 137 138 127 128 9 11 12 13 17 18 21 24 62 64 66 67 71 122 125 126 129 135 139 146 78 79 121 55 56 65 69 107 86 99 100 168 169 172 173 175 176 181 182 96 97 98 186 81 87 88 101 102 103 104 105 147 148 149 150 151 152 153 154 170 171 174 177 178 179 180 183 192 193 194';
  assert.equal(ids.filter((id) => id < 200).join(' '), recorded);
  const of = (id: number) => list.find(({ VariableId }) => VariableId === id);
  assert.deepEqual(of(26), { Value: 'AUDI', ValueId: '582', Variable: 'Make', VariableId: 26 });
  assert.deepEqual(of(28), { Value: 'SQ5', ValueId: '4052', Variable: 'Model', VariableId: 28 });
  assert.deepEqual(of(29), { Value: '2018', ValueId: '', Variable: 'Model Year', VariableId: 29 });
  assert.deepEqual(of(142), { Value: '', ValueId: '', Variable: 'Suggested VIN', VariableId: 142 });
  assert.deepEqual(of(143), { Value: '0', ValueId: '0', Variable: 'Error Code', VariableId: 143 });
  assert.deepEqual(of(10), { Value: null, ValueId: null, Variable: 'Destination Market', VariableId: 10 });
  assert.deepEqual(of(40), { Value: null, ValueId: '', Variable: 'Windows', VariableId: 40 });
  assert.equal(of(12)?.Value, '183.0712322841');
  const plain = vpic.variables('WA1A4AFY2J2008189', { now });
  assert.ok(!plain.some(({ Variable }) => Variable.startsWith('NCSA')));
});

test('wmi() takes three or six characters', () => {
  assert.deepEqual(vpic.wmi('1ft'), {
    wmi: '1FT',
    manufacturer: 'FORD MOTOR COMPANY',
    manufacturerId: 976,
    makes: [{ id: 460, name: 'FORD' }],
    vehicleType: 'Truck',
    published: '2015-01-01',
  });
  assert.equal(vpic.wmi('1A9596')?.manufacturer, 'AMERICAN CUSTOM GOLF CARS, INC');
  for (const code of ['', '1A9', '1FT123', 'ZZZ', '1F', '1FTMW1T88'])
    assert.equal(vpic.wmi(code), null, code);
});

test('makes and models match NHTSA', () => {
  const makes = vpic.makes();
  assert.ok(makes.length > 12_000);
  assert.deepEqual(
    makes.find(({ name }) => name === 'TESLA'),
    { id: 441, name: 'TESLA' },
  );
  // As the live API responded for 2020.
  const models = vpic.models('tesla', { year: 2020 }).map(({ id, name }) => `${id} ${name}`);
  assert.deepEqual(models, ['1685 Model S', '10199 Model X', '17834 Model 3', '27027 Model Y']);
  assert.deepEqual(vpic.models(441, { year: 2020 }), vpic.models('Tesla', { year: 2020 }));
  assert.equal(vpic.models('no such make').length, 0);
  assert.equal(vpic.models('tesla', { year: 1990 }).length, 0);
  const cars = vpic.models(441, { year: 2020, vehicleType: 'car' });
  assert.ok(cars.every(({ vehicleType }) => vehicleType?.id === 2));
});

test('decodeMany decodes on demand', () => {
  let taken = 0;
  function* vins() {
    for (const vin of ['1FTMW1T88MFA00001', '3VV3B7AXXNM077525', 'WA1A4AFY2J2008189']) {
      taken++;
      yield vin;
    }
  }
  const decoded = vpic.decodeMany(vins(), { now });
  assert.equal(decoded.next().value?.vehicle?.model, 'F-150');
  assert.equal(taken, 1);
  assert.deepEqual(
    [...decoded].map(({ vehicle }) => vehicle?.model),
    ['Tiguan', 'SQ5'],
  );
});
