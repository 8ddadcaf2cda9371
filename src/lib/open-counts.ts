/** How many connections or requests of each client are open. Clients without any take no memory. */
interface OpenCounts {
  of(client: string): number;
  total(): number;
  /** Counts one more. Call the returned function once, when it is closed. */
  add(client: string): () => void;
}

export function createOpenCounts(): OpenCounts {
  const open = new Map<string, number>();
  let total = 0;
  return {
    of: (client) => open.get(client) ?? 0,
    total: () => total,
    add(client) {
      open.set(client, (open.get(client) ?? 0) + 1);
      total++;
      return () => {
        const left = open.get(client)! - 1;
        if (left > 0) open.set(client, left);
        else open.delete(client);
        total--;
      };
    },
  };
}
