import { eq, sql } from 'drizzle-orm';
import type { SecurityEventKind } from '#contract/identity/security/schemas.ts';
import type { StaffRole } from '#contract/staff/permissions.ts';
import type { TRIP_CARD_UNITS } from '#contract/trip-cards/schemas.ts';
import type { OfferedLanguage } from '#messages/languages.ts';
import type { Context } from '../context.ts';
import { newId } from '../core/ids.ts';
import type { Database } from '../database/database.ts';
import { customers } from '../database/schema/people.ts';
import { mails } from '../database/schema/system.ts';
import type { Jobs } from '../jobs/jobs.ts';

/**
 * Template data of account mails, by kind. Links are built from configured origins. `device` is a name made by the
 * server ("Safari on iPhone"), never text from the request.
 */
export type AccountMailData = {
  'sign-in-code': { code: string; link: string; device: string };
  'step-up-code': { code: string; device: string };
  'order-code': { code: string; reference: string; device: string };
  /** The address is unverified, so the mail contains no text chosen by the sender. `sailings`: formatted. */
  'tickets-shared': { link: string; tickets: number; sailings: readonly string[] };
  'no-account': { device: string };
  'confirm-account': { link: string };
  'account-exists': Record<never, string>;
  'reset-password': { link: string; device: string };
  'confirm-email-change': { link: string };
  'email-taken': Record<never, string>;
  'email-change-asked': { newEmail: string; link: string; device: string };
  'email-changed': { newEmail: string; link: string; device: string };
  'email-change-undone': Record<never, string>;
  /** `at`: ISO UTC. */
  'security-event': { event: SecurityEventKind; device: string; at: string };
  'account-deleted': Record<never, string>;
  'staff-invitation': { link: string; role: StaffRole };
  /** Amounts are in the card's unit. */
  'trip-card-low': TripCardData & { balance: number };
  'trip-card-topped-up': TripCardData & { amount: number; balance: number; receiptNumber: string };
  'trip-card-auto-stopped': TripCardData & { why: 'needs_card' | 'needs_authentication' };
  /** `taken` of `amount` was removed from the card; the rest, if any, is `owed`. */
  'trip-card-disputed': TripCardData & {
    amount: number;
    taken: number;
    owed: number;
    source: 'top_up' | 'refund';
  };
  'trip-card-lost': TripCardData & { newLastFour: string };
  /** `paid`: minor units. */
  'trip-card-pass-bought': TripCardData & PassData & { paid: number; receiptNumber: string };
  'trip-card-pass-ends': TripCardData & PassData & { days: number };
  /** The address may be unverified, so the mail contains no text chosen by the sender. */
  'trip-card-shared': Record<never, string>;
};
export type TripCardData = {
  name: string;
  lastFour: string;
  unit: (typeof TRIP_CARD_UNITS)[number];
  currency: string;
};
/** `trips`: the balance; `validUntil`: the last day, `YYYY-MM-DD`. */
export type PassData = { trips: number; validUntil: string | null };
export type AccountMailKind = keyof AccountMailData;
export type AccountMessage = {
  [Kind in AccountMailKind]: { kind: Kind; data: AccountMailData[Kind] };
}[AccountMailKind];
export type AccountMail = {
  to: string;
  /** For a recipient without an account in a chosen language: a language tag; the operator's by default. */
  language?: string | null;
} & AccountMessage;

/**
 * Queues a mail about an account; call it in the causing transaction, and `sendSoon` after the commit. Its data is
 * encrypted and deleted once it is sent, because it may give access to the account; the rendered mail is never stored.
 * @returns the mail's id
 */
export async function queueAccountMail(
  db: Database,
  { clock, vault }: Pick<Context, 'clock' | 'vault'>,
  { to, language = null, kind, data }: AccountMail,
): Promise<string> {
  const now = clock.now();
  const id = newId('mal');
  await db.insert(mails).values({
    id,
    kind,
    toAddress: to,
    language: (await findAccountLanguage(db, to)) ?? language,
    encryptedData: vault.encrypt(JSON.stringify(data)),
    status: 'queued',
    tryAt: now,
    insertedAt: now,
  });
  return id;
}

/** The language that the account with an address is in; null if there is none. */
export async function findAccountLanguage(db: Database, email: string): Promise<OfferedLanguage | null> {
  const [account] = await db
    .select({ language: customers.language })
    .from(customers)
    .where(eq(sql`lower(${customers.email})`, sql`lower(${email})`));
  return account?.language ?? null;
}

/**
 * Fire and forget: sends mails at once, before the rest of the queue, because their recipients are waiting for them. If
 * the request is lost, the run of every minute sends them.
 */
export function sendSoon(jobs: Pick<Jobs, 'send'>, ...mailIds: readonly (string | null)[]): void {
  for (const mailId of mailIds) {
    if (mailId !== null) void jobs.send('send-mail', { mail_id: mailId }).catch(() => {});
  }
}
