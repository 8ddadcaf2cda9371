/**
 * A rule for oxlint: the regular expressions of shipped code take time linear in the length of the text. `scslre`
 * analyzes each pattern; then it runs on texts made to be slow for it.
 *
 * Patterns built from constants of the same file are checked too. Others need `// oxlint-disable-next-line
 * patterns/linear -- ` with the reason why they are linear or why their text is short.
 */
import { analyse } from 'scslre';
import { slowText } from './worst-case.ts';

/** Why a pattern takes more than linear time; null if it doesn't. */
export function problemOf(source: string, flags: string): string | null {
  const { reports, parsed } = analyse({ source, flags });
  const [report] = reports;
  if (report) return `repeat ${JSON.stringify(report.character.pick)}`;
  const text = slowText(new RegExp(source, flags), parsed.pattern);
  return text && `try ${text}`;
}

/** A node of the syntax tree (ESTree), with the fields used here. */
interface Node {
  type: string;
  name: string;
  value: unknown;
  regex?: { pattern: string; flags: string };
  callee: Node;
  object: Node;
  property: Node;
  arguments: Node[];
  expressions: Node[];
  quasi: Node;
  quasis: { value: { cooked: string; raw: string } }[];
}

interface Scope {
  set: Map<string, { defs: { node: { init?: Node | null }; parent?: { kind?: string } | null }[] }>;
  upper: Scope | null;
}

interface Context {
  sourceCode: { getScope: (node: Node) => Scope };
  report: (problem: { node: Node; message: string }) => void;
}

/** The value of a constant expression; null if it isn't constant. */
function textOf(node: Node, scope: Scope): string | null {
  if (node.type === 'Literal') return node.regex?.pattern ?? String(node.value);
  if (node.type === 'MemberExpression' && node.property.name === 'source') return textOf(node.object, scope);
  if (node.type === 'TemplateLiteral') {
    const values = node.expressions.map((expression) => textOf(expression, scope));
    if (values.includes(null)) return null;
    return node.quasis.map(({ value }, at) => value.cooked + (values[at] ?? '')).join('');
  }
  if (node.type === 'TaggedTemplateExpression')
    return node.quasi.expressions.length ? null : node.quasi.quasis[0]!.value.raw;
  if (node.type !== 'Identifier') return null;
  let found: Scope | null = scope;
  while (found && !found.set.has(node.name)) found = found.upper;
  const definition = found?.set.get(node.name)?.defs[0];
  const init = definition?.parent?.kind === 'const' ? definition.node.init : null;
  return init ? textOf(init, found!) : null;
}

function create(context: Context) {
  const check = (node: Node, source: string, flags: string) => {
    const problem = problemOf(source, flags);
    if (problem) context.report({ node, message: `Slow on a long text: ${problem}. Make it linear.` });
  };
  const construct = (node: Node) => {
    if (node.callee.name !== 'RegExp') return;
    const scope = context.sourceCode.getScope(node);
    const [source, flags] = node.arguments.map((argument) => textOf(argument, scope));
    if (typeof source === 'string' && flags !== null) check(node, source, flags ?? '');
    else context.report({ node, message: 'Not constant, so nothing shows that it is linear.' });
  };
  return {
    Literal: (node: Node) => node.regex && check(node, node.regex.pattern, node.regex.flags),
    NewExpression: construct,
    CallExpression: construct,
  };
}

export default { meta: { name: 'patterns' }, rules: { linear: { create } } };
