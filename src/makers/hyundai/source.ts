import { defineSource } from '../maker.ts';

export const source = defineSource({
  id: 'hyundai',
  name: 'Hyundai',
  makes: ['HYUNDAI'],
  // hyundaiusa.com has the same labels but blocks servers. This is a platform's host, which hands them on to dealer websites.
  // The body is base64, although its Content-Type is application/pdf.
  urls: ['https://hyundai-sticker.dealerfire.com/new/{VIN}'],
  headers: { Accept: 'application/pdf,*/*' },
  none: [/document not found for VIN/i],
  refused: [/you have been blocked/i],
  kind: 'original-via-platform',
  years: '2014 and newer',
  firstYear: 2014,
  typicalBytes: 210_000,
  whenMissing:
    "Hyundai's own stickers reach us through a dealer website platform, from about model year 2014, but not for every car. A Hyundai dealer can print the sticker from the VIN.",
  checked: 'Responded on September 17, 2026.',
  example: 'KM8R24GE4SU900000',
  // Its plant in Alabama also builds the Genesis GV70, so the decoded make doesn't prove which source has the label.
  sharedPlant: { vinPrefix: '5NM', sourceId: 'genesis' },
  specimens: [
    {
      vin: '5NMJECDE7TH000000',
      make: 'Hyundai',
      shows: 'no paint code, because the paint has no extra charge',
      state: 'held',
      paint: { color: 'LAGOON BLUE', code: null },
    },
  ],
});
