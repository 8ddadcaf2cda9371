import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = new URL('../../', import.meta.url).pathname;

interface CompileOptions {
  /** Entry files relative to the repository's root. Their imports are included. */
  files: string[];
  /** The folder that becomes the root of `out`, relative to the repository's root. */
  rootDir: string;
  out: string;
  commonJs?: boolean;
}

/** Compiles TypeScript to JavaScript with declarations, for the oldest supported version of Node. */
export function compile({ files, rootDir, out, commonJs = false }: CompileOptions): void {
  mkdirSync(join(ROOT, 'dist'), { recursive: true });
  const folder = mkdtempSync(join(ROOT, 'dist', 'compile-'));
  const config = {
    extends: join(ROOT, 'tsconfig.json'),
    compilerOptions: {
      noEmit: false,
      declaration: true,
      target: 'es2022',
      rewriteRelativeImportExtensions: true,
      rootDir: join(ROOT, rootDir),
      outDir: out,
      ...(commonJs ? COMMON_JS : {}),
    },
    files: files.map((file) => join(ROOT, file)),
    include: [],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  const result = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  if (result.status !== 0) throw new Error(`tsc: ${result.stdout}${result.stderr}`);
  fixOutput(out, commonJs);
}

/** Without these, the module format would follow from the package's type. Types are checked only in the ESM build. */
const COMMON_JS = {
  module: 'commonjs',
  moduleResolution: 'bundler',
  verbatimModuleSyntax: false,
  noCheck: true,
};

/** Fixes what the compiler leaves unchanged: file extensions in declarations and URLs, and `import.meta`. */
function fixOutput(out: string, commonJs: boolean): void {
  for (const file of globSync('**/*.{js,d.ts}', { cwd: out })) {
    const path = join(out, file);
    let text = readFileSync(path, 'utf8').replace(/(from |import\()(['"])(\.[^'"]+)\.ts\2/g, '$1$2$3.js$2');
    if (commonJs)
      text = text.replaceAll('import.meta.url', "require('node:url').pathToFileURL(__filename).href");
    writeFileSync(path, text);
  }
  if (commonJs) writeFileSync(join(out, 'package.json'), '{ "type": "commonjs" }\n');
}
