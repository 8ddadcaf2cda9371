export async function run(_args: string[]): Promise<number> {
  throw new Error('not built yet');
}
