import { strToU8, zipSync } from 'fflate';

/** A workbook with these sheets. */
export function workbook(sheets: Record<string, string[][]>): Buffer {
  const names = Object.keys(sheets);
  const sheetXml = (rows: string[][]) =>
    `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${rows
      .map(
        (row, y) =>
          `<row r="${y + 1}">${row.map((cell, x) => `<c r="${'ABC'[x]}${y + 1}" t="inlineStr"><is><t>${cell}</t></is></c>`).join('')}</row>`,
      )
      .join('')}</sheetData></worksheet>`;
  const files: Record<string, string> = {
    '[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    'xl/workbook.xml': `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets>${names.map((name, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${names.map((_, index) => `<Relationship Id="rId${index + 1}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet${index + 1}.xml"/>`).join('')}</Relationships>`,
  };
  names.forEach((name, index) => (files[`xl/worksheets/sheet${index + 1}.xml`] = sheetXml(sheets[name]!)));
  const entries = Object.entries(files).map(([name, text]) => [name, strToU8(text)]);
  return Buffer.from(zipSync(Object.fromEntries(entries) as Record<string, Uint8Array>));
}
