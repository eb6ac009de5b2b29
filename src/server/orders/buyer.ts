import type { Context } from '../context.ts';
import type { OrderRow } from '../database/schema/sales.ts';
import { ApiError, notFound } from '../http/api-error.ts';
import { normalizeEmail } from '../identity/customers.ts';

/** `buyerSecret`: what the caller's browser got when it made the order, or for a code mailed to the buyer. */
export type Caller = { customerId: string | null; buyerSecret: string | undefined };

type Owned = Pick<OrderRow, 'id' | 'customerId' | 'contactEmail'>;

/** The secret of the browser that made an order. */
export function createBuyerSecret({ vault }: Pick<Context, 'vault'>, { id }: Pick<OrderRow, 'id'>): string {
  return vault.sign(MADE_IT, id);
}

/** The secret of a browser whose user has typed a code from the buyer's mailbox. It ends with the address. */
export function createMailboxSecret({ vault }: Pick<Context, 'vault'>, order: Owned): string {
  return vault.sign(READS_MAIL, describeMailbox(order));
}

/**
 * Permits a change to the signed-in owner or, if the order belongs to no account, to a browser with a secret. Companions
 * read the order by its link and change nothing.
 * @throws {ApiError} not_found for an order of another customer, change_not_allowed
 */
export function requireBuyer(
  { vault }: Pick<Context, 'vault'>,
  order: Owned,
  { customerId, buyerSecret = '' }: Caller,
): void {
  if (order.customerId !== null) {
    if (order.customerId !== customerId) throw notFound();
    return;
  }
  const isBuyer =
    vault.verify(MADE_IT, order.id, buyerSecret) ||
    vault.verify(READS_MAIL, describeMailbox(order), buyerSecret);
  if (isBuyer) return;
  throw new ApiError('change_not_allowed', {
    field: 'buyer_secret',
    reason: 'not_the_buyer',
  });
}

const MADE_IT = 'order-maker';
const READS_MAIL = 'order-mailbox';

function describeMailbox({ id, contactEmail }: Owned): string {
  return `${id} ${normalizeEmail(contactEmail)}`;
}
