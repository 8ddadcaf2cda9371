import type { TestEvent } from 'node:test/reporters';

/** A reporter for `node --test`: the path of each file with a failed test, one per line. */
export default async function* failedFiles(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const files = new Set<string>();
  for await (const { type, data } of events) {
    if (type !== 'test:fail' || !data.file || files.has(data.file)) continue;
    files.add(data.file);
    yield `${data.file}\n`;
  }
}
