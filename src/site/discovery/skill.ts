import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const FILE = new URL('../../../docs/skill/SKILL.md', import.meta.url);
export const SKILL_PATH = '/skills/window-sticker/SKILL.md';

/** Instructions for agents that cannot use MCP, in the agentskills.io format. */
export function skillFile(fill: (text: string) => string): string {
  return fill(readFileSync(FILE, 'utf8'));
}

/** `/.well-known/agent-skills/index.json`, with the digest of the file we serve. */
export function skillIndex(baseUrl: string, skill: string): unknown {
  const field = (name: string) => new RegExp(`^${name}: (.+)$`, 'm').exec(skill)?.[1] ?? '';
  return {
    $schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json',
    skills: [
      {
        name: field('name'),
        type: 'skill-md',
        description: field('description'),
        url: `${baseUrl}${SKILL_PATH}`,
        digest: `sha256:${hash('sha256', skill, 'hex')}`,
      },
    ],
  };
}
