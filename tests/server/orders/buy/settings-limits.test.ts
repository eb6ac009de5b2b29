import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { chooseTextLocale } from '#messages/text-locale.ts';
import { findSettingsProblems } from '#server/settings/merge-settings.ts';
import { codeOf, must, type Office, openOffice } from '#tests/factories/buyer.ts';

let office: Office;
beforeAll(async () => {
  office = await openOffice();
});
afterAll(() => office.close());
beforeEach(() => office.reopen());

async function storeSettings(settings: object): Promise<void> {
  expect(findSettingsProblems(settings)).toEqual([]);
  await office.database.store.query(
    `insert into settings (name, value, updated_at) values ('web', $1, now())
     on conflict (name) do update set value = excluded.value`,
    [JSON.stringify(settings)],
  );
}

/** Orders as the ticket host does under these settings. */
async function orderUnder(settings: { terms?: { version: string }; language?: string }) {
  await storeSettings(settings);
  const { quote, hold } = await office.takeHold({ promo: 'FREE' });
  return office.order(hold.id, quote.id, {
    ...(settings.terms ? { terms_version: settings.terms.version } : {}),
    ...(settings.language ? { locale: chooseTextLocale(settings.language) } : {}),
  });
}

test.each([1, 32, 33, 40])('orders accept a version of the terms with %i characters', async (length) => {
  const version = 'v'.repeat(length);
  expect(must(await orderUnder({ terms: { version } })).status).toBe('confirmed');
});

test.each(['en', 'en-GB', 'EN-gb', 'en-001', 'en-Latn-GB', 'en-GB-oxendict', 'fil'])(
  'orders accept the language %s of the settings, and its mail is written',
  async (language) => {
    must(await orderUnder({ language }));
    await office.jobs.runJobs();
    const [mail] = await office.database.store.query<{ status: string }>('select status from mails');
    expect(mail?.status).not.toBe('failed');
  },
);

test.each(['en-ab-cd', 'e', 'en_GB', 'x'.repeat(36), ''])(
  'settings and orders refuse the language %s, which nothing can be formatted in',
  async (language) => {
    expect(findSettingsProblems({ language })).toHaveLength(1);
    const { quote, hold } = await office.takeHold();
    expect(codeOf(await office.order(hold.id, quote.id, { locale: language }))).toBe('invalid_input');
  },
);

test('settings offer no top-up that the call refuses', () => {
  const topUp = (max: number) => findSettingsProblems({ top_up: { min: 1, max, presets: [max] } });
  expect(topUp(99_999_999)).toEqual([]);
  expect(topUp(100_000_000)).not.toEqual([]);
});

test('a search refuses a vehicle that no quote accepts', async () => {
  const search = (length: number) =>
    office.request(
      'GET',
      `/api/sailings?route_id=${office.ferry.routeId}&date=2026-06-02&vehicle_type=car&length_cm=${length}`,
    );
  expect((await search(3001)).status).toBe(422);
  expect((await search(3000)).status).toBe(200);
});
