import { operationsOf, type ApiField, type ApiOperation } from '../../site/docs/api.ts';
import { problemBody, REASONS, type Reason } from '../../http/problems.ts';
import { html, raw, type Html } from '../html.ts';
import type { PageContext } from '../page-context.ts';
import { escapeMarkup } from '../../lib/markup.ts';
import { TYPED_VIN } from '../vin-cells.ts';
import { curly } from './markdown.ts';

/** A group of operations. `about` introduces a group whose operations are folded. */
interface Group {
  id: string;
  name: string;
  about?: Html;
  holds(tag: string): boolean;
}

const GROUPS: readonly Group[] = [
  { id: 'monroney', name: 'Monroney', holds: (tag) => tag !== 'vPIC' && tag !== 'Service' },
  {
    id: 'nhtsa',
    name: 'NHTSA-compatible',
    about: html`NHTSA’s own API, served from local data.
      <a href="/docs/nhtsa-api">Change the host and keep your code</a>.`,
    holds: (tag) => tag === 'vPIC',
  },
  {
    id: 'service',
    name: 'Service',
    about: html`Status, health and error explanations.`,
    holds: (tag) => tag === 'Service',
  },
];

/** Longer lists of fields are folded. */
const MAX_UNFOLDED = 5;

/** GET /docs/api: `/openapi.json` for people, each request beside its response. */
export async function apiBody(context: PageContext): Promise<Html> {
  const operations = operationsOf(await context.library.openapi(), context);
  const groups = GROUPS.map((group) => ({
    ...group,
    operations: operations.filter(({ tag }) => group.holds(tag)),
  }));
  return html`<h1>One request, no key</h1>
    <p class="lead">${context.library.pages.get('/docs/api')!.description}</p>
    <div class="reference">
      <nav class="api-nav" aria-label="On this page">
        ${groups.map(
          ({ name, about, operations }) =>
            html`<details ${about ? '' : html`open`}>
              <summary>${name}</summary>
              <ul>
                ${operations.map(({ id, summary }) => html`<li><a href="#${id}">${summary}</a></li>`)}
              </ul>
            </details>`,
        )}
        <ul>
          <li><a href="#errors">Errors</a></li>
          <li><a href="/docs/specimens">Test VINs</a></li>
          <li><a href="/docs">All documents</a></li>
          <li><a href="/openapi.json">openapi.json</a></li>
        </ul>
      </nav>
      <div>
        ${groups.map(({ id, name, about, operations }) => {
          const sections = operations.map((operation) =>
            operationSection(operation, context, about !== undefined),
          );
          return about
            ? html`<section>
                <h2 id="${id}">${name}</h2>
                <p>${about}</p>
                ${sections}
              </section>`
            : sections;
        })}
        ${errorsSection(context)}
      </div>
    </div>`;
}

function operationSection(operation: ApiOperation, context: PageContext, folded: boolean): Html {
  const { id, summary, method, path, description, parameters, fields, errors, curl, response } = operation;
  const canTry = id === 'getVin' || id === 'getLabel';
  const content = html`<div class="text intro">
      ${folded ? '' : html`<h2>${summary}</h2>`}
      <p>
        <code><b>${method}</b> ${path}</code>
      </p>
      <p>${prose(description)}</p>
    </div>
    <div class="boxes">
      ${canTry ? requestFigure(operation, context) : codeFigure('Request', curl)}
      ${codeFigure('Response', response.language === 'json' ? json(response.text) : response.text, html`<b class="now good mono">${response.status}</b>`)}
      ${canTry ? tryIt(operation, context) : ''}
    </div>
    <div class="details">
      ${list('Parameters', parameters)} ${list('Response', fields)} ${otherResponses(errors)}
    </div>`;
  if (!folded) return html`<section class="operation" id="${id}">${content}</section>`;
  return html`<details class="operation-fold" id="${id}">
    <summary>
      <h3>${summary}</h3>
      <code>${path}</code>
    </summary>
    <div class="operation">${content}</div>
  </details>`;
}

function rows(items: readonly ApiField[]): Html {
  return html`<dl class="fields">
    ${items.map(
      ({ name, kind, description }) =>
        html`<div>
          <dt><code>${name}</code> <span class="soft small">${kind}</span></dt>
          <dd class="soft small">${prose(description)}</dd>
        </div>`,
    )}
  </dl>`;
}

function list(title: string, items: readonly ApiField[]): Html | string {
  if (items.length === 0) return '';
  if (items.length <= MAX_UNFOLDED)
    return html`<h3>${title}</h3>
      ${rows(items)}`;
  return html`<h3>${title}</h3>
    <details>
      <summary>${items.length} fields</summary>
      ${rows(items)}
    </details>`;
}

