/** How often one contact used one route on one UTC day. Nothing else is recorded. */
export interface ContactUse {
  contact: string;
  /** `2026-11-15`, UTC. */
  day: string;
  /** The route template, `/api/v1/vin/{vin}`, never the path. */
  route: string;
  count: number;
  /** Time of the first of these requests. They are not counted if the contact was forgotten after it. */
  noted?: number;
}

/**
 * One message of a notice to one recipient. `sending` is set before the end of the message is sent, `sent` only after
 * the mail server accepted it.
 */
export interface NoticeRow {
  notice: string;
  recipient: string;
  state: 'waiting' | 'sending' | 'sent' | 'bounced';
  tries: number;
  at: number;
}

export interface ContactStore {
  /** Adds the counts of a batch, with at most `maxNewRows` new rows; returns how many were skipped. */
  add(uses: ContactUse[], maxNewRows?: number): Promise<number>;
  /** The days with uses and how many rows each has, the largest first. */
  days(): Promise<{ day: string; rows: number }[]>;
  /** How many rows of a day are of newcomers, contacts that were seen on no other day. Stops counting at `max`. */
  newcomers(day: string, max: number): Promise<number>;
  /** Deletes up to `limit` rows of a day's newcomers, from the row at position `from` on; returns the number of rows. */
  evictNewcomers(day: string, from: number, limit: number): Promise<number>;
  /** Raises counts to at least these values, so that copying a store twice does not count twice. */
  raise(uses: ContactUse[]): Promise<void>;
  uses(sinceDay: string): Promise<ContactUse[]>;
  /** Deletes the uses and notices of one contact; returns the number of rows. */
  forget(contact: string): Promise<number>;
  /** Deletes up to `limit` uses and `limit` notices older than a day; returns the number of rows. */
  forgetBefore(day: string, limit: number): Promise<number>;

  /** Takes the recipient's hash, not the e-mail address: see `unsubscribe.ts`. */
  unsubscribe(recipient: string, at: number): Promise<void>;
  unsubscribed(): Promise<string[]>;

  /** Adds new recipients to a notice; returns how many were new. */
  planNotice(notice: string, recipients: string[], at: number): Promise<number>;
  /** Names of all planned notices. */
  notices(): Promise<string[]>;
  noticeRows(notice: string): Promise<NoticeRow[]>;
  /** False when there is no such row because the recipient was forgotten. */
  setNotice(
    notice: string,
    recipient: string,
    state: NoticeRow['state'],
    tries: number,
    at: number,
  ): Promise<boolean>;

  /** Announced breaking changes. */
  lifecycles(): Promise<Lifecycle[]>;
  announce(change: Lifecycle): Promise<void>;
  /** False when nothing was announced for this route. */
  withdraw(route: string): Promise<boolean>;
}

export interface Lifecycle {
  /** The route template. */
  route: string;
  deprecated: number;
  sunset: number | null;
  /** A page that explains the change. */
  link: string;
}
