import type { FareParty, TakeFare } from '#contract/gate/fares/schemas.ts';
import { decideFare, type FareStop } from '#domain/boarding/decide-fare.ts';
import type { Context } from '#server/context.ts';
import { ApiError, notFound } from '#server/http/api-error.ts';
import { planPassPart } from '#server/orders/buy/pass-part.ts';
import { createQuote } from '#server/orders/buy/quotes.ts';
import type { Cashier, StaffPayment } from '#server/orders/pay/pay-by-staff.ts';
import type { OrderRecord } from '#server/orders/queries.ts';
import { type CatalogueRecord, findTimetable, loadCatalogue } from '#server/sailings/queries.ts';
import { availableOn, requireActive, type TripCardRow } from '#server/trip-cards/queries.ts';
import { findSold, sellAtRamp } from '../sales/sell.ts';
import { listSailingFares } from './sailing-fares.ts';
import { presentFareCard, requireShownCard } from './shown-card.ts';

type Input = {
  fare: TakeFare;
  /** Identifies the request; a repeated one continues the same sale. */
  claim: string;
  cashier: Cashier;
  language: string;
};

/**
 * Sells people at a gate their tickets, paid by the trip card or pass that they show. It is decided as on the device. A
 * repeated request gets what it sold before, though the card would not pay it again.
 * @returns balance: what is left on the card, in its unit
 * @throws {ApiError} not_found; unknown_trip_card, trip_card_frozen, trip_card_lost, pass_expired, insufficient_balance;
 * fare_refused, also if the price has changed; sailing_not_boarding, sold_out
 */
export async function takeFare(
  context: Context,
  input: Input,
): Promise<{ record: OrderRecord; balance: number }> {
  const { db } = context;
  const catalogue = await loadCatalogue(db);
  const record = (await findSold(context, input.claim)) ?? (await sellFare(context, catalogue, input));
  const { card } = await requireShownCard(db, input.fare.card, catalogue.feed.currency);
  return { record, balance: availableOn(card) };
}

async function sellFare(
  context: Context,
  catalogue: CatalogueRecord,
  { fare, claim, cashier, language }: Input,
): Promise<OrderRecord> {
  const { db, clock } = context;
  const shown = await requireShownCard(db, fare.card, catalogue.feed.currency);
  const { card } = shown;
  const [sailing] = await findTimetable(db, [fare.sailing_id]);
  if (!sailing) throw notFound();
  const [fares] = listSailingFares(catalogue, [sailing], language);
  const decision = decideFare({
    ...{ card: presentFareCard(shown, language), party: fare.passengers, fares, left: null },
    sailing: {
      status: sailing.status,
      departed_at: sailing.departedAt?.toISOString() ?? null,
      departs_at: sailing.departsAt.toISOString(),
    },
    now: clock.now().getTime(),
  });
  if (decision.answer === 'stop') throw explainStop(decision.reason, card);
  if (decision.amount !== fare.amount || !fares) throw new ApiError('fare_refused');
  const quote = await createQuote(context, buildRequest(fare, fares.fare_class), language, 'ramp');
  return sellAtRamp(context, {
    ...{ quoteId: quote.id, claim, cashier, language, plate: null },
    contact: { name: '', email: '', phone: '' },
    findPayment: async ({ id, total, currency }): Promise<StaffPayment> => {
      const method = 'trip_card';
      if (card.pass === null) return { method, cardId: card.id, coverage: null };
      const coverage = await planPassPart(db, context, {
        ...{ order: { id, total, currency }, held: { card, role: 'owner', dailyLimit: null } },
        ...{ customerId: '', limit: availableOn(card) },
      });
      if (coverage.length !== fare.amount) throw new ApiError('fare_refused');
      return { method, cardId: card.id, coverage };
    },
  });
}

function buildRequest(
  { sailing_id, passengers }: { sailing_id: string; passengers: FareParty },
  fareClass: string,
) {
  return {
    ...{ legs: [{ sailing_id }], passengers: [...passengers], vehicle: null, bicycles: 0 },
    ...{ fare_class: fareClass, promo_code: null },
  };
}

function explainStop(reason: FareStop, card: TripCardRow): ApiError {
  if (reason === 'card_blocked') requireActive(card);
  if (reason === 'pass_ended') return new ApiError('pass_expired');
  if (reason === 'sailing_canceled' || reason === 'departed') return new ApiError('sailing_not_boarding');
  if (reason !== 'not_enough') return new ApiError('fare_refused');
  return new ApiError('insufficient_balance', { details: { balance: availableOn(card) } });
}