function otherResponses(errors: ApiOperation['errors']): Html {
  const statuses = errors.map(({ status }) => status).join(', ');
  return html`<details class="others">
    <summary>Other responses: ${statuses.replace('default', 'any other problem')}</summary>
    ${rows(errors.map(({ status, description }) => ({ name: status, kind: '', description })))}
  </details>`;
}

const LANGUAGES: [name: string, code: (url: string) => string][] = [
  ['curl', (url) => `curl ${url}`],
  ['JavaScript', (url) => `const response = await fetch('${url}');\nconsole.log(await response.json());`],
  ['Python', (url) => `import requests\n\nprint(requests.get("${url}").json())`],
];

/** The same request in three languages. Radio buttons select one, so this works without a script. */
function requestFigure({ id, path }: ApiOperation, { baseUrl, specimens }: PageContext): Html {
  const url = `${baseUrl}${path.replace('{vin}', specimens[0]!.vin)}`;
  return html`<figure class="code wraps languages">
    <figcaption>
      <span>Request</span>
      <span class="choice" role="group" aria-label="Language">
        ${LANGUAGES.map(
          ([name], index) =>
            html`<label
              ><input
                type="radio"
                name="language-${id}"
                autocomplete="off"
                ${index === 0 ? html`checked` : ''}
              />${name}</label
            >`,
        )}
      </span>
      ${COPY}
    </figcaption>
    ${LANGUAGES.map(([, code]) => html`<pre tabindex="0"><code data-url="${url}">${code(url)}</code></pre>`)}
  </figure>`;
}

/** A form to send the request. Hidden without a script. */
function tryIt({ id, path }: ApiOperation, { specimens }: PageContext): Html {
  return html`<form class="try box" data-try="${path}" hidden>
    <label for="try-${id}">Try it with any VIN, or choose a test VIN</label>
    <input
      id="try-${id}"
      name="vin"
      list="specimens-${id}"
      value="${specimens[0]!.vin}"
      ${TYPED_VIN}
      required
    />
    <datalist id="specimens-${id}">
      ${specimens.map(({ vin, shows }) => html`<option value="${vin}">${shows}</option>`)}
    </datalist>
    <button class="button">Send</button>
  </form>`;
}

function errorsSection({ baseUrl, specimens }: PageContext): Html {
  const reasons = Object.keys(REASONS) as Reason[];
  const vin = specimens.find(({ state }) => state === 'none')?.vin;
  const example = problemBody(baseUrl, { reason: 'no-label', detail: REASONS['no-label'].means, vin });
  return html`<section class="operation" id="errors">
    <div class="text intro">
      <h2>Errors</h2>
      <p>
        Every error is a problem document with a sentence for people and a stable <code>reason</code> for
        programs. If a manufacturer fails, you get 503 with <code>Retry-After</code>, never 404.
      </p>
    </div>
    <div class="boxes">
      ${codeFigure('Response', json(JSON.stringify(example, null, 2)), html`<b class="now bad mono">404</b>`)}
    </div>
    <div class="details">
      <table class="plain-table">
        <thead>
          <tr>
            <th scope="col">Status</th>
            <th scope="col">Reason</th>
          </tr>
        </thead>
        <tbody>
          ${reasons.map(
            (reason) =>
              html`<tr>
                <td><code>${REASONS[reason].status}</code></td>
                <td>
                  <a href="/errors/${reason}"><code>${reason}</code></a>
                </td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </section>`;
}

/** Copies the code that its figure shows. Hidden without a script. */
const COPY = html`<button class="plain" type="button" data-copy hidden>Copy</button>`;

function codeFigure(name: string, code: Html | string, status?: Html): Html {
  return html`<figure class="code${name === 'Request' ? ' wraps' : ''}">
    <figcaption><span>${name}</span>${status ?? ''}${COPY}</figcaption>
    <pre tabindex="0"><code>${code}</code></pre>
  </figure>`;
}

/** JSON with muted keys and linked URLs. */
function json(text: string): Html {
  return raw(
    escapeMarkup(text)
      .replace(/^( *)(&quot;[^&]+&quot;:)/gm, '$1<span class="soft">$2</span>')
      .replace(/&quot;(https?:\/\/[^&\s]+)&quot;/g, '&quot;<a href="$1">$1</a>&quot;'),
  );
}

/** Text from `/openapi.json`, with `code` in backticks. */
function prose(text: string): Html {
  const parts = text
    .split('`')
    .map((part, index) => (index % 2 ? `<code>${escapeMarkup(part)}</code>` : escapeMarkup(curly(part))));
  return raw(parts.join(''));
}
