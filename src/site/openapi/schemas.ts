import { z } from 'zod';
import * as labelSchemas from '../../lookup/label-schemas.ts';
import * as schemas from '../../lookup/schemas.ts';
import { StatusReport } from '../status/report.ts';

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

/** The schemas with a name in `/openapi.json`. All others are inlined. */
const NAMED = {
  Vin: schemas.Vin,
  VinResponse: schemas.VinResponse,
  Vehicle: schemas.Vehicle,
  WindowSticker: schemas.WindowSticker,
  StickerReason: schemas.StickerReason,
  Paint: schemas.Paint,
  LabelResponse: labelSchemas.LabelResponse,
  Label: labelSchemas.Label,
  OptionLine: labelSchemas.OptionLine,
  PriceLine: labelSchemas.PriceLine,
  Box: labelSchemas.Box,
  Stars: labelSchemas.Stars,
  Proof: labelSchemas.Proof,
  Provenance: labelSchemas.Provenance,
  Problem: schemas.Problem,
  BatchRequest: schemas.BatchRequest,
  BatchResponse: schemas.BatchResponse,
  BatchResult: schemas.BatchResult,
  BatchDecoded: schemas.BatchDecoded,
  BatchFailed: schemas.BatchFailed,
  StatusReport,
};

/** Self-contained schema files, for clients that validate responses. */
const FILES = {
  '/schemas/vin-response.json': schemas.VinResponse,
  '/schemas/label.json': labelSchemas.LabelResponse,
  '/schemas/problem.json': schemas.Problem,
  '/schemas/status.json': StatusReport,
};

/** `components.schemas` of the OpenAPI document. */
export function componentSchemas(): JsonObject {
  const named = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(NAMED)) named.add(schema, { id });
  const generated = z.toJSONSchema(named, {
    ...OPTIONS,
    uri: (id) => `#/components/schemas/${id}`,
    override(context) {
      OPTIONS.override(context);
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

/** The schema files by path, in JSON Schema 2020-12. `$id` is the file's own URL. */
export function schemaFiles(baseUrl: string): Map<string, JsonObject> {
  return new Map(
    Object.entries(FILES).map(([path, schema]) => {
      const { $schema, ...rest } = asJson(z.toJSONSchema(schema, OPTIONS));
      return [path, { $schema: $schema!, $id: `${baseUrl}${path}`, ...rest }];
    }),
  );
}

const OPTIONS = {
  // Leaves out `additionalProperties: false`, because responses may gain fields.
  io: 'input' as const,
  override({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
    // Zod adds the bounds of safe integers, which are only noise.
    if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
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
