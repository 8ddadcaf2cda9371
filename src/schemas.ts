import { z } from '@hono/zod-openapi';

/** The shapes we answer with. OpenAPI, the JSON schemas, the tool endpoint and the types all come from here. */

const text = z.string().nullable();

export const Vehicle = z.object({
  year: text,
  make: text,
  model: text,
  trim: text,
  bodyClass: text,
  driveType: text,
  doors: text,
  engine: z.object({ displacement: text, cylinders: text, fuel: text }),
  transmission: text,
  plant: text,
  manufacturer: text,
});

export const Paint = z.object({ color: z.string(), code: text });

export const WindowSticker = z.object({
  supported: z.boolean(),
  available: z.boolean().nullable(),
  bytes: z.int().nullable(),
  pdf: z.url().nullable(),
  page: z.url(),
  note: z.string().optional(),
  paint: Paint.optional(),
});

export const VinResponse = z.object({
  ok: z.literal(true),
  vin: z.string(),
  warning: text,
  vehicle: Vehicle.nullable(),
  windowSticker: WindowSticker,
});

export const Problem = z.object({
  type: z.url(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  ok: z.literal(false),
  reason: z.string(),
  vin: z.string().optional(),
});

export type Vehicle = z.infer<typeof Vehicle>;
export type VinResponse = z.infer<typeof VinResponse>;
export type Problem = z.infer<typeof Problem>;
