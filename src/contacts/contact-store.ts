import type { Soon } from '../soon.ts';

/** How often one contact used one route on one UTC day. Nothing else is known of it. */
export interface ContactUse {
  contact: string;
  /** `2026-11-15`, UTC. */
  day: string;
  /** The route template, `/api/v1/vin/{vin}`, never the path. */
  route: string;
  count: number;
}

/** One message to one recipient of one notice; `sent` is set only after the mail server took it. */
export interface NoticeRow {
  notice: string;
  recipient: string;
  state: 'waiting' | 'sending' | 'sent' | 'bounced';
  tries: number;
  at: number;
}

export interface ContactStore {
  /** Adds the counts of a batch. */
  add(uses: ContactUse[]): Soon<void>;
  /** Raises counts to at least these: copying a store twice must not count twice. */
  raise(uses: ContactUse[]): Soon<void>;
  uses(sinceDay: string): Soon<ContactUse[]>;
  forget(contact: string): Soon<number>;
  forgetBefore(day: string): Soon<number>;

  unsubscribe(recipient: string, at: number): Soon<void>;
  unsubscribed(): Soon<string[]>;

  /** Adds recipients of a notice that it does not have yet; answers how many were new. */
  planNotice(notice: string, recipients: string[], at: number): Soon<number>;
  /** Names of all planned notices. */
  notices(): Soon<string[]>;
  noticeRows(notice: string): Soon<NoticeRow[]>;
  setNotice(
    notice: string,
    recipient: string,
    state: NoticeRow['state'],
    tries: number,
    at: number,
  ): Soon<void>;

  /** Announced breaking changes: route template, day of deprecation and of sunset, and a page that explains. */
  lifecycles(): Soon<Lifecycle[]>;
  announce(change: Lifecycle): Soon<void>;
}

export interface Lifecycle {
  route: string;
  deprecated: number;
  sunset: number | null;
  link: string;
}
