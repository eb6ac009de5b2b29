import { isDeepStrictEqual } from 'node:util';
import { and, desc, eq, ne, sql } from 'drizzle-orm';
import type { PassTerms } from '#contract/passes/pass-terms.ts';
import type { BuyPass } from '#contract/passes/schemas.ts';
import type { StartedTopUp } from '#contract/trip-cards/schemas.ts';
import type { Context } from '../context.ts';
import type { Database } from '../database/database.ts';
import { topUps, tripCards } from '../database/schema/trip-cards.ts';
import { inTransaction, violatedUniqueConstraint } from '../database/transactions.ts';
import { ApiError } from '../http/api-error.ts';
import type { Client } from '../http/client.ts';
import { requireLockedCustomer } from '../identity/customers.ts';
import { insertPass } from '../trip-cards/add-card.ts';
import { requireActive, type TopUpRow, type TripCardRow } from '../trip-cards/queries.ts';
import { chargeCustomer, insertTopUp, type PayerOfTopUp } from '../trip-cards/top-ups.ts';
import { requireProduct } from './products.ts';

/** `claim` identifies the request. */
type PassRequest = BuyPass & {
  customerId: string;
  claim: string;
  client: Pick<Client, 'device' | 'network' | 'language'>;
};

/**
 * Starts the purchase of a pass, like a top-up. The trips are on the card once it is paid. A pass that the customer has
 * is renewed if it pays for the same; otherwise they get another card, which is listed once it is paid.
 * @throws {ApiError} not_found, price_changed, trip_card_frozen, too_many_trip_cards; as `chargeCustomer`
 */
export async function buyPass(context: Context, input: PassRequest): Promise<StartedTopUp> {
  const pass = await requireProduct(context.db, input.code);
  if (pass.price !== input.price) throw new ApiError('price_changed', { field: 'price' });
  return chargeCustomer(context, input, (payer) => openPurchase(context, input, { pass, payer }));
}

/** The request's purchase; a repeated request finds the one it opened. */
async function openPurchase(
  context: Context,
  { customerId, claim, client }: PassRequest,
  { pass, payer }: { pass: PassTerms; payer: PayerOfTopUp },
): Promise<TopUpRow> {
  return inTransaction(
    context.db,
    async (tx) => {
      await requireLockedCustomer(tx, customerId);
      const [earlier] = await tx.select().from(topUps).where(eq(topUps.idempotencyKey, claim));
      if (earlier) return earlier;
      const card =
        (await lockPass(tx, customerId, pass)) ??
        (await insertPass(tx, context, { customerId, pass, language: client.language }));
      requireActive(card);
      return insertTopUp(tx, context, {
        card,
        ...payer,
        byCustomerId: customerId,
        amount: pass.price,
        pass,
        trigger: 'manual',
        idempotencyKey: claim,
      });
    },
    (error) => violatedUniqueConstraint(error) !== null,
  );
}

/** The customer's pass that a purchase renews, locked: the newest with the same code and coverage. */
async function lockPass(tx: Database, customerId: string, pass: PassTerms): Promise<TripCardRow | undefined> {
  const cards = await tx
    .select()
    .from(tripCards)
    .where(
      and(
        eq(tripCards.customerId, customerId),
        ne(tripCards.status, 'lost'),
        sql`${tripCards.pass} ->> 'code' = ${pass.code}`,
      ),
    )
    .orderBy(desc(tripCards.insertedAt), desc(tripCards.id))
    .for('no key update');
  return cards.find((card) => card.pass !== null && isSameCoverage(card.pass, pass));
}

/** Whether trips bought on these terms pay for the same, so that they can be on one card. */
export function isSameCoverage(a: PassTerms, b: PassTerms): boolean {
  const listCoverage = (terms: PassTerms) => [
    terms.lines?.toSorted() ?? null,
    terms.passenger_types?.toSorted() ?? null,
    terms.vehicle_type,
    terms.valid_from,
    terms.valid_days === null,
    terms.currency,
  ];
  return isDeepStrictEqual(listCoverage(a), listCoverage(b));
}
