import { html, type Html } from './html.ts';

/** The picture of a sample's sticker, linked to its page. */
export function sampleSheet(vin: string, alt: string, loading: 'lazy' | 'eager' = 'lazy'): Html {
  return html`<a class="sheet-link" href="/window-sticker/${vin}"
    ><img
      src="/window-sticker/${vin}/picture?width=640"
      width="640"
      height="414"
      alt="${alt}"
      loading="${loading}"
      decoding="async"
  /></a>`;
}

/** For visitors without a VIN. */
export function trySample(vin: string): Html {
  return html`<p class="soft">No VIN handy? <a href="/window-sticker/${vin}">Try a sample</a></p>`;
}
