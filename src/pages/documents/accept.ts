/** Whether an `Accept` header would rather have Markdown than a page; the order decides where weights do not. */
export function prefersMarkdown(accept: string | undefined): boolean {
  const wishes = (accept ?? '').split(',').map((part) => {
    const [type = '', ...parameters] = part
      .trim()
      .toLowerCase()
      .split(';')
      .map((word) => word.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    return { type, weight: weight === undefined ? 1 : Number(weight) || 0 };
  });
  const markdown = wishes.findIndex(({ type }) => type === 'text/markdown');
  if (markdown < 0 || wishes[markdown]!.weight === 0) return false;
  const page = wishes.findIndex(({ type }) => type === 'text/html' || type === 'application/xhtml+xml');
  if (page < 0) return true;
  const difference = wishes[markdown]!.weight - wishes[page]!.weight;
  return difference === 0 ? markdown < page : difference > 0;
}
