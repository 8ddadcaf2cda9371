import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageOf, type Run } from '../../../../test/label-page.ts';
import { linesOf, plainText } from './lines.ts';
import { partsInLines, partsOf, endsInCountry, isCountry } from './parts-content.ts';
import { phrasesOf } from './phrases.ts';

const read = (...runs: Run[]): object => {
  const { parts, assembly } = partsOf(phrasesOf(pageOf(...runs).pages[0]!));
  return { ...parts, assembly };
};

test('values in the row of their words or under it, beside another box', () => {
  const box: Run[] = [
    [901, 432, 'PARTS CONTENT INFORMATION', 13],
    [872, 462, 'FOR VEHICLES IN THIS CARLINE:', 12],
    [879, 476, 'U.S./CANADIAN PARTS CONTENT: 39%', 12],
    [879, 490, 'MAJOR SOURCES OF FOREIGN PARTS', 12],
    [879, 504, 'CONTENT: MEXICO 20%', 12],
    [931, 518, 'CHINA 16%', 12],
    [879, 532, 'NOTE: PARTS CONTENT DOES NOT INCLUDE FINAL', 9],
    [879, 544, 'ASSEMBLY, DISTRIBUTION, OR OTHER NON-PARTS COSTS.', 9],
    [872, 564, 'FOR THIS VEHICLE:', 12],
    [879, 577, 'FINAL ASSEMBLY POINT:', 12],
    [879, 591, 'LANSING, MI', 12],
    [962, 591, 'U.S.A.', 12],
    [879, 606, 'COUNTRY OF ORIGIN:', 12],
    [888, 620, 'ENGINE: UNITED STATES', 12],
    [888, 635, 'TRANSMISSION: UNITED STATES', 12],
    [1096, 620, 'standard of 2.5 miles', 8],
    [700, 606, 'Rollover', 12],
  ];
  const wanted = {
    usCanadian: 39,
    foreign: [
      { country: 'MEXICO', percent: 20 },
      { country: 'CHINA', percent: 16 },
    ],
    engine: 'UNITED STATES',
    transmission: 'UNITED STATES',
    assembly: 'LANSING, MI U.S.A.',
  };
  assert.deepEqual(read(...box), wanted);
  assert.deepEqual(read(...box.toReversed()), wanted);
});

test('words over three lines, values far to the right and one line lower', () => {
  assert.deepEqual(
    read(
      [1048, 497, 'FOR VEHICLES IN THIS CAR', 11],
      [1068, 508, 'LINE U.S./CANADIAN', 11],
      [1061, 519, 'PARTS CONTENT: 60 %', 11],
      [1041, 544, 'MAJOR SOURCES OF', 11],
      [1076, 555, 'FOREIGN PARTS:', 11],
      [1132, 566, 'KOREA: 30%', 11],
      [1041, 596, 'NOTE: PARTS CONTENT DOES', 9.5],
      [1041, 646, 'FOR THIS VEHICLE', 11],
      [1055, 657, 'FINAL ASSEMBLY POINT:', 11],
      [1080, 674, 'WEST POINT, GA, USA', 11],
      [1041, 695, 'COUNTRY OF ORIGIN', 11],
      [1051, 709, 'ENGINE:', 11],
      [1161, 720, 'KOREA', 11],
      [1051, 732, 'TRANSMISSION:', 11],
      [1178, 742, 'USA', 11],
    ),
    {
      usCanadian: 60,
      foreign: [{ country: 'KOREA', percent: 30 }],
      engine: 'KOREA',
      transmission: 'USA',
      assembly: 'WEST POINT, GA, USA',
    },
  );
});

test('words and values in two columns', () => {
  assert.deepEqual(
    read(
      [846, 602, 'U.S./CANADIAN PARTS CONTENT:', 12],
      [752, 614, 'MAJOR SOURCES OF FOREIGN PARTS CONTENT:', 12],
      [1002, 602, '1 %', 12],
      [1002, 614, 'KOREA: 90 %', 12],
      [811, 661, 'FINAL ASSEMBLY POINT:', 12],
      [830, 673, 'COUNTRY OF ORIGIN:', 12],
      [909, 685, 'ENGINE:', 12],
      [864, 697, 'TRANSMISSION:', 12],
      [965, 661, 'ULSAN, KOREA', 12],
      [965, 685, 'KOREA', 12],
      [965, 697, 'KOREA', 12],
    ),
    {
      usCanadian: 1,
      foreign: [{ country: 'KOREA', percent: 90 }],
      engine: 'KOREA',
      transmission: 'KOREA',
      assembly: 'ULSAN, KOREA',
    },
  );
});

test('text without positions: two facts may share a line, and an engine number is no country', () => {
  const of = (...lines: string[]) => partsInLines(linesOf(plainText(lines.join('\n'))));
  const { parts, assembly } = of(
    'FOR VEHICLES IN THIS CARLINE: U.S./CANADIAN PARTS CONTENT: 3 %',
    'MAJOR SOURCES OF FOREIGN PARTS CONTENT: KOREA: 80 %',
    'FOR THIS VEHICLE: FINAL ASSEMBLY POINT: ULSAN, KOREA',
    'COUNTRY OF ORIGIN:',
    'ENGINE: KOREA TRANSMISSION: KOREA',
  );
  assert.deepEqual(
    { ...parts, assembly },
    {
      usCanadian: 3,
      foreign: [{ country: 'KOREA', percent: 80 }],
      engine: 'KOREA',
      transmission: 'KOREA',
      assembly: 'ULSAN, KOREA',
    },
  );
  assert.equal(of('ENGINE:', 'G4KRNA262929').parts, null);
  assert.equal(of('U.S./CANADIAN PARTS CONTENT: 9%', 'ENGINE: G4KRNA262929').parts?.engine, null);
});

