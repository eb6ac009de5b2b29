import { and, desc, eq, ne } from 'drizzle-orm';
import type { OrderMessage } from '#contract/orders/push/schemas.ts';
import { findMessageTitle } from '#sentences/order-messages.ts';
import type { Context } from '#server/context.ts';
import { textsIn } from '#server/core/texts.ts';
import { pushes } from '#server/database/schema/push.ts';
import { smsMessages } from '#server/database/schema/sms.ts';
import { mails } from '#server/database/schema/system.ts';
import { maskEmail, maskPhone } from '../presenter.ts';

/** Customers may have a mail sent again as often as they like. */
const MAX_MESSAGES = 100;

/** That someone asked for assistance tells about their health. */
const ONLY_FOR_OWNER = 'order-assistance-changed';

type Sent = {
  channel: OrderMessage['channel'];
  kind: string;
  to: string;
  status: string;
  insertedAt: Date;
  sentAt: Date | null;
};

/**
 * What was sent about an order, newest first. Pushes and text messages that a newer one replaced, or that came too late, are left out.
 * @param input isOwner: whether the order's owner is signed in; anyone else reads masked addresses
 */
export async function listMessages(
  { db }: Pick<Context, 'db'>,
  { orderId, isOwner, language }: { orderId: string; isOwner: boolean; language: string },
): Promise<OrderMessage[]> {
  const sentMails = await db
    .select()
    .from(mails)
    .where(and(eq(mails.orderId, orderId), isOwner ? undefined : ne(mails.kind, ONLY_FOR_OWNER)))
    .orderBy(desc(mails.insertedAt))
    .limit(MAX_MESSAGES);
  const sentPushes = await db
    .select()
    .from(pushes)
    .where(and(eq(pushes.orderId, orderId), ne(pushes.status, 'dropped')))
    .orderBy(desc(pushes.insertedAt))
    .limit(MAX_MESSAGES);
  const sentSms = await db
    .select()
    .from(smsMessages)
    .where(and(eq(smsMessages.orderId, orderId), ne(smsMessages.status, 'dropped')))
    .orderBy(desc(smsMessages.insertedAt))
    .limit(MAX_MESSAGES);
  const all: Sent[] = [
    ...sentMails.map(({ toAddress, ...mail }) => ({
      ...mail,
      channel: 'mail' as const,
      to: isOwner ? toAddress : maskEmail(toAddress),
    })),
    ...sentPushes.map((push) => ({ ...push, channel: 'push' as const, to: push.device })),
    ...sentSms.map(({ toNumber, ...sms }) => ({
      ...sms,
      channel: 'sms' as const,
      to: isOwner ? toNumber : maskPhone(toNumber),
    })),
  ];
  return all
    .toSorted((a, b) => b.insertedAt.getTime() - a.insertedAt.getTime())
    .flatMap((sent) => present(sent, language));
}

function present({ channel, kind, to, status, insertedAt, sentAt }: Sent, language: string): OrderMessage[] {
  const title = findMessageTitle(kind);
  if (title === null) return [];
  return [
    {
      ...{ channel, to },
      title: textsIn(language)(title),
      status: status === 'queued' ? 'waiting' : status === 'sent' ? 'sent' : 'failed',
      at: (sentAt ?? insertedAt).toISOString(),
    },
  ];
}
