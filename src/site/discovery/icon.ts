import { readFileSync } from 'node:fs';

/** A file in `icons/`. The PNGs have a margin, because launchers crop the corners. */
export function icon(file: string): Buffer {
  return readFileSync(new URL(`icons/${file}`, import.meta.url));
}

export function webManifest(): unknown {
  return {
    name: 'Monroney window stickers',
    short_name: 'Monroney',
    description: "Paste a VIN, see the car's original window sticker.",
    id: '/',
    start_url: '/',
    scope: '/',
    display: 'minimal-ui',
    lang: 'en',
    background_color: '#FBFAF7',
    theme_color: '#FBFAF7',
    icons: [
      { src: '/icon.svg', type: 'image/svg+xml', sizes: 'any', purpose: 'any' },
      { src: '/icon-192.png', type: 'image/png', sizes: '192x192', purpose: 'any' },
      { src: '/icon-512.png', type: 'image/png', sizes: '512x512', purpose: 'any maskable' },
    ],
  };
}
