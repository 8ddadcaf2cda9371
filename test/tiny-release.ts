/** A tiny vPIC release for tests, in the format of the official dump: one maker with one car. */
type Table = { columns: string; rows: string[][] };

const N = '\\N';
const OLD = '2015-01-01 00:00:00';
const NEW = '2024-05-06 07:08:09.123';

export function madeUpTables(): Record<string, Table> {
  return {
    wmi: {
      columns: 'id, wmi, manufacturerid, makeid, vehicletypeid, trucktypeid, publicavailabilitydate',
      rows: [['1', 'XYZ', '7', N, '2', N, '2015-01-01 00:00:00']],
    },
    wmi_make: { columns: 'wmiid, makeid', rows: [['1', '5']] },
    wmi_vinschema: {
      columns: 'id, wmiid, vinschemaid, yearfrom, yearto',
      rows: [['1', '1', '40', '2010', N]],
    },
    vinschema: { columns: 'id, name, tobeqced', rows: [['40', 'Comet 2010', 'f']] },
    element: {
      columns: 'id, name, code, lookuptable, isprivate, groupname, decode, weight, datatype',
      rows: [
        ['5', 'Body Class', 'BodyClass', 'BodyStyle', 'f', 'Exterior/Body', 'Pattern', '99', 'lookup'],
        ['9', 'Engine Number of Cylinders', 'EngineCylinders', N, 'f', 'Engine', 'Pattern', '88', 'string'],
        ['11', 'Displacement (CC)', 'DisplacementCC', N, 'f', 'Engine', 'Pattern', '98', 'string'],
        ['13', 'Displacement (L)', 'DisplacementL', N, 'f', 'Engine', 'Pattern', N, 'string'],
        ['14', 'Doors', 'Doors', N, 'f', 'Exterior/Body', 'Pattern', N, 'string'],
        ['15', 'Drive Type', 'DriveType', 'drivetype', 'f', 'Mechanical', 'Pattern', N, 'lookup'],
        ['18', 'Engine Model', 'EngineModel', N, 'f', 'Engine', 'Pattern', '55', 'string'],
        ['26', 'Make', 'Make', 'make', 'f', 'General', 'WMI, Pattern', '99', 'lookup'],
        ['27', 'Manufacturer Name', 'Manufacturer', 'manufacturer', 'f', 'General', 'WMI', N, 'lookup'],
        ['28', 'Model', 'Model', 'model', 'f', 'General', 'Pattern', '99', 'lookup'],
        ['29', 'Model Year', 'ModelYear', N, 'f', 'General', 'WMI, Input', '99', 'string'],
        ['39', 'Vehicle Type', 'VehicleType', 'vehicletype', 'f', 'General', 'WMI', '99', 'lookup'],
        ['114', 'Note', 'Note', N, 'f', 'General', 'Pattern', N, 'string'],
        ['96', 'NCSA Body Type', 'NCSABodyType', N, 't', 'Internal', 'Pattern', N, 'string'],
      ],
    },
    make: { columns: 'id, name', rows: [['5', 'Comet']] },
    model: { columns: 'id, name', rows: [['50', 'Halley']] },
    make_model: { columns: 'id, makeid, modelid', rows: [['1', '5', '50']] },
    manufacturer: { columns: 'id, name', rows: [['7', 'Comet Works']] },
    vehicletype: { columns: 'id, name', rows: [['2', 'Passenger Car']] },
    bodystyle: {
      columns: 'id, name',
      rows: [
        ['1', 'Coupe'],
        ['2', 'Wagon'],
      ],
    },
    drivetype: { columns: 'id, name', rows: [['4', 'RWD']] },
    enginemodel: { columns: 'id, name', rows: [['3', 'Tail 9 ']] },
    enginemodelpattern: {
      columns: 'id, enginemodelid, elementid, attributeid, createdon, updatedon',
      rows: [['1', '3', '9', '4', OLD, N]],
    },
    conversion: {
      columns: 'id, fromelementid, toelementid, formula',
      rows: [['3', '11', '13', '#x# / 1000.']],
    },
    vehiclespecschema: { columns: 'id, makeid, vehicletypeid, tobeqced', rows: [['1', '5', '2', 'f']] },
    vspecschemapattern: { columns: 'id, schemaid', rows: [['1', '1']] },
    vehiclespecpattern: {
      columns: 'id, vspecschemapatternid, iskey, elementid, attributeid, createdon, updatedon',
      rows: [
        ['1', '1', 't', '5', '2', OLD, N],
        ['2', '1', 'f', '15', '4', OLD, N],
      ],
    },
    vehiclespecschema_model: { columns: 'id, vehiclespecschemaid, modelid', rows: [['1', '1', '50']] },
    vehiclespecschema_year: { columns: 'id, vehiclespecschemaid, year', rows: [['1', '1', '2012']] },
    defaultvalue: { columns: 'id, elementid, vehicletypeid, defaultvalue', rows: [['1', '14', '2', '3']] },
    vinexception: { columns: 'id, vin, checkdigit', rows: [['1', 'XYZAB1C20CA000009', 't']] },
    errorcode: {
      columns: 'id, name, weight',
      rows: [
        ['0', '0 - clean', N],
        ['1', '1 - check digit ', '-5'],
      ],
    },
    wmiyearvalidchars: { columns: 'id, wmi, year, position', rows: [['1', 'XYZ', '2012', '4']] },
    pattern: {
      columns: 'id, createdon, updatedon, vinschemaid, keys, elementid, attributeid',
      rows: [
        ['1', OLD, N, '40', 'A', '28', '50'],
        // The older of the two was updated later, so it wins.
        ['2', OLD, NEW, '40', '*B', '5', '2'],
        ['3', '2020-01-01 00:00:00', N, '40', '*B', '5', '1'],
        ['4', OLD, N, '40', '**[1-3]C2|*A', '18', 'tail 9'],
        ['5', OLD, N, '40', 'A', '11', '1984'],
        ['6', OLD, N, '40', 'A', '114', 'line one\\nline two'],
        ['7', OLD, N, '40', 'X', '96', '12'],
      ],
    },
  };
}

export function dumpOf(tables: Record<string, Table>): string {
  const blocks = Object.entries(tables).map(
    ([name, { columns, rows }]) =>
      `COPY vpic.${name} (${columns}) FROM stdin;\n${rows.map((row) => `${row.join('\t')}\n`).join('')}\\.\n`,
  );
  return `-- PostgreSQL database dump\n\nSET client_encoding = 'UTF8';\n\n${blocks.join('\n\n')}\n-- done\n`;
}
