import type { ContactStore } from './contact-store.ts';
import type { Store as LegacyStore } from './legacy-store.ts';
import type { Store } from './store.ts';

/** The previous implementations behind the new interface, until they are replaced. */
export function fromLegacy(old: LegacyStore): Store {
  const { coordination } = old;
  const isIntact = async (vin: string) => {
    const label = await old.label(vin);
    return label !== null && !label.damaged;
  };
  const contacts = Object.fromEntries(
    Object.entries(old.contacts).map(([name, method]) => [
      name,
      // oxlint-disable-next-line typescript/no-unsafe-argument
      async (...args: unknown[]) => (method as (...args: unknown[]) => unknown)(...args),
    ]),
  ) as unknown as ContactStore;
  return {
    kind: old.kind,
    coordination,
    async find(vin) {
      const label = (await old.label(vin)) ?? null;
      return { label, miss: await old.miss(vin), withdrawal: label ? null : await old.withdrawal(vin) };
    },
    addLabel: (label, pdf) => old.keep(label, pdf),
    async addMiss(miss) {
      const recovered = await old.recover(miss.vin);
      if (recovered || (await isIntact(miss.vin))) return;
      await old.keepMiss(miss);
    },
    updateRead: async (vin, read) => old.updateRead(vin, read),
    pdf: ({ sha256 }) => old.pdf(sha256),
    pdfStream: ({ sha256 }, start, end) => old.pdfStream(sha256, start, end),
    checkBytes: (label) => old.checkBytes(label),
    markDamaged: async ({ vin, sha256 }) => old.markDamaged(vin, sha256),
    withdraw: (withdrawal) => old.withdraw(withdrawal),
    withdrawals: async () => old.withdrawals(),
    onReplaced: (listener) => old.onReplaced(listener),
    async cached(label, kind, version) {
      const found = kind === 'text' ? await old.text(label.sha256) : await old.reading(label.sha256, version);
      return (
        found && (kind === 'text' ? String((found as { version: number }).version) === version : true)
          ? found
          : null
      ) as never;
    },
    async cache(label, kind, _version, value) {
      if (kind === 'text') await old.keepText(label.sha256, value as never);
      else await old.keepReading(label.sha256, value as never);
    },
    preview: ({ sha256 }, width) => old.preview(sha256, width),
    cachePreview: ({ sha256 }, width, webp) => old.keepPreview(sha256, width, webp),
    cachedResponse: async (vin) => old.cachedResponse(vin),
    cacheResponse: async (vin, response) => old.cacheResponse(vin, response),
    dropCachedResponse: async (vin) => old.dropCachedResponse(vin),
    switches: async () => old.switches(),
    setSwitch: async (change) => old.setSwitch(change),
    changes: async (limit) => old.changes(limit),
    addChanges: async (changes) => old.addChanges(changes),
    countSourceRequest: async (...args) => old.countSourceRequest(...args),
    sourceRequests: async (sinceHour) => old.sourceRequests(sinceHour),
    value: async (key) => old.value(key),
    setValue: async (key, value, until) => old.setValue(key, value, until),
    values: async (after, limit) => old.values(after, limit),
    labels: async (after, limit) => old.labels(after, limit),
    counts: async () => old.counts(),
    rebuild: async (progress) => ({ ...(await old.rebuild(progress)), written: 0 }),
    contacts,
    ready: () => old.ready(),
    close: () => old.close(),
  };
}
