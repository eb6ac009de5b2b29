import { asc, inArray, sql } from 'drizzle-orm';
import type { CardProblem } from '#contract/desk/card-sales/kinds.ts';
import type { CardSaleItems, CardSalePreview } from '#contract/desk/card-sales/schemas.ts';
import type { PassTerms } from '#contract/passes/pass-terms.ts';
import { getTopUpLimits } from '#domain/trip-cards/card-charges.ts';
import { parseTripCardCode } from '#domain/trip-cards/trip-card-code.ts';
import { parseTripCardNumber } from '#domain/trip-cards/trip-card-number.ts';
import type { Context } from '#server/context.ts';
import { type Database, queryRows } from '#server/database/database.ts';
import { getOperator } from '#server/database/operator.ts';
import { tripCards } from '#server/database/schema/trip-cards.ts';
import { canInvoice, requireInvoiceTerms } from '#server/invoices/invoice-terms.ts';
import { isSameCoverage } from '#server/passes/buy-pass.ts';
import { requireProduct } from '#server/passes/products.ts';
import { translatePass } from '#server/sailings/translate-catalogue.ts';
import { loadWebSettings } from '#server/settings/web-settings.ts';
import { requireTopUpAmount } from '#server/trip-cards/auto-top-up.ts';
import type { TripCardRow } from '#server/trip-cards/queries.ts';

export type CardSalePlan = {
  /** Null: money. */
  pass: PassTerms | null;
  /** The price of each card. */
  amount: number;
  currency: string;
  /** Plastic cards, in the order of their ids; empty for new numbers. */
  cards: TripCardRow[];
  /** New numbers to issue. */
  newCards: number;
  repeated: number;
  problems: CardSalePreview['problems'];
};

/**
 * What a sale on several trip cards would do. A plastic card that was never used becomes the pass that is sold; a card with
 * the same pass gets more trips.
 * @param input locks: whether the cards stay locked until the transaction ends
 * @throws {ApiError} not_found for a pass that is not on sale, top_up_amount
 */
export async function planSale(
  db: Database,
  { product, cards }: CardSaleItems,
  { locks = false } = {},
): Promise<CardSalePlan> {
  const { currency: ownCurrency } = await getOperator(db);
  const pass = product.kind === 'pass' ? await requireProduct(db, product.code) : null;
  const currency = pass?.currency ?? ownCurrency;
  if (product.kind === 'money') {
    const { top_up: settings } = await loadWebSettings({ db });
    requireTopUpAmount(product.amount, getTopUpLimits(settings, currency));
  }
  const shared = { pass, currency, amount: product.kind === 'money' ? product.amount : (pass?.price ?? 0) };
  if (cards.kind === 'new') {
    return { ...shared, cards: [], newCards: cards.count, repeated: 0, problems: [] };
  }
  const lines = cards.numbers.map((text, index) => ({ line: index + 1, text, number: readNumber(text) }));
  const numbers = [...new Set(lines.flatMap(({ number }) => number ?? []))];
  const byNumber = new Map(
    (await findCards(db, numbers, locks)).map((card) => [card.number, card] satisfies [string, TripCardRow]),
  );
  const used = await listUsed(db, [...byNumber.values()]);
  const problems = lines.flatMap(({ line, text, number }) => {
    const card = number === null ? undefined : byNumber.get(number);
    const problem = number === null ? 'not_a_number' : findProblem(card, { ...shared, used });
    return problem === null ? [] : [{ line, text, problem }];
  });
  const valid = lines.filter(({ number }) => number !== null).length;
  return {
    ...shared,
    cards: [...byNumber.values()],
    newCards: 0,
    repeated: valid - numbers.length,
    problems,
  };
}

/** A plan as it is shown before anything is sold. */
export async function presentPlan(
  context: Pick<Context, 'db' | 'clock'>,
  { pass, amount, currency, cards, newCards, repeated, problems }: CardSalePlan,
  language: string,
): Promise<CardSalePreview> {
  const count = cards.length + newCards;
  const hasInvoices = canInvoice(await loadWebSettings(context));
  return {
    ...{ cards: count, amount, total: count * amount, currency, repeated, problems },
    pass_name: pass && translatePass(pass, language).name,
    due_on: hasInvoices ? (await requireInvoiceTerms(context, null)).due.on : null,
  };
}

function readNumber(text: string): string | null {
  return parseTripCardCode(text)?.fields.number ?? parseTripCardNumber(text);
}

function findCards(db: Database, numbers: readonly string[], locks: boolean): Promise<TripCardRow[]> {
  if (numbers.length === 0) return Promise.resolve([]);
  const query = db
    .select()
    .from(tripCards)
    .where(inArray(tripCards.number, [...numbers]))
    .orderBy(asc(tripCards.id));
  return locks ? query.for('no key update') : query;
}

/** The cards that have or had something of their own, so that they cannot become a pass. */
async function listUsed(db: Database, cards: readonly TripCardRow[]): Promise<ReadonlySet<string>> {
  const ids = sql`(select jsonb_array_elements_text(${JSON.stringify(cards.map(({ id }) => id))}::jsonb))`;
  const rows = await queryRows<{ id: string }>(
    db,
    sql`
      select trip_card_id as id from trip_card_debts where trip_card_id in ${ids}
      union select trip_card_id from top_ups where trip_card_id in ${ids}
      union select trip_card_id from trip_card_entries where trip_card_id in ${ids}
    `,
  );
  return new Set(rows.map(({ id }) => id));
}

function findProblem(
  card: TripCardRow | undefined,
  { pass, currency, used }: Pick<CardSalePlan, 'pass' | 'currency'> & { used: ReadonlySet<string> },
): CardProblem | null {
  if (!card) return 'unknown';
  if (card.status !== 'active') return 'blocked';
  if (card.currency !== currency) return 'other_use';
  if (pass === null) return card.unit === 'money' ? null : 'other_use';
  const canTake =
    card.pass === null ? card.customerId === null && !used.has(card.id) : isSameCoverage(card.pass, pass);
  return canTake ? null : 'other_use';
}
