import { labelOf, pictureOf } from './labels.ts';
import { repliesOf } from './maker-replies.ts';
import { page, pdf, plainLabel, type SourceRequest, type Reply } from './reply.ts';

/** A label as its source sends it. */
export function label({ source, host, vin }: SourceRequest): Reply {
  return (repliesOf(source).label ?? pdf)(labelOf(source, host, vin));
}

/** The "none" response of each source. */
export const none = (request: SourceRequest): Reply => repliesOf(request.source).none(request);

/** The second "none" response of some sources; the usual one for others. */
export function otherNone(request: SourceRequest): Reply {
  const replies = repliesOf(request.source);
  return (replies.otherNone ?? replies.none)(request);
}

export const empty = (): Reply => pdf(Buffer.alloc(0));

/** The label of another car of the same make, with the next serial number. */
export function otherCar(request: SourceRequest): Reply {
  const serial = (Number(request.vin.slice(-4)) + 1) % 10_000;
  return label({ ...request, vin: request.vin.slice(0, -4) + String(serial).padStart(4, '0') });
}

/** A truncated PDF whose Content-Length matches. */
export const truncated = (request: SourceRequest): Reply => {
  const drawn = labelOf(request.source, request.host, request.vin);
  return pdf(drawn.subarray(0, Math.floor(drawn.length * 0.6)));
};

/** A label without the end of its cross-reference table. */
export const missingEnd = (request: SourceRequest): Reply =>
  pdf(labelOf(request.source, request.host, request.vin).subarray(0, -20));

export const otherLayout = ({ vin }: SourceRequest): Reply =>
  pdf(plainLabel(['Your new car', `VIN ${vin}`, 'Everything for one price']));

export const smallPicture = (): Reply => pdf(pictureOf(100));

/** The CDN's block page, with its URL in HTML entities and its cookie, like the real one. */
export const accessDenied = (status: number): Reply => ({
  status,
  type: 'text/html',
  headers: { 'Set-Cookie': 'edge=0123456789; Path=/; HttpOnly' },
  body: '<HTML><HEAD>\n<TITLE>Access Denied</TITLE>\n</HEAD><BODY>\n<H1>Access Denied</H1>\nNo permission.<P>https&#58;&#47;&#47;errors&#46;edgesuite&#46;net&#47;0</P>\n</BODY></HTML>',
});

export const blocked = (): Reply =>
  page('Attention Required! | Cloudflare', 'Sorry, you have been blocked', 403);
export const webPage = (): Reply => page('Welcome', 'Build and price your next car.');
export const notFoundPage = (): Reply => page('HTTP Status 404 – Not Found', 'Not here.', 404);
export const serverError = (): Reply => page('Internal Server Error', 'Something broke.', 500);
export const unavailable = (): Reply => page('Service Unavailable', 'Later, please.', 503);
export const tooMany = (): Reply => ({
  ...page('Too Many Requests', 'Slow down.', 429),
  headers: { 'Retry-After': '120' },
});
export const redirect = (to: string): Reply => ({ status: 302, headers: { Location: to }, body: '' });
