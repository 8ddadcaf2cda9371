import { inParallel, labelPages } from './all-labels.ts';
import { LabelCorrupted, LabelMissing, LabelWithdrawn, nullFor } from './errors.ts';
import type { HeldLabel, Store, Withdrawal } from './store.ts';

const PAGE_SIZE = 500;

export interface Copied {
  copied: number;
  /** Labels that the target already had. */
  present: number;
  /** Labels that were withdrawn in the target. */
  withdrawn: number;
  /** VINs whose bytes are missing or corrupted in the source; they were not copied. */
  unreadable: string[];
}

/**
 * Copies from one store to another what can't be computed again: labels, switches and their history, key-value pairs, contacts and
 * notices. An interrupted copy can be repeated: labels that the target has are not sent again.
 */
export async function copyStore(
  from: Store,
  to: Store,
  progress: (done: number, all: number) => void = () => {},
): Promise<Copied> {
  const { labels: all } = await from.counts();
  const copied: Copied = { copied: 0, present: 0, withdrawn: 0, unreadable: [] };
  for (const withdrawal of await withdrawalsMissingIn(to, from)) await to.withdraw(withdrawal);
  for await (const page of labelPages(from))
    await inParallel(page, async (label) => {
      await copyLabel(from, to, label, copied);
      progress(copied.copied + copied.present + copied.withdrawn + copied.unreadable.length, all);
    });
  await copyState(from, to);
  await copyContacts(from, to);
  return copied;
}

async function withdrawalsMissingIn(to: Store, from: Store): Promise<Withdrawal[]> {
  const present = new Set((await to.withdrawals()).map(({ vin }) => vin));
  return (await from.withdrawals()).filter(({ vin }) => !present.has(vin));
}

async function copyLabel(from: Store, to: Store, label: HeldLabel, copied: Copied): Promise<void> {
  const target = await to.find(label.vin);
  if (target.label?.sha256 === label.sha256 && !target.label.damaged) {
    copied.present++;
    return;
  }
  if (target.withdrawal) {
    copied.withdrawn++;
    return;
  }
  const pdf = await from.pdf(label).catch(nullFor(LabelMissing, LabelCorrupted));
  if (!pdf) {
    copied.unreadable.push(label.vin);
    return;
  }
  const { vin, make, source, host, fetched, paint, car, reader } = label;
  const kept = await to
    .addLabel({ vin, make, source, host, fetched, paint, car, reader }, pdf)
    .catch(nullFor(LabelWithdrawn));
  // The target may have an older label for this VIN; the first one stays.
  if (kept === null) copied.withdrawn++;
  else if (kept.sha256 === label.sha256) copied.copied++;
  else copied.present++;
}

async function copyState(from: Store, to: Store): Promise<void> {
  const present = new Map((await to.switches()).map((row) => [row.source, row]));
  for (const row of await from.switches()) {
    if (row.since > (present.get(row.source)?.since ?? -1)) await to.setSwitch(row);
  }
  await to.addChanges(await from.changes(100_000));
  let after: string | null = null;
  for (;;) {
    const page = await from.values(after, PAGE_SIZE);
    for (const { key, value, until } of page) await to.setValue(key, value, until);
    after = page.at(-1)?.key ?? null;
    if (after === null) return;
  }
}

async function copyContacts(from: Store, to: Store): Promise<void> {
  const uses = await from.contacts.uses('0000-00-00');
  for (let start = 0; start < uses.length; start += PAGE_SIZE)
    await to.contacts.raise(uses.slice(start, start + PAGE_SIZE));
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
    const present = new Map((await to.contacts.noticeRows(notice)).map((row) => [row.recipient, row]));
    for (const row of rows) {
      // The target may have sent it already; no recipient gets it twice.
      if (present.get(row.recipient)?.state !== 'waiting') continue;
      await to.contacts.setNotice(notice, row.recipient, row.state, row.tries, row.at);
    }
  }
}
