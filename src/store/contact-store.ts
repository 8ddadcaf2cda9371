import type { MaybePromise } from '../lib/maybe-promise.ts';

/** How often one contact used one route on one UTC day. Nothing else is known of it. */
export interface ContactUse {
  contact: string;
  /** `2026-11-15`, UTC. */
  day: string;
  /** The route template, `/api/v1/vin/{vin}`, never the path. */
  route: string;
  count: number;
  /** When the first of these was noted. A contact that was forgotten after that is not counted. */
  noted?: number;
}

/**
 * One message to one recipient of one notice; `sending` is set before the end of the message leaves, `sent` only after
 * the mail server took it.
 */
export interface NoticeRow {
  notice: string;
  recipient: string;
  state: 'waiting' | 'sending' | 'sent' | 'bounced';
  tries: number;
  at: number;
}

export interface ContactStore {
  /**
   * Adds the counts of a batch. A day that has `mostADay` rows gets no new ones; answers how many were left out.
   */
  add(uses: ContactUse[], mostADay?: number): MaybePromise<number>;
  /** Raises counts to at least these: copying a store twice must not count twice. */
  raise(uses: ContactUse[]): MaybePromise<void>;
  uses(sinceDay: string): MaybePromise<ContactUse[]>;
  /** Deletes uses and notices of one contact; answers how many rows there were. */
  forget(contact: string): MaybePromise<number>;
  /** Deletes uses and notices from before a day, `most` of each at a time. */
  forgetBefore(day: string, most?: number): MaybePromise<number>;

  /** Takes the recipient's mark, not the address: see `unsubscribe.ts`. */
  unsubscribe(recipient: string, at: number): MaybePromise<void>;
  unsubscribed(): MaybePromise<string[]>;

  /** Adds recipients of a notice that it does not have yet; answers how many were new. */
  planNotice(notice: string, recipients: string[], at: number): MaybePromise<number>;
  /** Names of all planned notices. */
  notices(): MaybePromise<string[]>;
  noticeRows(notice: string): MaybePromise<NoticeRow[]>;
  /** False when there is no such row, because the recipient was forgotten meanwhile. */
  setNotice(
    notice: string,
    recipient: string,
    state: NoticeRow['state'],
    tries: number,
    at: number,
  ): MaybePromise<boolean>;

  /** Announced breaking changes: route template, day of deprecation and of sunset, and a page that explains. */
  lifecycles(): MaybePromise<Lifecycle[]>;
  announce(change: Lifecycle): MaybePromise<void>;
  /** False when nothing was announced for this route. */
  withdraw(route: string): MaybePromise<boolean>;
}

export interface Lifecycle {
  route: string;
  deprecated: number;
  sunset: number | null;
  link: string;
}
