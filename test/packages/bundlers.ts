import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { emptyProject, type Project } from './project.ts';

/** Bundlers without any configuration. Each builds a project's `app.js` and returns the folder of a website. */
export function installBundlers(project: Project) {
  const tools = emptyProject();
  tools.install('vite6@npm:vite@6.4.6', 'vite8@npm:vite@8.3.8', 'webpack@5.112.2', 'esbuild@0.28.2');
  const bin = (path: string): string => join(tools.folder, 'node_modules', path);

  function run(program: string, args: string[]): void {
    const result = spawnSync(program, args, { cwd: project.folder, encoding: 'utf8' });
    assert.equal(result.status, 0, result.stdout + result.stderr);
  }

  /** Adds the page that Vite writes by itself. */
  function withPage(name: string, script: string): string {
    const folder = join(project.folder, name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'index.html'), pageOf(script));
    return folder;
  }

  return {
    vite(version: 6 | 8): string {
      const name = `vite${version}`;
      project.write('index.html', pageOf('app.js'));
      run(process.execPath, [bin(`${name}/bin/vite.js`), 'build', '--outDir', name]);
      return join(project.folder, name);
    },
    webpack(): string {
      project.write(
        'webpack.cjs',
        `const webpack = require(${JSON.stringify(bin('webpack'))});
         const output = { path: __dirname + '/webpack', filename: 'app.js' };
         webpack({ mode: 'production', context: __dirname, entry: './app.js', output }, (error, stats) => {
           if (error || stats.hasErrors()) throw error ?? new Error(stats.toString());
         });`,
      );
      run(process.execPath, ['webpack.cjs']);
      return withPage('webpack', 'app.js');
    },
    esbuild(name: string, entry: string, ...options: string[]): string {
      const args = ['--bundle', '--minify', '--format=esm', `--outdir=${name}`, ...options];
      run(bin('esbuild/bin/esbuild'), [entry, ...args]);
      return withPage(name, entry);
    },
    remove: () => tools.remove(),
  };
}

const pageOf = (script: string): string =>
  `<!doctype html><title>Built</title><script type="module" src="/${script}"></script>`;
