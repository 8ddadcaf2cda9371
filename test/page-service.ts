import { serviceOfFile } from './simulated.ts';

export const BASE = 'https://stickers.example';
export const JEEP = '1C4RJHBR7TC000000';
export const HTML = { Accept: 'text/html,application/xhtml+xml' };

/** A service whose pages are opened as a browser does, closed after the tests of the file that starts it. */
export async function startPages() {
  const service = await serviceOfFile({ BASE_URL: BASE });
  async function page(path: string, init: RequestInit = {}) {
    const response = await service.get(path, {
      redirect: 'manual',
      ...init,
      headers: { ...HTML, ...init.headers },
    });
    return { response, status: response.status, text: await response.text() };
  }

  return { service, page };
}
