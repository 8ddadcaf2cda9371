import assert from 'node:assert/strict';
import test from 'node:test';
import { mailbox, parseContact } from './contact-store.ts';

test('a domain or an e-mail address is a contact, in lower case', () => {
  assert.equal(parseContact('Example.org'), 'example.org');
  assert.equal(parseContact(' Dev@Cars.Example.org '), 'dev@cars.example.org');
  assert.equal(parseContact('o.brien+vin@example.co.uk'), 'o.brien+vin@example.co.uk');
  assert.equal(parseContact('xn--bcher-kva.example'), 'xn--bcher-kva.example');
  assert.equal(
    parseContact(`${'a'.repeat(64)}@${'b'.repeat(63)}.org`),
    `${'a'.repeat(64)}@${'b'.repeat(63)}.org`,
  );
});

test('anything else is not a contact', () => {
  const bad = [
    '', ' ', 'example', 'a@b', '@example.org', 'a@@example.org', 'a@example.org,b@example.org', 'a@example.org b@example.org',
    'a@b.c\r\nBcc: d@e.fg', 'a@example.org\nX: y', 'a@example.org\0', 'https://example.org', 'example.org/path', 'a..b@example.org',
    '.a@example.org', 'a@-example.org', 'a@example-.org', 'exa\u202emple.org', 'ex\u0430mple.org', 'a@example.org; drop table contact',
    "'; drop table contact; --", '127.0.0.1', 'a@127.0.0.1', `${'a'.repeat(65)}@example.org`, `${'a.'.repeat(130)}org`, 'x'.repeat(10_240),
    // Lower-casing turns the Kelvin sign into a k, and trimming removes more than spaces.
    '\u212aia.com', 'dev@\u212aia.com', 'a@example.org\r\n', '\na@example.org', '\u00a0example.org', '\ufeffexample.org',
    'ｅxample.org', 'a@exa\u200bmple.org', 'a@example。org', 'a@example.org\u2028', '"a b"@example.org', 'a@[192.0.2.1]', 'A <a@example.org>',
    'mailto:a@example.org', 'a@example.org?bcc=b@example.org', 'a%0d%0a@example.org\r', `a@${'b'.repeat(64)}.org`, 'a@example..org', 'a@example.org.',
  ]; // prettier-ignore
  for (const text of bad) assert.equal(parseContact(text), null, JSON.stringify(text.slice(0, 60)));
  assert.equal(parseContact(null), null);
});

test('a notice to a domain goes to its webmaster', () => {
  assert.equal(mailbox('example.org'), 'webmaster@example.org');
  assert.equal(mailbox('dev@example.org'), 'dev@example.org');
});
