import { z } from 'zod';
import * as schemas from '../../lookup/schemas.ts';
import * as labelSchemas from '@monroney/label/reading/label-schemas';
import { CoveredMake, MakesResponse, SourceStatus, StatusReport } from '../status/report.ts';
import { PREVIEW_WIDTH, PREVIEW_WIDTHS } from '../../pdf/pdf-workers.ts';
import { DOCUMENT_SCHEMAS } from '../../http/service-routes.ts';
import { limitField, policyField, type Policy } from '../../http/limit.ts';
import type { JsonObject } from '../../http/operation.ts';
import { Problem } from '../../http/problems.ts';
import { API_ROUTES } from '../../http/routes.ts';
import { VPIC_SCHEMAS, VpicBatchForm } from '../../http/vpic-schemas.ts';

/** The shared components of the OpenAPI document, and references to them. */

/** The schemas with a name in `/openapi.json`. All others are inlined. */
const NAMED_SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  Vin: schemas.Vin,
  VinResponse: schemas.VinResponse,
  Vehicle: schemas.Vehicle,
  WindowSticker: schemas.WindowSticker,
  StickerReason: schemas.StickerReason,
  Paint: labelSchemas.Paint,
  Price: schemas.Price,
  LabelResponse: schemas.LabelResponse,
  Label: labelSchemas.Label,
  OptionLine: labelSchemas.OptionLine,
  PriceLine: labelSchemas.PriceLine,
  Dealer: labelSchemas.Dealer,
  Box: labelSchemas.Box,
  Stars: labelSchemas.Stars,
  Proof: labelSchemas.Proof,
  Provenance: schemas.Provenance,
  Problem,
  BatchRequest: schemas.BatchRequest,
  BatchResponse: schemas.BatchResponse,
  BatchResult: schemas.BatchResult,
  CoveredMake,
  MakesResponse,
  SourceStatus,
  StatusReport,
  ...DOCUMENT_SCHEMAS,
  ...VPIC_SCHEMAS,
  VpicBatchForm,
  ...Object.fromEntries(API_ROUTES.flatMap(({ schemas: own = {} }) => Object.entries(own))),
};

/** A reference to a schema with a name. */
export function schemaReference(schema: z.ZodType): JsonObject {
  const name = Object.entries(NAMED_SCHEMAS).find(([, named]) => named === schema)?.[0];
  if (!name) throw new Error('A schema of an operation has no name.');
  return { $ref: `#/components/schemas/${name}` };
}

/** Self-contained schema files by path, for clients that validate responses. */
export const SCHEMA_FILES = {
  '/schemas/vin-response.json': schemas.VinResponse,
  '/schemas/label.json': schemas.LabelResponse,
  '/schemas/problem.json': Problem,
  '/schemas/status.json': StatusReport,
};

/** `components.schemas` of the OpenAPI document. */
export function componentSchemas(): JsonObject {
  const named = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(NAMED_SCHEMAS)) named.add(schema, { id });
  const generated = z.toJSONSchema(named, {
    ...SCHEMA_OPTIONS,
    uri: (id) => `#/components/schemas/${id}`,
    override(context) {
      const { type, maximum = Infinity } = context.jsonSchema;
      // For generators. Validators of plain JSON Schema don't know these formats.
      if (type === 'integer') context.jsonSchema.format = maximum <= MAX_INT32 ? 'int32' : 'int64';
      SCHEMA_OPTIONS.override(context);
      // The Java and Kotlin generators make an enum of a boolean with one value, and it doesn't compile.
      if (typeof context.jsonSchema.const === 'boolean') delete context.jsonSchema.const;
    },
  });
  return Object.fromEntries(
    Object.entries(generated.schemas).map(([id, schema]) => {
      const { $schema: _, $id: __, ...rest } = asJson(schema);
      // Code generators name classes after titles.
      return [id, { ...rest, title: id }];
    }),
  );
}

/** In JSON Schema 2020-12. `$id` is the file's own URL. */
export function schemaFile($id: string, schema: z.ZodType): JsonObject {
  const { $schema, ...rest } = asJson(z.toJSONSchema(schema, SCHEMA_OPTIONS));
  return { $schema: $schema!, $id, ...rest };
}

const MAX_INT32 = 2 ** 31 - 1;

