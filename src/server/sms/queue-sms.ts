import { and, eq, inArray, sql } from 'drizzle-orm';
import { type PushKind, SMS_KINDS } from '#domain/orders/push-kinds.ts';
import type { Config } from '../config.ts';
import type { Context } from '../context.ts';
import { newId } from '../core/ids.ts';
import type { Database } from '../database/database.ts';
import { orders } from '../database/schema/sales.ts';
import { type SmsRow, smsMessages } from '../database/schema/sms.ts';
import { daysBefore, type RetentionRule } from '../retention.ts';
import { toInternationalNumber } from './phone-number.ts';

/** Only passengers of boats that leave so soon are told by text message. */
export const SOON_MS = 12 * 3_600_000;

type SmsNotice = { kind: PushKind; orderIds: readonly string[] };

export type NoticeContext = Pick<Context, 'clock'> & { config: Pick<Config, 'sms'> };

/**
 * Queues a text message to the telephone number of each of some orders, if the operator has a provider and a boat of
 * the order leaves soon; call it in the causing transaction. A message that still waits is replaced: each is written
 * from the order's state when it is sent.
 */
export async function queueSms(tx: Database, context: NoticeContext, notice: SmsNotice): Promise<void> {
  const now = context.clock.now();
  const queued = { status: 'queued', tryAt: now, insertedAt: now } as const;
  const recipients = await findSmsRecipients(tx, context, notice);
  const rows = recipients.map((recipient) => ({ id: newId('sms'), ...recipient, ...queued }));
  if (rows.length === 0) return;
  const replaced = rows.map(({ orderId }) => orderId);
  await tx
    .update(smsMessages)
    .set({ status: 'dropped' })
    .where(and(eq(smsMessages.status, 'queued'), inArray(smsMessages.orderId, replaced)));
  await tx.insert(smsMessages).values(rows);
}

/** The numbers that `queueSms` sends a message to, with the order of each. */
export async function findSmsRecipients(
  db: Database,
  { clock, config }: NoticeContext,
  { kind, orderIds }: SmsNotice,
): Promise<Pick<SmsRow, 'orderId' | 'kind' | 'toNumber'>[]> {
  const smsKind = SMS_KINDS.find((each) => each === kind);
  if (config.sms === null || smsKind === undefined) return [];
  const { countryCode } = config.sms;
  const now = clock.now();
  const ids = sql`(select jsonb_array_elements_text(${JSON.stringify(orderIds)}::jsonb))`;
  const soon = new Date(now.getTime() + SOON_MS).toISOString();
  const leavesSoon = sql`exists (
    select from order_lines l join sailings s on s.id = l.sailing_id
    where l.order_id = ${orders.id} and l.status = 'active' and s.departs_at < ${soon}::timestamptz
      and s.departs_at + make_interval(mins => s.delay_minutes) > ${now.toISOString()}::timestamptz)`;
  const called = await db
    .select({ orderId: orders.id, phone: orders.contactPhone })
    .from(orders)
    .where(sql`${orders.id} in ${ids} and ${orders.contactPhone} <> '' and ${leavesSoon}`);
  return called.flatMap(({ orderId, phone }) => {
    const toNumber = toInternationalNumber(phone, countryCode);
    return toNumber === null ? [] : [{ orderId, kind: smsKind, toNumber }];
  });
}

/** Deletes old text messages that do not wait. */
export const deleteOldSms: RetentionRule = async (db, now, keepDays) => {
  const isOld = sql`${smsMessages.status} <> 'queued'
    and ${smsMessages.insertedAt} < ${daysBefore(now, keepDays.mails).toISOString()}::timestamptz`;
  await db.delete(smsMessages).where(isOld);
};
