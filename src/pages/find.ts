import { isVin, parseVin, tidyVin } from '@monroney/vin';
import type { Context } from 'hono';
import { sendMistyped } from './mistyped.ts';
import type { PageParts } from './parts.ts';

/** Nobody types more; a longer paste is cut before anything is done with it. */
const MOST = 200;

/** GET /find?vin=…: where the form leads without a script. Tidies what was typed and goes to the page. */
export function find(parts: PageParts) {
  return (c: Context): Response | Promise<Response> => {
    const typed = (c.req.query('vin') ?? '').slice(0, MOST);
    const vin = tidyVin(typed);
    if (isVin(vin)) return c.redirect(`/window-sticker/${vin}`, 303);
    const parsed = parseVin(vin);
    if (parsed.ok || parsed.reason === 'empty') return c.redirect('/', 303);
    return sendMistyped(c, parts, vin, parsed);
  };
}
