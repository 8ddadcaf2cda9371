import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = new URL('../../', import.meta.url).pathname;

interface Compile {
  /** What to begin with, from the repository's root; what it imports comes along. */
  files: string[];
  /** The folder that becomes the root of `out`, from the repository's root. */
  rootDir: string;
  out: string;
  commonJs?: boolean;
}

/** TypeScript to plain JavaScript with declarations, for the oldest Node that we say works. */
export function compile({ files, rootDir, out, commonJs = false }: Compile): void {
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
  const ran = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  if (ran.status !== 0) throw new Error(`tsc: ${ran.stdout}${ran.stderr}`);
  finish(out, commonJs);
}

/** Its format would otherwise follow from the package's type. Checked once, as what it is: a module. */
const COMMON_JS = {
  module: 'commonjs',
  moduleResolution: 'bundler',
  verbatimModuleSyntax: false,
  noCheck: true,
};

/** What the compiler leaves as it stands in the source: endings in declarations and in addresses, `import.meta`. */
function finish(out: string, commonJs: boolean): void {
  for (const file of globSync('**/*.{js,d.ts}', { cwd: out })) {
    const path = join(out, file);
    let text = readFileSync(path, 'utf8').replace(/(from |import\()(['"])(\.[^'"]+)\.ts\2/g, '$1$2$3.js$2');
    if (commonJs)
      text = text.replaceAll('import.meta.url', "require('node:url').pathToFileURL(__filename).href");
    writeFileSync(path, text);
  }
  if (commonJs) writeFileSync(join(out, 'package.json'), '{ "type": "commonjs" }\n');
}
