import { hash } from 'node:crypto';
import {
  LabelMissing,
  LabelCorrupted,
  LabelWithdrawn,
  type HeldLabel,
  type Store,
  type Withdrawal,
} from './store.ts';

/** Labels in hand at once: enough to keep a network busy, few enough for any memory. */
const AT_ONCE = 8;
const PAGE = 500;

export interface Copied {
  copied: number;
  /** Labels the other store had already. */
  present: number;
  /** Labels that were withdrawn from the other store. */
  withdrawn: number;
  /** VINs whose bytes are gone or spoilt where they came from; they were not copied. */
  harmed: string[];
}

/**
 * Copies what must survive from one store to another: labels with their bytes, switches and their history, notes,
 * contacts, notices. What can be made again (answers, texts, readings, previews, misses) is made again there.
 * Stopped at any point it can be started anew: what the other store has is not sent twice.
 */
export async function copyStore(
  from: Store,
  to: Store,
  progress: (done: number, all: number) => void = () => {},
): Promise<Copied> {
  const { labels: all } = await from.counts();
  const copied: Copied = { copied: 0, present: 0, withdrawn: 0, harmed: [] };
  for (const withdrawal of await missingIn(to, from)) await to.withdraw(withdrawal);
  let after: string | null = null;
  for (;;) {
    const page: HeldLabel[] = await from.labels(after, PAGE);
    const waiting = page.values();
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (const label of waiting) {
          await copyLabel(from, to, label, copied);
          progress(copied.copied + copied.present + copied.withdrawn + copied.harmed.length, all);
        }
      }),
    );
    after = page.at(-1)?.vin ?? null;
    if (after === null) break;
  }
  await copyState(from, to);
  await copyContacts(from, to);
  return copied;
}

/** A store's withdrawals that the other does not have. */
async function missingIn(to: Store, from: Store): Promise<Withdrawal[]> {
  const there = new Set((await to.withdrawals()).map(({ vin }) => vin));
  return (await from.withdrawals()).filter(({ vin }) => !there.has(vin));
}

async function copyLabel(from: Store, to: Store, label: HeldLabel, copied: Copied): Promise<void> {
  if ((await to.label(label.vin))?.sha256 === label.sha256) {
    copied.present++;
    return;
  }
  if (await to.withdrawal(label.vin)) {
    copied.withdrawn++;
    return;
  }
  const pdf = await from.pdf(label.sha256).catch((error: Error) => {
    if (error instanceof LabelMissing || error instanceof LabelCorrupted) return null;
    throw error;
  });
  if (!pdf || hash('sha256', pdf, 'hex') !== label.sha256) {
    copied.harmed.push(label.vin);
    return;
  }
  const { vin, make, source, host, fetched, paint, reader } = label;
  const kept = await to
    .keep({ vin, make, source, host, fetched, paint, reader }, pdf)
    .catch((error: unknown) => {
      if (error instanceof LabelWithdrawn) return null;
      throw error;
    });
  // The other store may hold an older label of this VIN; the first one kept stays.
  if (kept === null) copied.withdrawn++;
  else if (kept.sha256 === label.sha256) copied.copied++;
  else copied.present++;
}

async function copyState(from: Store, to: Store): Promise<void> {
  const there = new Map((await to.switches()).map((each) => [each.source, each]));
  for (const each of await from.switches()) {
    if (each.since > (there.get(each.source)?.since ?? -1)) await to.setSwitch(each);
  }
  await to.addChanges(await from.changes(100_000));
  let after: string | null = null;
  for (;;) {
    const page = await from.notes(after, PAGE);
    for (const { key, value, until } of page) await to.keepNote(key, value, until);
    after = page.at(-1)?.key ?? null;
    if (after === null) return;
  }
}

async function copyContacts(from: Store, to: Store): Promise<void> {
  const uses = await from.contacts.uses('0000-00-00');
  for (let start = 0; start < uses.length; start += PAGE)
    await to.contacts.raise(uses.slice(start, start + PAGE));
  for (const recipient of await from.contacts.unsubscribed())
    await to.contacts.unsubscribe(recipient, Date.now());
  for (const change of await from.contacts.lifecycles()) await to.contacts.announce(change);
  for (const notice of await from.contacts.notices()) {
    const rows = await from.contacts.noticeRows(notice);
    await to.contacts.planNotice(
      notice,
      rows.map((row) => row.recipient),
      Date.now(),
    );
    const there = new Map((await to.contacts.noticeRows(notice)).map((row) => [row.recipient, row]));
    for (const row of rows) {
      // There it may have gone further than here: nobody is written to twice.
      if (there.get(row.recipient)?.state !== 'waiting') continue;
      await to.contacts.setNotice(notice, row.recipient, row.state, row.tries, row.at);
    }
  }
}
