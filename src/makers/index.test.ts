import { readerOf, verifiedOn } from '@monroney/label/makers/index';
import { checkDigit } from '@monroney/vin';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { vpic } from '../../test/decoder.ts';
import { makeCount, pictureMakes, sources, viaDealersText } from './index.ts';
import { commonSource, hostsOf, originOf, sourceForMake, sourcesFor, urlFor } from './maker.ts';
import { withOverrides } from './overrides.ts';

const ids = (list: readonly { id: string }[]) => list.map(({ id }) => id);

test('each make is published by one source, and each source has an id of its own', () => {
  const makes = sources.flatMap((source) => source.makes);
  assert.equal(new Set(makes).size, makes.length);
  assert.equal(makes.length, makeCount);
  assert.equal(new Set(ids(sources)).size, sources.length);
});

test('every source is requested over HTTPS with the VIN in the URL, and tells people what to do', () => {
  for (const source of sources) {
    for (const template of source.urls) {
      const url = new URL(urlFor(template, source.example, 0));
      assert.equal(url.protocol, 'https:');
      assert.ok(url.href.includes(source.example), url.href);
      assert.ok(hostsOf(source).includes(url.host));
    }
    assert.ok(source.whenMissing.length > 60, source.id);
    assert.ok(source.noneHours.recent <= source.noneHours.older);
  }
});

test('the example of a source is a VIN of one of its makes, and no car has its serial number', () => {
  for (const { id, makes, example } of sources) {
    const madeUp = /90{4,5}$/.test(example) ? example : `${example.slice(0, -6)}900000`;
    const valid = madeUp.slice(0, 8) + checkDigit(madeUp)! + madeUp.slice(9);
    assert.equal(example, valid, `${id}: serial number or check digit`);
    assert.ok(
      makes.includes(vpic.decode(example).vehicle?.make ?? ''),
      `${id}: ${example} is another make's`,
    );
  }
});

test('makes whose stickers come through dealers are named, and so are pictures', () => {
  assert.equal(
    viaDealersText(),
    "The stickers of Hyundai are the manufacturer's own files, handed on by a dealer website platform. " +
      'The stickers of Toyota, Lexus, Nissan and Infiniti are copies from dealer websites. These could stop without notice.',
  );
  assert.equal(viaDealersText(sources.filter(({ kind }) => kind === 'original')), '');
  assert.deepEqual(pictureMakes, ['Nissan', 'Infiniti']);
});

test("dealerships' own websites are named as such, and only while they are asked", () => {
  assert.equal(
    originOf(sourceForMake('LEXUS', sources)!),
    "copies from two dealerships' own websites (www.royalsouthtoyota.com, www.toyotaofdowntownla.com) and a dealer website platform",
  );
  const moved = withOverrides({ toyota: { urls: ['https://www.royalsouthtoyota.com/{VIN}'] } });
  assert.equal(
    originOf(sourceForMake('TOYOTA', moved)!),
    "copies from a dealership's own website (www.royalsouthtoyota.com)",
  );
  assert.equal(
    originOf(sourceForMake('HYUNDAI', sources)!),
    "Hyundai's own files, handed on by a dealer website platform",
  );
  assert.equal(originOf(sourceForMake('BUICK', sources)!), 'General Motors');
  for (const { urls, dealerships = [] } of sources)
    for (const host of dealerships)
      assert.ok(
        urls.some((url) => new URL(url).host === host),
        host,
      );
});

test('no source gets a header that names another site', () => {
  for (const { id, headers = {} } of sources)
    assert.ok(!Object.keys(headers).some((name) => /^(?:referer|origin)$/i.test(name)), id);
});

test('real labels are counted by make: a Toyota proves nothing about a Lexus', () => {
  assert.ok(verifiedOn('Toyota') > 0);
  assert.equal(verifiedOn('LEXUS'), 0);
  assert.equal(verifiedOn('Honda'), 0);
});

test('the reader’s package and the sources agree on whose labels are pictures', () => {
  for (const { id, makes, picture } of sources)
    for (const make of makes) assert.equal(readerOf(make) === null, picture !== undefined, `${id}: ${make}`);
});

test('a make finds its source by vPIC’s name, and a make without labels finds none', () => {
  assert.equal(sourceForMake('LINCOLN', sources)?.id, 'ford');
  assert.equal(sourceForMake('ALFA ROMEO', sources)?.id, 'stellantis');
  assert.equal(sourceForMake('Lexus', sources)?.id, 'toyota');
  assert.equal(sourceForMake('HONDA', sources), null);
  assert.equal(sourceForMake(null, sources), null);
});

test('a VIN that begins with 5NM is requested from the decoded make first, then from its sister', () => {
  assert.deepEqual(ids(sourcesFor('5NMJECDE6TH000000', 'HYUNDAI', sources)), ['hyundai', 'genesis']);
  assert.deepEqual(ids(sourcesFor('5NMMCET14RH000000', 'GENESIS', sources)), ['genesis', 'hyundai']);
  assert.deepEqual(ids(sourcesFor('KM8R24GE4SU900000', 'HYUNDAI', sources)), ['hyundai']);
  assert.deepEqual(sourcesFor('5NMJECDE6TH000000', null, sources), []);
});

test('makes of one manufacturer share a source if it publishes several of them and no other publishes any', () => {
  assert.equal(commonSource(['NISSAN', 'INFINITI'], sources)?.id, 'nissan');
  assert.equal(commonSource(['FORD'], sources)?.id, 'ford');
  assert.equal(commonSource(['DODGE', 'VOLKSWAGEN', 'JEEP', 'LANCIA'], sources)?.id, 'stellantis');
  assert.equal(commonSource(['TOYOTA', 'LEXUS', 'SUBARU'], sources), null);
  assert.equal(commonSource(['TOYOTA', 'SUBARU'], sources), null);
  assert.equal(commonSource(['JEEP', 'VOLKSWAGEN'], sources), null);
  assert.equal(commonSource(['MAZDA', 'SUZUKI'], sources), null);
  assert.equal(commonSource([], sources), null);
});

test('an operator’s URLs replace a source’s own, and their hosts become the allowed ones', () => {
  const list = withOverrides({ toyota: { urls: ['https://labels.example/t/{VIN}'] } });
  const toyota = sourceForMake('TOYOTA', list)!;
  assert.deepEqual(hostsOf(toyota), ['labels.example']);
  assert.deepEqual(sourceForMake('FORD', list)?.urls, sourceForMake('FORD', sources)?.urls);
});

test('the URL of Genesis contains the date of the request', () => {
  const [template] = sourceForMake('GENESIS', sources)!.urls;
  const url = new URL(urlFor(template!, 'KMTGA4SC8PU900000', Date.UTC(2026, 10, 3, 23, 59)));
  assert.equal(url.searchParams.get('refreshToken'), '2026-11-03');
});

test('the stamp of an unofficial copy is recognized across line breaks', () => {
  const { notice } = sourceForMake('NISSAN', sources)!.picture!;
  const stamp = '**Not actual Monroney Label. Provided for\ninformational purposes only. Unofficial Copy**';
  assert.match(stamp, notice);
  assert.doesNotMatch('Unofficial Copy', notice);
});
