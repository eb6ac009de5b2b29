import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { must } from '#tests/factories/buyer.ts';
import { type CardOffice, openCardOffice, type Wallet } from './wallet.ts';

let office: CardOffice;
let ada: Wallet;
let grace: Wallet;
let mary: Wallet;
beforeAll(async () => {
  office = await openCardOffice();
});
afterAll(() => office.close());
beforeEach(async () => {
  await office.reopen();
  [ada, grace, mary] = [await office.openWallet(), await office.openWallet(), await office.openWallet()];
});

/** Midnight of the new year at the operator, when the test cards of 12/29 have expired. */
const EXPIRED = '2030-01-01T08:00:00.000Z';

/** The last digits of the provider's default card of a customer. */
async function lastFourAtProvider(wallet: Wallet): Promise<string | null> {
  const { methods, primary } = await wallet.atProvider();
  if (primary === null) return null;
  return methods.find(({ id }) => id === primary)?.card?.last4 ?? 'a card of another customer';
}

async function runJob(): Promise<void> {
  office.jobs.asked.length = 0;
  office.jobs.trigger('sync-payment-cards');
  await office.jobs.runJobs();
}

describe('the job that mirrors primary cards', () => {
  test('tells the provider of each customer their own primary card when several have one', async () => {
    const cards = await Promise.all([
      ada.add('pm_card_visa'),
      grace.add('pm_card_mastercard'),
      mary.add('pm_card_amex'),
    ]);
    await runJob();
    for (const [index, wallet] of [ada, grace, mary].entries()) {
      expect(await lastFourAtProvider(wallet)).toBe(cards[index]?.last_four);
    }
  });

  test('leaves a customer without a primary card alone when one other customer has one', async () => {
    const gone = await grace.add('pm_card_mastercard');
    await runJob();
    must(await grace.remove(gone.id));
    await ada.add('pm_card_visa');
    await runJob();
    expect(await lastFourAtProvider(ada)).toBe('4242');
    expect(await lastFourAtProvider(grace)).toBeNull();
    const [holder] = await office.database.store.query(
      'select mirrored_method from card_holders where customer_id = $1',
      [grace.customer.id],
    );
    expect(holder).toEqual({ mirrored_method: null });
  });

  test('replaces an expired primary card by the newest good card of the same customer', async () => {
    const replacements: [Wallet, string][] = [];
    for (const [wallet, renewed] of [
      [ada, 'pm_card_mastercard'],
      [grace, 'pm_card_amex'],
    ] as const) {
      await wallet.add('pm_card_visa');
      office.clock.advance(1000);
      await wallet.add('pm_card_discover');
      office.clock.advance(1000);
      const kept = await wallet.add(renewed);
      const { methods } = await wallet.atProvider();
      for (const { id, card } of methods.filter((method) => method.card?.last4 !== '4242')) {
        const year = card?.last4 === kept.last_four ? 2032 : 2031;
        await office.stripe.paymentMethods.update(id, { card: { exp_month: 1, exp_year: year } });
      }
      replacements.push([wallet, kept.last_four]);
    }
    await mary.add('pm_card_visa');
    await office.provider.deliverNow();
    await runJob();
    for (const wallet of [ada, grace, mary]) expect(await lastFourAtProvider(wallet)).toBe('4242');

    office.clock.set(EXPIRED);
    await runJob();
    for (const [wallet, lastFour] of replacements) expect(await lastFourAtProvider(wallet)).toBe(lastFour);
    expect(await lastFourAtProvider(mary)).toBeNull();
    const primaries = await office.database.store.query(
      'select customer_id from payment_cards where is_primary order by customer_id',
    );
    expect(primaries).toEqual(
      [ada, grace].map(({ customer }) => ({ customer_id: customer.id })).toSorted(byCustomer),
    );
  });
});

function byCustomer(a: { customer_id: string }, b: { customer_id: string }): number {
  return a.customer_id < b.customer_id ? -1 : 1;
}