const SCHEMA_OPTIONS = {
  // Leaves out `additionalProperties: false`, because responses may gain fields.
  io: 'input' as const,
  override({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
    // Zod adds the bounds of the type, which are only noise.
    if ((jsonSchema.minimum ?? 0) <= -MAX_INT32) delete jsonSchema.minimum;
    if ((jsonSchema.maximum ?? 0) >= MAX_INT32) delete jsonSchema.maximum;
    // `anyOf: [string, null]` becomes `type: ['string', 'null']`.
    const [value, alternative] = jsonSchema.anyOf ?? [];
    if (typeof value !== 'object' || typeof alternative !== 'object' || alternative.type !== 'null') return;
    if (typeof value.type !== 'string' || value.enum || value.properties) return;
    const { type, ...rest } = value;
    delete jsonSchema.anyOf;
    Object.assign(jsonSchema, { type: [type, 'null'], ...rest, ...jsonSchema });
  },
};

function asJson(schema: unknown): JsonObject {
  return JSON.parse(JSON.stringify(schema)) as JsonObject;
}

const parameter = (
  name: string,
  location: 'query' | 'header',
  description: string,
  schema: JsonObject,
  example: string | number | boolean,
): JsonObject => ({ name, in: location, required: false, description, schema, example });

/** Parameters that several operations share. */
export function componentParameters(vin: string): JsonObject {
  const text: JsonObject = { type: 'string' };
  return {
    VinInPath: {
      name: 'vin',
      in: 'path',
      required: true,
      description:
        'The VIN: 17 characters without I, O and Q. Lower case is accepted; responses use upper case.',
      schema: { type: 'string', pattern: '^[A-HJ-NPR-Za-hj-npr-z0-9]{17}$', minLength: 17, maxLength: 17 },
      example: vin,
    },
    Sticker: parameter(
      'sticker',
      'query',
      'True, false, 1 or 0, case-insensitive. With false (or 0) no manufacturer is contacted: you get the decode immediately, and the window sticker as far as we know it already.',
      { type: 'boolean', default: true },
      false,
    ),
    Download: parameter(
      'download',
      'query',
      'With true or 1 the PDF is sent as an attachment. Other values are ignored.',
      text,
      'true',
    ),
    Include: parameter(
      'include',
      'query',
      "With text the response includes the lines of the sticker's pages, in reading order.",
      { type: 'string', enum: ['text'] },
      'text',
    ),
    Width: parameter(
      'width',
      'query',
      'Width of the image in pixels.',
      { type: 'integer', format: 'int32', enum: [...PREVIEW_WIDTHS], default: PREVIEW_WIDTH },
      640,
    ),
    Contact: parameter(
      'contact',
      'query',
      "Who you are (optional): one domain or one e-mail address of at most 254 characters. Anything else is ignored. For clients that can't set headers.",
      text,
      'dealer.example',
    ),
    XContact: parameter(
      'X-Contact',
      'header',
      'The same as the contact parameter, and takes precedence over it.',
      text,
      'dealer.example',
    ),
    Prefer: parameter(
      'Prefer',
      'header',
      'With `wait=N` (RFC 7240; 0 to 20 seconds) you get a response within N seconds: a lookup with the reason `still-asking`, or 503 `still-asking` for everything else. The fetch continues in the background. Other preferences are ignored.',
      text,
      'wait=5',
    ),
    IfNoneMatch: parameter(
      'If-None-Match',
      'header',
      'ETags of your copies; 304 if one is still current.',
      text,
      '"0f3a"',
    ),
    IfModifiedSince: parameter(
      'If-Modified-Since',
      'header',
      'Last-Modified of your copy; used only without If-None-Match.',
      text,
      'Sun, 15 Nov 2026 00:00:00 GMT',
    ),
    Range: parameter(
      'Range',
      'header',
      'One byte range. If you send several, you get the complete file.',
      text,
      'bytes=0-65535',
    ),
    IfRange: parameter('If-Range', 'header', 'ETag or date that the range must match.', text, '"0f3a"'),
  };
}

const header = (description: string, example: string | number): JsonObject => ({
  description,
  schema: typeof example === 'number' ? { type: 'integer', format: 'int32' } : { type: 'string' },
  example,
});

/** What is left of the limit. Without one they are described, for clients made from this document, and never sent. */
function limitHeaders(limit: Policy | null): JsonObject {
  if (!limit) {
    const absent = { description: 'Absent: limits are off.', schema: { type: 'string' } };
    return { RateLimit: absent, 'RateLimit-Policy': absent };
  }
  const { requests, seconds } = limit;
  const first = { allowed: true, remaining: requests - 1, waitMs: seconds * 1000 };
  return {
    RateLimit: header('Requests left, and seconds until there is one more.', limitField(first)),
    'RateLimit-Policy': header('The limit: requests and seconds.', policyField(limit)),
  };
}

/** Response headers. */
export function componentHeaders(limit: Policy | null): JsonObject {
  return {
    ...limitHeaders(limit),
    'Retry-After': header('Seconds to wait.', 10),
    'Content-Location': header(
      'The canonical URL, if the VIN was sent in lower case.',
      'https://example.org/api/v1/vin/1FMUK8DH0TG000000',
    ),
    'Preference-Applied': header('The preference that was applied (RFC 7240).', 'wait=5'),
    ETag: header('Strong ETag of this response.', '"0f3a"'),
    'Cache-Control': header(
      'How long the response may be cached; depends on the outcome.',
      'public, max-age=86400',
    ),
    'Last-Modified': header('When we got the sticker.', 'Sun, 15 Nov 2026 00:00:00 GMT'),
    'Accept-Ranges': header('Byte ranges are supported.', 'bytes'),
    'Content-Range': header('Which bytes these are, and the total size.', 'bytes 0-65535/310482'),
    'Content-Disposition': header(
      'Inline or attachment, with a file name.',
      'inline; filename="window-sticker-1FMUK8DH0TG000000.pdf"',
    ),
    'Content-Digest': header(
      'SHA-256 of this body (RFC 9530).',
      'sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:',
    ),
    'Repr-Digest': header(
      'SHA-256 of the complete PDF (RFC 9530), also for a range.',
      'sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:',
    ),
    Link: header('The API catalog (RFC 9727).', '</.well-known/api-catalog>; rel="api-catalog"'),
    'X-Request-Id': header(
      'Identifies this request in our log. Include it if you report a problem.',
      'k3f9a1-2b',
    ),
    Deprecation: header("Since when this route is deprecated (RFC 9745); absent if it isn't.", '@1794700800'),
    Sunset: header(
      "When this route will be removed (RFC 8594); absent if it won't.",
      'Sun, 15 Nov 2026 00:00:00 GMT',
    ),
  };
}
