import assert from 'node:assert/strict';
import { test } from 'node:test';
import { html, raw, unbroken } from './html.ts';

test('a template escapes text, in elements and in attributes', () => {
  const text = `<b title="it's">&</b>`;
  const escaped = '&lt;b title=&quot;it&#39;s&quot;&gt;&amp;&lt;/b&gt;';
  assert.equal(String(html`<p title="${text}">${text}</p>`), `<p title="${escaped}">${escaped}</p>`);
});

test('a template inserts markup of another template once, unchanged', () => {
  const inner = html`<b>${'&'}</b>`;
  assert.equal(String(html`<p>${inner}</p>`), '<p><b>&amp;</b></p>');
  assert.equal(String(html`<p>${raw('<i>')}</p>`), '<p><i></p>');
});

test('a template joins lists, also nested ones, and escapes their text', () => {
  assert.equal(String(html`${[html`<i>1</i>`, ['<', [2]]]}`), '<i>1</i>&lt;2');
});

test('a template inserts nothing for null, undefined and booleans, and keeps zero', () => {
  assert.equal(String(html`[${null}${undefined}${false}${true}${''}${0}]`), '[0]');
});

test('a short word with a hyphen stays on one line, and the text stays the same', () => {
  const markup = String(html`${unbroken('2025 F-150 <XL> Plug-in-Hybrid-Electric')}`);
  assert.equal(markup, '2025 <span class="nowrap">F-150</span> &lt;XL&gt; Plug-in-Hybrid-Electric');
});
