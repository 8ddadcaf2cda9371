/** URLs of a stored label. */
export function linksOf(vin: string, baseUrl: string): { pdf: string; page: string; preview: string } {
  return {
    pdf: `${baseUrl}/api/sticker/${vin}`,
    page: `${baseUrl}/window-sticker/${vin}`,
    preview: `${baseUrl}/api/sticker/${vin}/preview`,
  };
}
