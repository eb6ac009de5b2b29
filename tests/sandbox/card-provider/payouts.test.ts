import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { failure, type OpenProvider, openProvider, payOrigin } from './open-provider.ts';

const DAY = 86_400_000;
let open: OpenProvider;
beforeAll(async () => {
  open = await openProvider();
});
afterAll(() => open.close());
beforeEach(() => open.reset());

const press = (outcome: string, headers: Record<string, string> = {}) =>
  open.provider.fetch(
    new Request(`${payOrigin}/sandbox/payouts`, {
      method: 'POST',
      headers,
      body: new URLSearchParams({ outcome }),
    }),
  );
const typesOfPayouts = () =>
  open.webhooks.map(({ event }) => event.type).filter((type) => type.startsWith('payout.'));
const list = async () => (await open.stripe.payouts.list()).data;

describe('payouts of the sandbox', () => {
  test('have what is available after two days, in one payout for each currency', async () => {
    await open.pay('pm_card_visa');
    await open.pay('pm_card_visa', { currency: 'nok', amount: 10_000 });
    await open.provider.payOut();
    expect(await list()).toEqual([]);
    open.passTime(2 * DAY);
    await open.pay('pm_card_visa');
    await open.provider.payOut();
    await open.provider.payOut();
    expect((await list()).map(({ amount, currency }) => [currency, amount]).toSorted()).toEqual([
      ['eur', 5000 - 100],
      ['nok', 10_000 - 175],
    ]);
  });

  test('list their transactions with the charges, in pages, and are reported when they arrive', async () => {
    const paid = [await open.pay('pm_card_visa'), await open.pay('pm_card_visa')];
    await open.stripe.refunds.create({ payment_intent: paid[0]?.id ?? '', amount: 2000 });
    await open.provider.payOut({ isAtOnce: true });
    await open.provider.deliverNow();
    expect(typesOfPayouts()).toEqual(['payout.created', 'payout.reconciliation_completed', 'payout.paid']);
    const [payout] = await list();
    expect(payout).toMatchObject({ status: 'paid', automatic: true, reconciliation_status: 'completed' });
    const seen = [];
    const pages = { payout: payout?.id ?? '', expand: ['data.source'], limit: 1 };
    for await (const { type, net, source } of open.stripe.balanceTransactions.list(pages)) {
      seen.push([type, net, typeof source === 'object' ? source?.object : source]);
    }
    expect(seen).toEqual([
      ['payout', -7800, 'payout'],
      ['refund', -2000, 'refund'],
      ['charge', 4900, 'charge'],
      ['charge', 4900, 'charge'],
    ]);
    const { available, pending } = await open.stripe.balance.retrieve();
    expect([...available, ...pending].reduce((sum, { amount }) => sum + amount, 0)).toBe(0);
  });

  test('that the bank returns fail after they were paid, and the next one contains the money', async () => {
    await open.pay('pm_card_visa');
    expect((await press('returned')).status).toBe(303);
    await open.provider.deliverNow();
    await open.provider.deliverNow();
    expect(typesOfPayouts().at(-1)).toBe('payout.failed');
    expect(await list()).toMatchObject([{ status: 'failed', failure_code: 'account_closed' }]);
    await press('paid');
    await open.provider.deliverNow();
    expect((await list()).map(({ status, amount }) => [status, amount])).toEqual([
      ['paid', 4900],
      ['failed', 4900],
    ]);
  });

  test('deduct a dispute with a fee, and give the amount back when it is won', async () => {
    await open.pay('pm_card_visa');
    await open.pay('pm_card_createDispute');
    const [dispute] = (await open.stripe.disputes.list()).data;
    await open.stripe.disputes.update(dispute?.id ?? '', {
      evidence: { uncategorized_text: 'winning_evidence' },
    });
    await press('paid');
    expect(await list()).toMatchObject([{ amount: 2 * 4900 - 1500 }]);
  });

  test('are made on the page, but not by other sites or with another outcome', async () => {
    await open.pay('pm_card_visa');
    expect((await press('paid', { origin: 'http://evil.test' })).status).toBe(403);
    expect((await press('lost')).status).toBe(422);
    expect(await list()).toEqual([]);
    await press('paid', { origin: payOrigin });
    const page = await (await open.provider.fetch(new Request(`${payOrigin}/`))).text();
    expect(page).toContain('€49.00');
  });

  test('that do not exist are refused as the provider refuses them', async () => {
    expect(await failure(open.stripe.payouts.retrieve('po_none'))).toMatchObject({
      statusCode: 404,
      code: 'resource_missing',
    });
    expect(await failure(open.stripe.balanceTransactions.list({ payout: 'po_none' }))).toMatchObject({
      statusCode: 400,
      code: 'resource_missing',
      param: 'payout',
    });
  });
});
