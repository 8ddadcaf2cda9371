import type { Lookup } from '../../lookup/find.ts';
import { tools } from '../../mcp/tools.ts';
import type { Specimen } from '../../lookup/specimens/index.ts';

/** Each tool with its words, a call and what the call answers here and now, as Markdown. */
export async function toolsMarkdown(parts: {
  lookup: Lookup;
  baseUrl: string;
  specimens: readonly Specimen[];
}): Promise<string> {
  const { lookup, baseUrl, specimens } = parts;
  const vinOf = (state: Specimen['state']) => specimens.find((each) => each.state === state)!.vin;
  const toolParts = { lookup, baseUrl };
  const sections: string[] = [];
  for (const tool of tools) {
    const args = tool.example({ held: vinOf('held'), none: vinOf('none') });
    const { structuredContent } = await tool.run(args, toolParts);
    const call = { method: 'tools/call', params: { name: tool.name, arguments: args } };
    sections.push(
      `### ${tool.name}`,
      tool.description,
      fenced('call', call),
      fenced('answer', structuredContent),
    );
  }
  return sections.join('\n\n');
}

function fenced(name: string, value: unknown): string {
  return `\`\`\`json ${name}\n${JSON.stringify(value, null, 2)}\n\`\`\``;
}
