/** Rejects upward imports in `packages/` and `src/`: `node tools/lint/imports.ts`. Cycles are rejected by oxlint. */
import { globSync, readFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The layers from the bottom up. A file may import from its own folder and from any layer below, but not from other
 * folders on its layer.
 */
const LAYERS: readonly (readonly string[])[] = [
  ['packages/vin'],
  ['packages/label', 'packages/client'],
  // Neither may use the other: tables are read and written without anything of the service.
  ['src/lib', 'src/tables'],
  ['src/makers', 'src/store', 'src/pdf'],
  ['src/sources', 'src/config.ts'],
  ['src/lookup', 'src/contacts'],
  ['src/runtime.ts'],
  // The interfaces. Each may use those before it: tools and documents are sent over HTTP, pages show documents.
  ['src/http'],
  ['src/mcp'],
  ['src/site'],
  ['src/pages'],
  ['src/main.ts'],
  ['src/cli'],
];

/** Tests, and files that only tests and tools use: not shipped, and they may import anything. */
export const TEST_ONLY = /\.test\.ts$|\/(testing|hostile-child|killed-writer|\w+-contract-tests)\.ts$/;

export type Graph = ReadonlyMap<string, readonly string[]>;

/** The imports of each file, by path from the root, including types. */
export function importsIn(root: string): Graph {
  const files = globSync(['packages/*/src/**/*.ts', 'src/**/*.ts'], { cwd: root }).filter(
    (file) => !TEST_ONLY.test(file),
  );
  return new Map(
    files.map((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      const found = text.matchAll(/(?:^|[^\w.])(?:from|import)\s*\(?\s*'(\.[^']+\.ts|@monroney\/\w+)[^']*'/g);
      return [
        file,
        Array.from(found, ([, path = '']) =>
          path.startsWith('.') ? normalize(join(file, '..', path)) : path.replace('@monroney', 'packages'),
        ),
      ];
    }),
  );
}

const isIn = (file: string, folder: string) => file === folder || file.startsWith(`${folder}/`);

function layerOf(file: string): { rank: number; folder: string } | null {
  for (const [rank, folders] of LAYERS.entries()) {
    const folder = folders.find((candidate) => isIn(file, candidate));
    if (folder) return { rank, folder };
  }
  return null;
}

/** `a -> b` for every import that goes up or sideways, or to a file that isn't shipped. */
export function upwardImports(graph: Graph): string[] {
  return [...graph].flatMap(([file, imports]) => {
    const layer = layerOf(file);
    if (!layer) return [`${file} is in no layer`];
    return imports.flatMap((imported) => {
      const importedLayer = layerOf(imported);
      if (/^(tools|test)\//.test(imported)) return [`${file} -> ${imported}`];
      if (!importedLayer) return /^(src|packages)\//.test(imported) ? [`${imported} is in no layer`] : [];
      const isAllowed = importedLayer.rank < layer.rank || importedLayer.folder === layer.folder;
      return isAllowed ? [] : [`${file} -> ${imported}`];
    });
  });
}

if (import.meta.main) {
  const graph = importsIn(fileURLToPath(new URL('../../', import.meta.url)));
  const found = upwardImports(graph);
  for (const line of found) process.stdout.write(`upward: ${line}\n`);
  if (found.length === 0) process.stdout.write(`${graph.size} files: every import points down.\n`);
  process.exitCode = found.length > 0 ? 1 : 0;
}
