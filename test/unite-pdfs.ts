import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The reason to skip a test that joins PDFs; false if Poppler is installed. */
export const withoutPoppler = spawnSync('pdfunite', ['-v']).error ? 'skipped: no pdfunite' : false;

/** Joins several PDFs into one with Poppler. */
export function unitePdfs(...pdfs: Buffer[]): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'unite-'));
  try {
    const files = pdfs.map((pdf, index) => {
      const file = join(folder, `${index}.pdf`);
      writeFileSync(file, pdf);
      return file;
    });
    execFileSync('pdfunite', [...files, join(folder, 'all.pdf')], { stdio: 'pipe' });
    return readFileSync(join(folder, 'all.pdf'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