test('the place of assembly is read in French too', () => {
  for (const words of ["POINT D'ASSEMBLAGE FINAL :", 'LIEU D’ASSEMBLAGE FINAL :']) {
    const { assembly } = partsOf(
      phrasesOf(pageOf([879, 577, words, 12], [879, 591, 'WINDSOR (ONTARIO) CANADA', 12]).pages[0]!),
    );
    assert.equal(assembly, 'WINDSOR (ONTARIO) CANADA', words);
  }
});

test('of two values for one name, and of words that name no country, nothing is taken', () => {
  const box = (...more: Run[]) =>
    read(
      [879, 476, 'U.S./CANADIAN PARTS CONTENT: 39%', 12],
      [879, 490, 'MAJOR SOURCES OF FOREIGN PARTS', 12],
      [879, 504, 'CONTENT: MEXICO 20%', 12],
      [879, 577, 'FINAL ASSEMBLY POINT:', 12],
      [879, 591, 'LANSING, MI U.S.A.', 12],
      [879, 606, 'COUNTRY OF ORIGIN:', 12],
      [888, 620, 'ENGINE: UNITED STATES', 12],
      [888, 635, 'TRANSMISSION: MEXICO', 12],
      ...more,
    );
  const whole = {
    usCanadian: 39,
    foreign: [{ country: 'MEXICO', percent: 20 }],
    engine: 'UNITED STATES',
    transmission: 'MEXICO',
    assembly: 'LANSING, MI U.S.A.',
  };
  assert.deepEqual(box(), whole);
  assert.deepEqual(box([1010, 577, 'TOLUCA, MEXICO', 12]), { ...whole, assembly: null });
  assert.deepEqual(box([1000, 591, 'DEMO', 12]), { ...whole, assembly: null });
  assert.deepEqual(box([1010, 620, '7', 12]), { ...whole, engine: null });
  assert.deepEqual(box([1010, 635, 'FLEET', 12]), { ...whole, transmission: null });
  assert.deepEqual(box([888, 512, 'FLEET SPECIAL 5%', 12]), { ...whole, foreign: [] });
});

test('an electric car names its motor and drive unit in brackets, on one row or two', () => {
  const box = (...origins: Run[]) =>
    read(
      [879, 476, 'U.S./CANADIAN PARTS CONTENT: 62%', 12],
      [879, 490, 'MAJOR SOURCES OF FOREIGN PARTS', 12],
      [879, 504, 'CONTENT: CHINA 18%', 12],
      [872, 564, 'FOR THIS VEHICLE:', 12],
      [879, 577, 'FINAL ASSEMBLY POINT:', 12],
      [879, 591, 'SPRING HILL, TN U.S.A.', 12],
      [879, 606, 'COUNTRY OF ORIGIN:', 12],
      ...origins,
    );
  const wanted = {
    usCanadian: 62,
    foreign: [{ country: 'CHINA', percent: 18 }],
    engine: 'CHINA',
    transmission: 'MEXICO',
    assembly: 'SPRING HILL, TN U.S.A.',
  };
  assert.deepEqual(
    box(
      [888, 620, 'ENGINE (MOTOR): CHINA', 12],
      [888, 635, 'TRANSMISSION (ELECTRIC', 12],
      [888, 649, 'DRIVE UNIT): MEXICO', 12],
    ),
    wanted,
  );
  assert.deepEqual(
    box(
      [888, 620, 'ENGINE (ELECTRIC MOTOR): CHINA', 12],
      [888, 635, 'TRANSMISSION (DRIVE UNIT): MEXICO', 12],
    ),
    wanted,
  );
  assert.deepEqual(
    box([888, 620, 'ENGINE PARTS: CHINA', 12], [888, 635, 'TRANSMISSION PARTS: MEXICO', 12]),
    wanted,
  );
});

test('a bracket that nothing closes is no origin', () => {
  const { transmission } = partsInLines(
    linesOf(plainText('U.S./CANADIAN PARTS CONTENT: 62%\nENGINE: CHINA\nTRANSMISSION (ELECTRIC\nMEXICO')),
  ).parts!;
  assert.equal(transmission, null);
});

test('countries as labels print them', () => {
  for (const name of [
    'UNITED STATES',
    'U.S.A.',
    'USA',
    'MX',
    'KOREA',
    'South Korea',
    'Czech Republic',
    'ÉTATS-UNIS',
    'ETATS UNIS',
    'Mexique',
    'JAPAN/UNITED STATES',
    'Canada and Mexico',
    'Bosnia & Herzegovina',
  ])
    assert.ok(isCountry(name), name);
  for (const name of ['', 'FLEET SPECIAL', 'UNITED STATES 7', 'KOREA HOUSTON, TX', 'N/A', '0123456'])
    assert.ok(!isCountry(name), name);
});

test('a place is a town and its country', () => {
  for (const place of [
    'LANSING, MI U.S.A.',
    'ULSAN, KOREA',
    'STERLING HTS, MICH., U.S.A.',
    'Oshawa, ON Canada',
  ])
    assert.ok(endsInCountry(place), place);
  for (const place of ['U.S.A.', 'FLEET SPECIAL', 'HOUSTON, TX', 'ULSAN, KOREA DEMO', 'ULSAN, KOREA 7'])
    assert.ok(!endsInCountry(place), place);
});
