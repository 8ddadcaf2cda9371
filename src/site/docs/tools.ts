import type { Lookup } from '../../lookup/lookup.ts';
import { tools } from '../../mcp/tools.ts';
import type { Specimen } from '../../lookup/specimens/index.ts';

/** Each tool with its description, a call and the real result, as Markdown. */
export async function toolsMarkdown(dependencies: {
  lookup: Lookup;
  baseUrl: string;
  specimens: readonly Specimen[];
}): Promise<string> {
  const { lookup, baseUrl, specimens } = dependencies;
  const [held, another] = specimens.filter(({ state }) => state === 'held').map(({ vin }) => vin);
  const none = specimens.find(({ state }) => state === 'none')!.vin;
  const context = { lookup, baseUrl };
  const sections: string[] = [];
  for (const tool of tools) {
    const args = tool.example({ held: held!, another: another!, none });
    const { structuredContent, content } = await tool.run(args, context);
    const call = { method: 'tools/call', params: { name: tool.name, arguments: args } };
    sections.push(
      `### ${tool.name}`,
      tool.description,
      fenced('call', call),
      fenced('result', structuredContent ?? { content: content.map(shortened) }),
    );
  }
  return sections.join('\n\n');
}

/** Shortens Base64 image data. */
function shortened<T extends object>(block: T): T {
  return 'data' in block ? { ...block, data: `${String(block.data).slice(0, 24)}…` } : block;
}

function fenced(name: string, value: unknown): string {
  return `\`\`\`json ${name}\n${JSON.stringify(value, null, 2)}\n\`\`\``;
}
