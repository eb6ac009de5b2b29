import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import { codeOf, must } from '#tests/factories/buyer.ts';
import { type CardOffice, openCardOffice, type Wallet } from './wallet.ts';

let office: CardOffice;
let wallet: Wallet;
beforeAll(async () => {
  office = await openCardOffice();
});
afterAll(() => office.close());
beforeEach(async () => {
  await office.reopen();
  wallet = await office.openWallet();
});

/** Midnight of the new year where the operator of the small ferry is: 08:00 in UTC. */
const LAST_MOMENT = '2030-01-01T07:59:59.999Z';
const MIDNIGHT = '2030-01-01T08:00:00.000Z';

async function at(instant: string) {
  office.clock.set(instant);
  await wallet.signInAgain();
  return wallet.list();
}

test('a card is valid to the end of its month in the operator’s time zone', async () => {
  await wallet.add();
  expect(await at('2029-11-01T06:59:00Z')).toMatchObject([{ expires_soon: false, expired: false }]);
  // 60 days before the last: 1 November there, where summer time still holds.
  expect(await at('2029-11-02T07:01:00Z')).toMatchObject([{ expires_soon: true, expired: false }]);
  expect(await at(LAST_MOMENT)).toMatchObject([
    { expired: false, expires_soon: true, status: 'active', primary: true },
  ]);
  expect(await at(MIDNIGHT)).toMatchObject([
    { expired: true, expires_soon: false, status: 'expired', primary: false, exp_date: '12/29' },
  ]);
});

test('at midnight the newest valid card becomes primary, before and after the job stores it', async () => {
  const visa = await wallet.add('pm_card_visa');
  const old = await wallet.add('pm_card_mastercard');
  const { methods } = await wallet.atProvider();
  const renewed = methods.find(({ card }) => card?.last4 === old.last_four)?.id ?? '';
  await office.stripe.paymentMethods.update(renewed, { card: { exp_month: 1, exp_year: 2031 } });
  await office.provider.deliverNow();
  expect((await at(LAST_MOMENT))[0]).toMatchObject({ id: visa.id, primary: true });

  const expected = [
    { id: old.id, primary: true, exp_date: '01/31' },
    { id: visa.id, primary: false, status: 'expired' },
  ];
  expect(await at(MIDNIGHT)).toMatchObject(expected);
  expect(must(await wallet.request('GET', api.getPrimaryCard.path)).id).toBe(old.id);
  office.jobs.trigger('sync-payment-cards');
  await office.jobs.runJobs();
  expect(await wallet.list()).toMatchObject(expected);
  expect((await wallet.atProvider()).primary).toBe(renewed);
});

test('an expired card can be deleted but not chosen, and a new one takes its place as the primary', async () => {
  const visa = await wallet.add('pm_card_visa');
  await at(MIDNIGHT);
  const refused = await wallet.makePrimary(visa.id);
  expect([refused.status, codeOf(refused)]).toEqual([422, 'card_expired']);
  const gone = await wallet.request('GET', api.getPrimaryCard.path);
  expect([gone.status, gone.body.data]).toEqual([200, null]);
  expect(await wallet.add('pm_card_mastercard')).toMatchObject({ primary: true });
  expect(must(await wallet.remove(visa.id))).toEqual({ id: visa.id, promoted: null });
});
