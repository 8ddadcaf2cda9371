import type { StatusReport } from './report.ts';
import { xml } from '../discovery/xml.ts';

/** RFC 4287: each change of a source as an entry that never changes again. */
export function statusAtom({ changes, generated }: StatusReport, baseUrl: string): string {
  const updated = changes[0]?.at ?? `${generated.slice(0, 10)}T00:00:00.000Z`;
  const entries = changes.map(
    ({ at, source, text }) => `  <entry>
    <id>${xml(`${baseUrl}/status#${source}-${Date.parse(at)}`)}</id>
    <title>${xml(text)}</title>
    <updated>${at}</updated>
    <link rel="alternate" type="text/html" href="${xml(`${baseUrl}/status`)}"/>
    <category term="${xml(source)}"/>
    <content type="text">${xml(text)}</content>
  </entry>
`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
  <id>${xml(`${baseUrl}/status.atom`)}</id>
  <title>Monroney: changes of the label sources</title>
  <updated>${updated}</updated>
  <author><name>Monroney</name></author>
  <link rel="self" type="application/atom+xml" href="${xml(`${baseUrl}/status.atom`)}"/>
  <link rel="alternate" type="text/html" href="${xml(`${baseUrl}/status`)}"/>
${entries.join('')}</feed>
`;
}
