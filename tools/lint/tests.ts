/**
 * A rule for oxlint: a test depends neither on the clock nor on the speed of the machine. It doesn't sleep, read the time,
 * measure memory or CPU time, or limit how long something may take: it awaits events, and fakes time (test/fake-time.ts).
 *
 * A line that can't do without needs `// oxlint-disable-next-line tests/no-clock -- ` with the reason.
 */
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const EXCEPTED: readonly RegExp[] = [
  // Fakes time.
  /^test\/fake-time\.ts$/,
  // They wait for what has no event: a container engine, a kernel's connections, another process that installs programs.
  /^test\/(?:image\/|internet\/|machine\/|third-party\.ts$)/,
  // Slow servers, which the history drill uses too.
  /^test\/shared\/(?:fault-proxy|stamped-upstream)\.ts$/,
  // Drills of npm run test:slow, which measure.
  /^test\/(?:faults|siege)\.test\.ts$|\/worst-case\.test\.ts$/,
];

/** Functions that read a clock, wait for one, or measure this process. `socket.setTimeout(5000)` is one too. */
const FORBIDDEN =
  /(?:^|\.)setTimeout$|^(?:globalThis\.)?setInterval$|^AbortSignal\.timeout$|^Atomics\.wait$|^(?:Date|performance)\.now$|^process\.(?:hrtime|cpuUsage|threadCpuUsage|memoryUsage|resourceUsage)(?:\.\w+)?$/;
const TIMER_MODULE = /^(?:node:)?timers(?:\/promises)?$/;
const TEST_FUNCTION = /^(?:test|it|describe|suite|before|after|beforeEach|afterEach)(?:\.\w+)?$/;

/** A node of the syntax tree (ESTree), with the fields used here. */
interface Node {
  type: string;
  name: string;
  value: unknown;
  source: Node;
  specifiers: Node[];
  imported?: Node;
  callee: Node;
  object: Node;
  property: Node;
  key: Node;
  arguments: Node[];
  properties: Node[];
}

interface Context {
  filename: string;
  report: (problem: { node: Node; message: string }) => void;
}

/** `process.hrtime.bigint` for such an expression; an empty string for one that isn't made of names. */
function nameOf(node: Node): string {
  if (node.type === 'Identifier') return node.name;
  if (node.type !== 'MemberExpression') return '';
  const object = nameOf(node.object);
  return object && `${object}.${node.property.name}`;
}

function create(context: Context) {
  const file = relative(ROOT, context.filename).replaceAll('\\', '/');
  if (EXCEPTED.some((pattern) => pattern.test(file))) return {};
  const report = (node: Node, what: string) =>
    context.report({
      node,
      message: `A test must not depend on the clock: ${what}. Await an event, pass a clock or fake time, or measure in a drill. The runner ends a test that hangs.`,
    });
  return {
    ImportDeclaration(node: Node) {
      const isTurn = node.specifiers.every(({ imported }) => imported?.name === 'setImmediate');
      if (TIMER_MODULE.test(String(node.source.value)) && !isTurn) report(node, String(node.source.value));
    },
    NewExpression(node: Node) {
      if (node.callee.name === 'Date' && node.arguments.length === 0) report(node, 'new Date()');
    },
    CallExpression(node: Node) {
      const name = nameOf(node.callee);
      if (FORBIDDEN.test(name)) report(node, name);
      if (!TEST_FUNCTION.test(name)) return;
      for (const options of node.arguments.filter(({ type }) => type === 'ObjectExpression'))
        if (options.properties.some(({ key }) => key?.name === 'timeout')) report(options, 'timeout');
    },
  };
}

export default { meta: { name: 'tests' }, rules: { 'no-clock': { create } } };
