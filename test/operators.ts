import { deflateSync } from 'node:zlib';
import { getDocument, OPS, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { takeDrawings, withDrawings } from '../src/pdf/drawings.ts';
import type { Operators } from '../src/pdf/shapes.ts';

/** A page that draws a form with this content, twice. */
export function pdfWithForm(content: string): Buffer {
  const page = 'q 2 0 0 2 10 20 cm /Form Do Q /Form Do';
  const data = deflateSync(content, { level: 0 });
  const resources = '<</Font<</F 6 0 R>>/XObject<</Form 5 0 R>>/ExtGState<</G<</ca 0.5>>>>>>';
  const form = `/Type/XObject/Subtype/Form/FormType 1/BBox[0 0 400 200]/Filter/FlateDecode/Length ${data.length}`;
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 200]/Contents 4 0 R/Resources${resources}>>`,
    `<</Length ${page.length}>>stream\n${page}\nendstream`,
    `<<${form}/Resources<</Font<</F 6 0 R>>/ExtGState<</G<</ca 0.5>>>>>>>>\nstream\n${data.toString('latin1')}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  ];
  const body = objects.map((object, index) => `${index + 1} 0 obj${object}endobj\n`).join('');
  return Buffer.from(`%PDF-1.4\n${body}trailer<</Root 1 0 R>>\n%%EOF\n`, 'latin1');
}

interface Evaluated {
  texts: unknown[];
  operators: { name: string; args: unknown }[];
}

/** The text and the operators of the first page, as pdf.js finds them. */
export async function evaluatedByPdfJs(pdf: Uint8Array): Promise<Evaluated> {
  return evaluated(pdf, (operators) => operators);
}

/** The same with the drawings evaluated by us, and how many drawings that were. */
export async function evaluatedWithDrawings(pdf: Uint8Array): Promise<Evaluated & { drawings: number }> {
  const copy = Buffer.from(new Uint8Array(pdf).buffer);
  const drawings = takeDrawings(copy);
  const result = await evaluated(copy, (operators) => withDrawings(operators, drawings));
  return { ...result, drawings: drawings.length };
}

const NAMES = new Map(Object.entries(OPS).map(([name, fn]) => [fn, name]));

async function evaluated(pdf: Uint8Array, complete: (operators: Operators) => Operators): Promise<Evaluated> {
  const loading = getDocument({
    data: new Uint8Array(pdf),
    verbosity: VerbosityLevel.ERRORS,
    useSystemFonts: false,
    maxImageSize: 1,
  });
  try {
    const page = await (await loading.promise).getPage(1);
    const { items } = await page.getTextContent();
    const { fnArray, argsArray } = complete(await page.getOperatorList());
    const texts = items.map((item) => {
      // Numbered by document.
      const { fontName: _, ...rest } = item as unknown as Record<string, unknown>;
      return rest;
    });
    const operators = fnArray
      .map((fn, index) => ({ name: NAMES.get(fn) ?? '', args: comparable(fn, argsArray[index]) }))
      // Repeated in every thousand operators.
      .filter(({ name }) => name !== 'dependency');
    return { texts, operators };
  } finally {
    await loading.destroy();
  }
}

const UNCOMPARED = new Set<number>([OPS.showText, OPS.setFont, OPS.paintImageXObject]);

/** The arguments, without names that differ in every document, and without the points of paths that can't be recognized. */
function comparable(fn: number, args: unknown): unknown {
  if (fn === OPS.constructPath) {
    const [painted, [path], bounds] = args as [number, [Float32Array | null], Float32Array | null];
    const corners = path && isShort(path) ? [...path] : null;
    // Curves turn back at points that can be calculated in several ways.
    return [painted, corners, bounds && Array.from(bounds, (value) => Number(value.toPrecision(6)))];
  }
  return UNCOMPARED.has(fn) ? null : args;
}

/** Whether a path has only straight lines and at most eleven corners. */
function isShort(path: ArrayLike<number>): boolean {
  let corners = 0;
  for (let index = 0; index < path.length; index += path[index] === 4 ? 1 : 3)
    if (path[index] === 0 || path[index] === 1) corners++;
    else if (path[index] !== 4) return false;
  return corners <= 11;
}
