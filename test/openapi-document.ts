/** The parts of `/openapi.json` that tests use. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  description?: string;
  [more: string]: unknown;
}

export interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema?: Schema;
  example?: unknown;
}

export interface Media {
  schema?: Schema;
  example?: unknown;
  examples?: Record<string, { summary?: string; value?: unknown; externalValue?: string }>;
}

export interface ApiResponse {
  description?: string;
  headers?: Record<string, unknown>;
  content?: Record<string, Media>;
}

export interface Operation {
  operationId?: string;
  tags?: string[];
  summary?: string;
  description?: string;
  parameters?: unknown[];
  responses?: Record<string, unknown>;
}

export interface OpenApi {
  openapi?: string;
  jsonSchemaDialect?: string;
  info?: Record<string, unknown>;
  servers?: { url?: string; description?: string }[];
  externalDocs?: { url?: string };
  security?: unknown[];
  tags?: { name: string; description?: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, Record<string, unknown>>;
}

export interface OperationEntry {
  /** `GET /api/v1/vin/{vin}` */
  where: string;
  path: string;
  method: string;
  operation: Operation;
}

export function operations({ paths }: OpenApi): OperationEntry[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      where: `${method.toUpperCase()} ${path}`,
      path,
      method,
      operation,
    })),
  );
}

/** The target of a reference; undefined if there is none. */
export function target(document: OpenApi, ref: string): unknown {
  return ref
    .replace(/^#\//, '')
    .split('/')
    .reduce<unknown>((node, name) => (node as Record<string, unknown> | undefined)?.[name], document);
}

/** Resolves a value that may be a reference. */
export function resolved<T>(document: OpenApi, value: unknown): T {
  const { $ref } = value as { $ref?: string };
  return ($ref ? target(document, $ref) : value) as T;
}

export interface ResponseEntry extends OperationEntry {
  status: string;
  response: ApiResponse;
}

export function responses(document: OpenApi): ResponseEntry[] {
  return operations(document).flatMap((at) =>
    Object.entries(at.operation.responses ?? {}).map(([status, response]) => ({
      ...at,
      where: `${at.where} ${status}`,
      status,
      response: resolved<ApiResponse>(document, response),
    })),
  );
}

export function parametersOf(document: OpenApi, { operation }: OperationEntry): Parameter[] {
  return (operation.parameters ?? []).map((parameter) => resolved<Parameter>(document, parameter));
}
