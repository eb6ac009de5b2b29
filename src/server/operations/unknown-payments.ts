import { inArray } from 'drizzle-orm';
import { formatMoney } from '#domain/format/money.ts';
import { COMMAND_LANGUAGE } from '#messages/text-locale.ts';
import type { CommandContext } from '../context.ts';
import type { Table } from '../csv/format-table.ts';
import type { Database } from '../database/database.ts';
import { payments } from '../database/schema/sales.ts';
import { topUps } from '../database/schema/trip-cards.ts';
import { orderSubject } from '../orders/pay/order-subject.ts';
import type { PaidIntent, PaymentProvider } from '../payments/provider/payment-provider.ts';
import { fromProviderMoney } from '../payments/provider/provider-amounts.ts';
import { topUpSubject } from '../trip-cards/top-up-subject.ts';

/** The payment cannot be refunded, or the card provider not be asked; the message tells the operator why. */
export class PaymentRefused extends Error {}

/** The clock of the database and that of the card provider may differ. */
const CLOCK_TOLERANCE_MS = 600_000;
/** Ids per statement. */
const BATCH = 1000;

/**
 * The payments since an instant that the card provider has and this database has not, as after a restore. Payments
 * refunded in full are left out, and so are those of other products that share the account with the card provider.
 * @throws {PaymentRefused}
 */
export async function listUnknownPayments(context: CommandContext, since: Date): Promise<Table> {
  const provider = requireProvider(context);
  const paid = await provider.listPaidIntents(new Date(since.getTime() - CLOCK_TOLERANCE_MS));
  const unknown: PaidIntent[] = [];
  for (let first = 0; first < paid.length; first += BATCH) {
    const batch = paid.slice(first, first + BATCH).filter((intent) => isOurs(intent) && getRest(intent) > 0);
    const isStored = await findStored(context.db, batch);
    unknown.push(...batch.filter((intent) => !isStored(intent)));
  }
  return {
    columns: ['payment', 'at', 'amount', 'for', 'email'],
    rows: unknown.map((intent) => [
      intent.id,
      intent.paidAt.toISOString(),
      formatRest(intent),
      describePurpose(intent),
      intent.email ?? '',
    ]),
  };
}

/**
 * Refunds the remaining amount of a payment that has no order, top-up or pass in this database.
 * @returns what was refunded, for people
 * @throws {PaymentRefused}
 */
export async function refundUnknownPayment(context: CommandContext, id: string): Promise<string> {
  const provider = requireProvider(context);
  const intent = await provider.findPaidIntent(id);
  if (intent === null) throw new PaymentRefused('The card provider has no payment with this id.');
  if (!isOurs(intent)) throw new PaymentRefused('This payment was not made here.');
  const isStored = await findStored(context.db, [intent]);
  if (isStored(intent)) {
    throw new PaymentRefused(
      `This payment is known (${describePurpose(intent)}). Refund an order with npm run orders:refund.`,
    );
  }
  const left = getRest(intent);
  if (left <= 0) throw new PaymentRefused('This payment has been refunded already.');
  const earlier = await provider.listRefunds(id);
  const refund = await provider.createRefund({
    intentId: id,
    money: fromProviderMoney({ ...intent.money, amount: left }),
    metadata: { unknown_payment: id },
    // After a refund that the bank returned, the next one is another request.
    idempotencyKey: `refund_unknown:${id}:${earlier.length}`,
  });
  if (refund === null) throw new PaymentRefused('The card provider refuses this refund.');
  return formatRest(intent);
}

function requireProvider({ provider }: CommandContext): PaymentProvider {
  if (provider) return provider;
  throw new PaymentRefused(
    'Test payments can only be listed while the server runs on the embedded database.',
  );
}

const ID_KEYS = [orderSubject, topUpSubject].map(({ idKey }) => idKey);

/** Our id of a payment is in the metadata of every payment made here. */
function isOurs({ metadata }: PaidIntent): boolean {
  return ID_KEYS.some((key) => metadata[key] !== undefined);
}

function getRest({ money, refunded }: PaidIntent): number {
  return money.amount - refunded;
}

function formatRest(intent: PaidIntent): string {
  const { amount, currency } = fromProviderMoney({ ...intent.money, amount: getRest(intent) });
  return formatMoney(amount, currency, COMMAND_LANGUAGE);
}

function describePurpose({ metadata, description }: PaidIntent): string {
  return metadata.reference ? `order ${metadata.reference}` : description;
}

/**
 * Which of the payments are in the database with the provider's id. A payment without it counts as unknown: the backup
 * was made while the provider created it, so it is never asked about again.
 */
async function findStored(
  db: Database,
  intents: readonly PaidIntent[],
): Promise<(intent: PaidIntent) => boolean> {
  const ids = intents.map(({ id }) => id);
  const references = new Set<string | null>();
  for (const table of [payments, topUps]) {
    const rows = await db
      .select({ id: table.providerReference })
      .from(table)
      .where(inArray(table.providerReference, ids));
    for (const { id } of rows) references.add(id);
  }
  return (intent) => references.has(intent.id);
}
