import type { JsonObject } from './schemas.ts';
import { PREVIEW_WIDTH, PREVIEW_WIDTHS } from '../../pdf/pdf-workers.ts';
import { LIMIT, policyField } from '../../http/limit.ts';

const parameter = (
  name: string,
  place: 'query' | 'header',
  description: string,
  schema: JsonObject,
  example: string | number | boolean,
): JsonObject => ({ name, in: place, required: false, description, schema, example });

/** Parameters that several operations share. */
export function componentParameters(vin: string): JsonObject {
  const text: JsonObject = { type: 'string' };
  return {
    VinInPath: {
      name: 'vin',
      in: 'path',
      required: true,
      description:
        'The VIN: 17 characters without I, O and Q. Lower case is accepted and answered in upper case.',
      schema: { type: 'string', pattern: '^[A-HJ-NPR-Za-hj-npr-z0-9]{17}$', minLength: 17, maxLength: 17 },
      example: vin,
    },
    Sticker: parameter(
      'sticker',
      'query',
      'True, false, 1 or 0, in any case. With false (or 0) no manufacturer is asked: the decode comes at once, and the label only if we hold it already.',
      { type: 'boolean', default: true },
      false,
    ),
    Download: parameter(
      'download',
      'query',
      'With 1 the PDF comes as an attachment, to be saved.',
      text,
      '1',
    ),
    Include: parameter(
      'include',
      'query',
      "With text the lines of the label's pages come along, in reading order.",
      { type: 'string', enum: ['text'] },
      'text',
    ),
    Width: parameter(
      'width',
      'query',
      'Width of the picture in pixels.',
      { type: 'integer', enum: [...PREVIEW_WIDTHS], default: PREVIEW_WIDTH },
      640,
    ),
    Contact: parameter(
      'contact',
      'query',
      'Who you are, if you like: one domain or one e-mail address of at most 254 characters. Anything else is ignored. For callers that cannot set headers.',
      text,
      'dealer.example',
    ),
    XContact: parameter(
      'X-Contact',
      'header',
      'The same as the contact parameter; the header wins.',
      text,
      'dealer.example',
    ),
    Prefer: parameter(
      'Prefer',
      'header',
      'With `wait=N` (RFC 7240; 0 to 20 seconds) the answer comes after N seconds at the latest, with what is known by then: a lookup with the reason `still-asking`, everything else with 503 `still-asking`. The fetch goes on. Any other preference is ignored.',
      text,
      'wait=5',
    ),
    IfNoneMatch: parameter(
      'If-None-Match',
      'header',
      'ETags that you have: 304 when one is still right.',
      text,
      '"0f3a"',
    ),
    IfModifiedSince: parameter(
      'If-Modified-Since',
      'header',
      'Last-Modified of what you have; counts only without If-None-Match.',
      text,
      'Sun, 15 Nov 2026 00:00:00 GMT',
    ),
    Range: parameter(
      'Range',
      'header',
      'One range of bytes; several are answered with the whole.',
      text,
      'bytes=0-65535',
    ),
    IfRange: parameter('If-Range', 'header', 'ETag or date that the range must belong to.', text, '"0f3a"'),
  };
}

const header = (description: string, example: string | number): JsonObject => ({
  description,
  schema: { type: typeof example === 'number' ? 'integer' : 'string' },
  example,
});

/** Headers of answers. */
export function componentHeaders(): JsonObject {
  return {
    RateLimit: header('What is left of the limit, and seconds until more comes.', '"default";r=9;t=10'),
    'RateLimit-Policy': header('The limit: requests and seconds.', policyField(LIMIT)),
    'Retry-After': header('Seconds to wait.', 10),
    'Content-Location': header(
      'The canonical URL, where the VIN was sent in lower case.',
      'https://example.org/api/v1/vin/1FMUK8DH0TG000000',
    ),
    'Preference-Applied': header('The preference that was honoured (RFC 7240).', 'wait=5'),
    ETag: header('Strong tag of this answer.', '"0f3a"'),
    'Cache-Control': header('How long the answer may be kept; differs by outcome.', 'public, max-age=86400'),
    'Last-Modified': header('When we got the label.', 'Sun, 15 Nov 2026 00:00:00 GMT'),
    'Accept-Ranges': header('Ranges of bytes can be asked for.', 'bytes'),
    'Content-Range': header('Which bytes these are, and how many there are.', 'bytes 0-65535/310482'),
    'Content-Disposition': header(
      'Inline or attachment, with a file name.',
      'inline; filename="window-sticker-1FMUK8DH0TG000000.pdf"',
    ),
    'Content-Digest': header(
      'SHA-256 of this body (RFC 9530).',
      'sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:',
    ),
    'Repr-Digest': header(
      'SHA-256 of the whole label (RFC 9530), also on a part of it.',
      'sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:',
    ),
    Link: header('The API catalogue (RFC 9727).', '</.well-known/api-catalog>; rel="api-catalog"'),
    'X-Request-Id': header('Name of this request in our log; tell it when something is wrong.', 'k3f9a1-2b'),
    Deprecation: header(
      'Since when this route is deprecated (RFC 9745); absent while it is not.',
      '@1794700800',
    ),
    Sunset: header('When it goes away (RFC 8594); absent while it stays.', 'Sun, 15 Nov 2026 00:00:00 GMT'),
  };
}
