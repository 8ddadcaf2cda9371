/** Whether an `Accept` header ranks Markdown above HTML. With equal weights the first one wins. */
export function prefersMarkdown(accept: string | undefined): boolean {
  const accepted = (accept ?? '').split(',').map((part) => {
    const [type = '', ...parameters] = part
      .trim()
      .toLowerCase()
      .split(';')
      .map((word) => word.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    return { type, weight: weight === undefined ? 1 : Number(weight) || 0 };
  });
  const markdown = accepted.findIndex(({ type }) => type === 'text/markdown');
  if (markdown < 0 || accepted[markdown]!.weight === 0) return false;
  const page = accepted.findIndex(({ type }) => type === 'text/html' || type === 'application/xhtml+xml');
  if (page < 0) return true;
  const difference = accepted[markdown]!.weight - accepted[page]!.weight;
  return difference === 0 ? markdown < page : difference > 0;
}
