import type { Source } from '../../src/makers/maker.ts';
import { labelOf, pictureOf, sheetOf } from './labels.ts';

/** What is sent back, before anything is done to it on the way. */
export interface Reply {
  status?: number;
  type?: string;
  headers?: Record<string, string>;
  body: Buffer | string;
}

export interface Question {
  source: Source;
  host: string;
  vin: string;
  /** How often this VIN was asked for before, at any host. */
  before: number;
}

const pdf = (body: Buffer): Reply => ({ type: 'application/pdf', body });
const page = (title: string, text: string, status = 200): Reply => ({
  status,
  type: 'text/html',
  body: `<!DOCTYPE html>\n<html><head><title>${title}</title></head><body><h1>${title}</h1><p>${text}</p></body></html>`,
});
const coated = (body: Buffer | string): Reply => pdf(Buffer.from(Buffer.from(body).toString('base64')));

/** A label the way its source sends it: Hyundai's in base64. */
export function label({ source, host, vin }: Question): Reply {
  const drawn = labelOf(source, host, vin);
  return source.id === 'hyundai' ? coated(drawn) : pdf(drawn);
}

/** "None" in each source's own way of saying it. */
export function none(question: Question): Reply {
  const { source, vin } = question;
  switch (source.id) {
    case 'ford':
      return pdf(
        sheetOf([
          'The window sticker for this vehicle has not yet been released.',
          'Please check back later',
        ]),
      );
    case 'gm':
      return {
        type: 'application/json',
        body: '{"errorCode":1001,"errorMessage":"No Window Sticker found for the requested VIN."}',
      };
    case 'stellantis':
      return pdf(sheetOf(['We are unable to retrieve a window sticker for this VIN at this time.']));
    case 'subaru':
      return pdf(
        sheetOf([
          'We are sorry, the window sticker for the vehicle you selected is not available at this time.',
          'Please contact your retailer. (c:01)',
        ]),
      );
    case 'hyundai':
      return coated(JSON.stringify({ error: `NEW document not found for VIN ${vin}`, statusCode: 404 }));
    case 'genesis':
      return pdf(Buffer.alloc(0));
    case 'kia':
      return page('404', 'Nothing here.', 404);
    default:
      return { type: 'application/json', body: JSON.stringify({ message: `Sticker not found for ${vin}` }) };
  }
}

/** The other way some sources say it; the same way for the rest. */
export function noneOtherwise(question: Question): Reply {
  switch (question.source.id) {
    case 'stellantis':
      return pdf(sheetOf(['Sorry, a Window Sticker is unavailable for this VIN']));
    case 'subaru':
      return page('Subaru Official Site', 'Find your Subaru.');
    case 'toyota':
      return coated(JSON.stringify({ error: 'Document not found', statusCode: 404 }));
    default:
      return none(question);
  }
}

export const empty = (): Reply => pdf(Buffer.alloc(0));

/** A label of the same make, but of the car built just after or before. */
export function otherCar(question: Question): Reply {
  const serial = (Number(question.vin.slice(-4)) + 1) % 10_000;
  return label({ ...question, vin: question.vin.slice(0, -4) + String(serial).padStart(4, '0') });
}

/** A PDF that stops in the middle while its sender believes it whole. */
export const truncated = (question: Question): Reply => {
  const drawn = labelOf(question.source, question.host, question.vin);
  return pdf(drawn.subarray(0, Math.floor(drawn.length * 0.6)));
};

/** A label whose sender lost the end of the table that comes last. */
export const frayed = (question: Question): Reply =>
  pdf(labelOf(question.source, question.host, question.vin).subarray(0, -20));

export const smallPicture = (): Reply => pdf(pictureOf(100));

/** The edge's page, its address written in entities as the real one does. */
export const accessDenied = (status: number): Reply => ({
  status,
  type: 'text/html',
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
