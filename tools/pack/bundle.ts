import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tools } from '../../src/mcp/tools.ts';
import { MCP_DESCRIPTION, MCP_TITLE } from '../../src/site/discovery/agent-cards.ts';
import { zipOf } from './zip.ts';
import { ROOT } from './compile.ts';
import { manifestOf } from './manifest.ts';

const ENTRY = 'server/server.mjs';

/** What desktop assistants show before they install the bundle, and how they start it. */
function bundleManifest() {
  const { version, license } = manifestOf('.') as unknown as { version: string; license: string };
  return {
    manifest_version: '0.3',
    name: 'monroney',
    display_name: MCP_TITLE,
    version,
    description: MCP_DESCRIPTION,
    long_description:
      'Connects to a Monroney service of your choice. Needs no key, no sign-in and no other software.',
    author: { name: 'The Monroney contributors' },
    icon: 'icon.png',
    server: {
      type: 'node',
      entry_point: ENTRY,
      mcp_config: {
        command: 'node',
        args: [`\${__dirname}/${ENTRY}`],
        env: { MONRONEY_URL: '${user_config.url}', MONRONEY_CONTACT: '${user_config.contact}' },
      },
    },
    tools: tools.map(({ name, description }) => ({ name, description })),
    // The service lists the rest.
    prompts_generated: true,
    keywords: ['vin', 'window sticker', 'monroney label', 'vin decoder', 'car'],
    license,
    compatibility: { platforms: ['darwin', 'win32', 'linux'], runtimes: { node: '>=20.3' } },
    user_config: {
      url: {
        type: 'string',
        title: 'URL of the service',
        description: 'The URL of the Monroney service, such as https://stickers.example.',
        required: true,
      },
      contact: {
        type: 'string',
        title: 'Contact',
        description: 'Your e-mail address or domain, if you want to hear about breaking changes.',
        required: false,
        default: '',
      },
    },
  };
}

/** `monroney.mcpb`, which desktop assistants install with one click. */
export function packBundle(dist: string): string {
  const path = join(dist, 'monroney.mcpb');
  const files = [
    { name: 'manifest.json', bytes: Buffer.from(`${JSON.stringify(bundleManifest(), null, 2)}\n`) },
    { name: ENTRY, bytes: readFileSync(join(ROOT, 'tools/pack/bundle/server.mjs')) },
    { name: 'icon.png', bytes: readFileSync(join(ROOT, 'src/site/discovery/icons/icon-512.png')) },
    { name: 'LICENSE', bytes: readFileSync(join(ROOT, 'LICENSE')) },
  ];
  writeFileSync(path, zipOf(files));
  return path;
}
