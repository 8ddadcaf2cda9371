import type { Json, JsonObject } from '../src/openapi/schemas.ts';

/** A part of the document with the way to it. */
export interface Place {
  way: string;
  value: JsonObject;
}

export function* objects(value: Json | undefined, way = ''): Generator<Place> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield { way, value };
  for (const [key, child] of Object.entries(value)) yield* objects(child, `${way}/${key}`);
}

export function object(value: Json | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}

export function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

export interface Operation extends Place {
  path: string;
  method: string;
  responses: [string, JsonObject][];
  parameters: JsonObject[];
}

export function operations(document: JsonObject): Operation[] {
  return Object.entries(object(document.paths)).flatMap(([path, methods]) =>
    Object.entries(object(methods)).map(([method, operation]) => {
      const value = object(operation);
      return {
        way: `${method.toUpperCase()} ${path}`,
        path,
        method,
        value,
        responses: Object.entries(object(value.responses)).map(([status, response]) => [
          status,
          follow(document, response),
        ]),
        parameters: ((value.parameters ?? []) as Json[]).map((each) => follow(document, each)),
      };
    }),
  );
}

/** The thing itself where a reference stands; nothing where the reference leads nowhere. */
export function follow(document: JsonObject, value: Json | undefined): JsonObject {
  const given = object(value);
  if (typeof given.$ref !== 'string') return given;
  let found: Json | undefined = document;
  for (const key of given.$ref.slice(2).split('/')) found = object(found)[key];
  return object(found);
}

/** Named schemas and everything within them. */
export function* schemaPlaces(document: JsonObject): Generator<Place> {
  yield* objects(object(document.components).schemas, '/components/schemas');
}
