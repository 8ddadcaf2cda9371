import type { Json } from '../../http/operation.ts';

/** JSON as YAML 1.2 in block style. Every string is quoted as in JSON, which YAML reads the same way. */
export function yamlOf(value: Json, indent = ''): string {
  if (typeof value !== 'object' || value === null) return ` ${JSON.stringify(value)}\n`;
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    if (value.length === 0) return ' []\n';
    return `\n${value.map((item) => `${indent}-${yamlOf(item, inner)}`).join('')}`;
  }
  const members = Object.entries(value);
  if (members.length === 0) return ' {}\n';
  return `\n${members.map(([name, member]) => `${indent}${JSON.stringify(name)}:${yamlOf(member, inner)}`).join('')}`;
}
