import { and, eq, or, sql } from 'drizzle-orm';
import type { CommandContext, Context } from '../context.ts';
import { type Database, queryRows } from '../database/database.ts';
import { accountLinks, customers, sessions } from '../database/schema/people.ts';
import { orders } from '../database/schema/sales.ts';
import { idempotencyKeys, mails } from '../database/schema/system.ts';
import { inTransaction } from '../database/transactions.ts';
import { ApiError } from '../http/api-error.ts';
import {
  type CustomerRow,
  lockOwner,
  normalizeEmail,
  type Owner,
  requireLockedCustomer,
} from '../identity/customers.ts';
import { queueAccountMail, sendSoon } from '../mail/account-mails.ts';
import { lockHolder } from '../payment-cards/provider-customer.ts';
import { detachTripCards } from '../trip-cards/account-lifecycle.ts';
import {
  eraseOrders,
  eraseRecipient,
  isOrderOfPerson,
  lockErasableOrders,
  lockOrdersToErase,
  PrivacyRefused,
} from './erase-orders.ts';
import { eraseElsewhere } from './guests.ts';
import { type Answering, auditPrivacyAct, logPrivacyAct, nameActor } from './privacy-log.ts';
import { deleteStoredResponses } from './stored-responses.ts';

/**
 * Deletes an account with all personal data in one transaction. Orders stay without their owner, because accounting and
 * the gate need them; personal data is removed from past ones. Upcoming orders keep their contact: tickets stay valid
 * and the passenger is notified of changes. Rate limit counters stay until they expire: they contain no personal data,
 * and deleting an account must not reset limits.
 * @throws {ApiError} session_expired, account_in_use
 */
export async function deleteCustomer(context: Context, owner: Owner): Promise<void> {
  const { customerId } = owner;
  const remove = async (tx: Database) => {
    const customer = await lockOwner(tx, context, owner);
    const holder = await lockHolder(tx, customerId);
    const ordersToErase = await lockPastOrders(tx, customerId, context.clock.now());
    const { mailId } = await deleteAccount(tx, context, { customer, ordersToErase, actor: 'customer' });
    return { mailId, holder };
  };
  const { mailId, holder } = await inTransaction(context.db, remove, isReferredToAgain);
  sendSoon(context.jobs, mailId);
  if (holder) await context.jobs.send('delete-card-holder', { customer: holder.providerReference });
}

/**
 * Erases a customer for the operator, who was asked in writing: the account, and the person in all orders of the address,
 * or nothing. The customer is mailed.
 * @returns the number of erased orders, and the customer at the card provider, who remains to be deleted
 * @throws {PrivacyRefused} if an order is not over yet, or a trip card holds value
 */
export async function eraseCustomer(
  { db, clock, vault }: Pick<CommandContext, 'db' | 'clock' | 'vault'>,
  { customerId, actor, reason }: Answering & { customerId: string },
): Promise<{ orders: number; providerCustomer: string | null }> {
  const erase = async (tx: Database) => {
    const customer = await requireLockedCustomer(tx, customerId);
    const holder = await lockHolder(tx, customerId);
    const address = normalizeEmail(customer.email);
    const isOwn = isOrderOfPerson({ customerId, email: address });
    const ordersToErase = await lockErasableOrders(tx, isOwn, clock.now());
    await eraseElsewhere(tx, address);
    const deleting = { customer, ordersToErase, actor: nameActor(actor) };
    const { recordId } = await deleteAccount(tx, { clock, vault }, deleting).catch(explainTripCards);
    const count = ordersToErase.length;
    await auditPrivacyAct(
      tx,
      { clock },
      {
        ...{ action: 'personal_data_erased', customerId, recordId, orders: count },
        ...{ actor, reason },
      },
    );
    return { orders: count, providerCustomer: holder?.providerReference ?? null };
  };
  return inTransaction(db, erase, isReferredToAgain);
}

function explainTripCards(error: unknown): never {
  if (!(error instanceof ApiError && error.code === 'account_in_use')) throw error;
  throw new PrivacyRefused([{ reason: 'erased_card_holds_value' }]);
}

/** Something has begun to refer to the customer after its turn in the order of locks. */
class ReferredToAgain extends Error {}
const isReferredToAgain = (error: unknown) => error instanceof ReferredToAgain;

/**
 * Locks a customer against new references. The last lock of the transaction: others check their reference to the customer
 * while they hold an order, a trip card or the card holder.
 * @throws {ReferredToAgain} if there are new ones; the transaction is worth repeating
 */
async function lockReferences(tx: Database, customerId: string): Promise<void> {
  await tx.execute(sql`select 1 from customers where id = ${customerId} for update`);
  const references = sql`
    select from orders where customer_id = ${customerId}
    union all select from trip_cards where customer_id = ${customerId} limit 1`;
  if ((await queryRows(tx, references)).length > 0)
    throw new ReferredToAgain('Something refers to the customer again.');
}

/**
 * Deletes a locked account, and removes the person from the given orders.
 * @returns the mail to the customer, and the record of the privacy log
 * @throws {ApiError} account_in_use
 */
async function deleteAccount(
  tx: Database,
  context: Pick<Context, 'clock' | 'vault'>,
  { customer, ordersToErase, actor }: { customer: CustomerRow; ordersToErase: string[]; actor: string },
): Promise<{ mailId: string; recordId: string }> {
  await detachTripCards(tx, context, customer);
  await deleteMails(tx, customer);
  await eraseOrders(tx, ordersToErase);
  await deleteStoredResponses(tx, context, ordersToErase);
  await tx.update(orders).set({ customerId: null }).where(eq(orders.customerId, customer.id));
  await eraseRecipient(tx, normalizeEmail(customer.email));
  await lockReferences(tx, customer.id);
  await deletePersonalData(tx, customer);
  const act = { kind: 'account_deleted', actor, orders: ordersToErase.length } as const;
  const recordId = await logPrivacyAct(tx, context, act);
  const { email, language } = customer;
  const mailId = await queueAccountMail(tx, context, {
    to: email,
    language,
    kind: 'account-deleted',
    data: {},
  });
  return { mailId, recordId };
}

/** Locks all orders of the customer, before their trip cards. */
async function lockPastOrders(tx: Database, customerId: string, now: Date): Promise<string[]> {
  const own = await lockOrdersToErase(tx, sql`o.customer_id = ${customerId}`, now);
  return own.filter(({ blocker }) => blocker === null).map(({ id }) => id);
}

/** Mails about the account, sent and pending. */
async function deleteMails(tx: Database, customer: CustomerRow): Promise<void> {
  const isToOwner = sql`lower(${mails.toAddress}) = ${normalizeEmail(customer.email)}`;
  const isToNewAddress = and(
    sql`lower(${mails.toAddress}) = ${normalizeEmail(customer.pendingEmail)}`,
    eq(mails.kind, 'confirm-email-change'),
  );
  await tx.delete(mails).where(and(sql`${mails.orderId} is null`, or(isToOwner, isToNewAddress)));
}

/** Factors, challenges, links, events and saved cards are deleted with the customer's row. */
export async function deletePersonalData(tx: Database, { id, email }: CustomerRow): Promise<void> {
  await tx.delete(sessions).where(eq(sessions.customerId, id));
  await tx.delete(accountLinks).where(eq(accountLinks.email, normalizeEmail(email)));
  await tx
    .delete(idempotencyKeys)
    .where(sql`right(${idempotencyKeys.scope}, ${id.length + 1}::int) = ${` ${id}`}`);
  await tx.delete(customers).where(eq(customers.id, id));
}
