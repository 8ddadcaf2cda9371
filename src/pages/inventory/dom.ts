import type { Html } from '../html.ts';

/** What the page does with the browser. */

// All values in it are escaped.
export const fill = (box: Element, markup: Html | string): void => void (box.innerHTML = String(markup));

export function item(words: string): HTMLLIElement {
  const element = document.createElement('li');
  element.textContent = words;
  return element;
}

export function download(name: string, type: string, content: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

export async function copy(button: HTMLElement, copied: string): Promise<void> {
  const isCopied = await navigator.clipboard.writeText(copied).then(
    () => true,
    () => false,
  );
  button.textContent = isCopied ? 'Copied' : 'Couldn’t copy';
}
