import { hash } from 'node:crypto';
import { isTemporary } from '@monroney/label/read-text';
import type { FastifyRequest } from 'fastify';
import { HELD_CACHE_CONTROL, labelResponse } from '../lookup/finding-response.ts';
import { LabelResponse } from '../lookup/schemas.ts';
import { PREVIEW_WIDTH, PREVIEW_WIDTHS } from '../pdf/pdf-workers.ts';
import type { HeldLabel } from '../store/store.ts';
import {
  CACHE_HEADERS,
  LABEL_FAILURES,
  LOOKUP_HEADERS,
  LOOKUP_PARAMETERS,
  type ApiRoute,
  type HttpContext,
} from './operation.ts';
import type { Answer } from './problems.ts';
import { conditionalJson, conditionalResponse } from './representation.ts';
import { parseParameter, parseVinSegment, vinSegment, type Parameter, type Parsed } from './request.ts';
import { asciiJson, digestOf, httpDate, IMMUTABLE, JSON_TYPE } from './response.ts';
import { isForOurPage } from './sites.ts';
import { heldLabel } from './vin.ts';

/** The routes of what we make of a label: its preview and its reading. */

/** The label and the one parameter of a request, or what is wrong. */
async function requestedLabel<T>(
  request: FastifyRequest,
  context: HttpContext,
  expected: Parameter<T>,
  client = request.client,
): Promise<Parsed<{ label: HeldLabel; parameter: T }>> {
  const vin = parseVinSegment(vinSegment(request), context.lookup);
  if (!vin.ok) return vin;
  const parameter = parseParameter(request.queryText, vin.value, expected);
  if (!parameter.ok) return parameter;
  const found = await heldLabel(request, vin.value, context, client);
  if ('reason' in found) return { ok: false, problem: found };
  return { ok: true, value: { label: found.label, parameter: parameter.value } };
}

const WIDTH: Parameter<number> = {
  name: 'width',
  values: Object.fromEntries(PREVIEW_WIDTHS.map((width) => [width, width])),
  absent: PREVIEW_WIDTH,
};

export const PREVIEW_ROUTE: ApiRoute = {
  template: '/api/sticker/{vin}/preview',
  operations: {
    get: {
      id: 'getPreview',
      tag: 'Sticker',
      summary: 'Get a picture of the window sticker',
      description:
        "The sticker's first page as a WebP picture. Sites that show many cars use `/window-sticker/{vin}/picture?width=…` instead, which counts as a page.",
      parameters: [...LOOKUP_PARAMETERS, 'Width'],
      responses: {
        200: {
          description: 'The picture.',
          headers: [...CACHE_HEADERS, ...LOOKUP_HEADERS, 'Last-Modified'],
          content: { 'image/webp': { schema: 'binary', example: 'RIFF…WEBPVP8 …' } },
        },
        ...LABEL_FAILURES,
      },
    },
  },
  handle: getPreview,
};

/** Whether it is a picture on a page of another site. Scripts of other sites use the API like everybody else. */
const isOnOtherSite = ({ headers, server }: FastifyRequest): boolean =>
  headers['sec-fetch-dest'] === 'image' && !isForOurPage(headers, server.baseUrl);

/** GET /api/sticker/{vin}/preview */
async function getPreview(request: FastifyRequest, context: HttpContext): Promise<Answer> {
  const client = isOnOtherSite(request) ? request.visitor : request.client;
  const requested = await requestedLabel(request, context, WIDTH, client);
  if (!requested.ok) return requested.problem;
  const { label, parameter: width } = requested.value;
  const { vin, fetched } = label;
  const headers = {
    ...context.headerSets.inert,
    etag: `"${label.sha256}-${width}"`,
    'cache-control': IMMUTABLE,
    'last-modified': httpDate(fetched),
    'x-robots-tag': 'noindex',
  };
  const conditional = conditionalResponse(request, headers, vin);
  if (conditional) return conditional;
  const webp = await context.lookup.preview(label, width, client);
  if (!webp) {
    const detail = "We couldn't render a preview of this sticker. The PDF is available.";
    return { reason: 'no-preview', detail, vin };
  }
  return {
    status: 200,
    headers: {
      ...headers,
      'content-type': 'image/webp',
      'content-length': String(webp.length),
      'content-digest': digestOf(hash('sha256', webp, 'hex')),
    },
    body: webp,
  };
}

const INCLUDE: Parameter<boolean> = { name: 'include', values: { text: true }, absent: false };

export const LABEL_ROUTE: ApiRoute = {
  template: '/api/v1/vin/{vin}/label',
  operations: {
    get: {
      id: 'getLabel',
      tag: 'Sticker',
      summary: 'Get the label: the window sticker as data',
      description:
        'What the sticker says: color, equipment, options and prices as printed, and whether they add up to the printed total. For a sticker that is a picture, the response is 200 with `readable` false.',
      parameters: [...LOOKUP_PARAMETERS, 'Include'],
      responses: {
        200: {
          description: 'The label.',
          headers: [...CACHE_HEADERS, ...LOOKUP_HEADERS],
          content: { [JSON_TYPE]: { schema: LabelResponse, examples: 'readings' } },
        },
        ...LABEL_FAILURES,
      },
    },
  },
  handle: getLabel,
};

/** GET /api/v1/vin/{vin}/label */
async function getLabel(request: FastifyRequest, context: HttpContext): Promise<Answer> {
  const requested = await requestedLabel(request, context, INCLUDE);
  if (!requested.ok) return requested.problem;
  const { label, parameter: withText } = requested.value;
  const reading = await context.lookup.reading(label);
  const lines = withText ? ((await context.lookup.lines(label)) ?? []) : null;
  const body = asciiJson(labelResponse(label, reading, lines));
  const control = isTemporary(reading) ? 'no-store' : HELD_CACHE_CONTROL;
  return conditionalJson(request, body, control, context.headerSets, { vin: label.vin });
}
