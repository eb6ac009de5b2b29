import { inArray } from 'drizzle-orm';
import type { PushKind } from '#domain/orders/push-kinds.ts';
import type { Database } from '#server/database/database.ts';
import { orders } from '#server/database/schema/sales.ts';
import { findMailed } from '#server/mail/order-mails.ts';
import { findSubscriptions } from '#server/push/queue-pushes.ts';
import { findSmsRecipients, type NoticeContext } from '#server/sms/queue-sms.ts';

/** An order whose passengers no message reaches. */
type UnreachableOrder = { reference: string; contactName: string; contactPhone: string };

/** Who is told about changed sailings. */
export type NoticeReport = {
  /** Number of paid orders that a message reaches. */
  notified: number;
  /** Number of orders that wait for payment, are canceled with their boat, and whose buyers are mailed. */
  unpaidNotified: number;
  /** Paid and unpaid orders that must be called, by reference. */
  unreachable: UnreachableOrder[];
};

export const NO_NOTICES: NoticeReport = { notified: 0, unpaidNotified: 0, unreachable: [] };

/** The orders among some whose passengers a message of a kind reaches: by mail, push or text message. */
export async function findReachable(
  db: Database,
  context: NoticeContext,
  notice: { kind: PushKind; orderIds: readonly string[] },
): Promise<ReadonlySet<string>> {
  if (notice.orderIds.length === 0) return new Set();
  const withApp = await findSubscriptions(db, context, notice.orderIds);
  const texted = await findSmsRecipients(db, context, notice);
  return new Set([
    ...(await findMailed(db, context, notice.orderIds)),
    ...[...withApp, ...texted].map(({ orderId }) => orderId),
  ]);
}

type Notices = {
  /** Ids of paid orders, by the kind of their message. */
  paid: ReadonlyMap<PushKind, readonly string[]>;
  /** Ids of orders that wait for payment and are canceled. Their buyers are told by mail only. */
  unpaid: readonly string[];
};

/** Counts the orders that notices reach, and names the others. */
export async function reportNotices(
  db: Database,
  context: NoticeContext,
  { paid, unpaid }: Notices,
): Promise<NoticeReport> {
  const mailed = new Set(unpaid.length === 0 ? [] : await findMailed(db, context, unpaid));
  const missed = unpaid.filter((id) => !mailed.has(id));
  let notified = 0;
  for (const [kind, orderIds] of paid) {
    const reachable = await findReachable(db, context, { kind, orderIds });
    notified += reachable.size;
    missed.push(...orderIds.filter((id) => !reachable.has(id)));
  }
  const unreachable = await readContacts(db, missed);
  return { notified, unpaidNotified: mailed.size, unreachable };
}

/** What the terminal says beside the number of paid orders that are written to. */
export function describeOtherNotices({ unpaidNotified, unreachable }: NoticeReport): string[] {
  const unpaid =
    unpaidNotified === 0 ? [] : [`Unpaid orders canceled, whose buyers are written to: ${unpaidNotified}.`];
  if (unreachable.length === 0) return unpaid;
  return [
    ...unpaid,
    `Orders that cannot be reached: ${unreachable.length}. Call them:`,
    ...unreachable.map(({ reference, contactName, contactPhone }) =>
      ['', reference, contactName, contactPhone || 'no phone number'].join('  '),
    ),
  ];
}

async function readContacts(db: Database, ids: readonly string[]): Promise<UnreachableOrder[]> {
  if (ids.length === 0) return [];
  return db
    .select({
      reference: orders.reference,
      contactName: orders.contactName,
      contactPhone: orders.contactPhone,
    })
    .from(orders)
    .where(inArray(orders.id, [...ids]))
    .orderBy(orders.reference);
}
