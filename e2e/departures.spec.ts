import { expect, type Page } from '@playwright/test';
import type { Departure, Departures } from '#contract/departures/schemas.ts';
import { expectFitsLargeText } from './pages/text-overflow.ts';
import { ORIGINS } from './support/addresses.ts';
import { expectAccessible, expectAccessibleInBothSchemes, send, test } from './support/fixtures.ts';
import { expectRecords, NO_NETWORK, workerReady } from './support/saved.ts';
import type { ScriptableApi } from './support/scriptable-api.ts';

const CALL = '/api/ports/MAD/departures';
const PAGE = `${ORIGINS.tickets}/departures/MAD`;
const LONG_NAME = 'Saint Bartholomew-on-the-Sound Landing and Winter Harbor';

/** Answers with the departures of tomorrow, so that the hour of the test does not matter, after `change`. */
async function answerDepartures(
  api: ScriptableApi,
  change: (list: Departures) => void = () => undefined,
): Promise<Departures> {
  const today = new Date().toISOString().slice(0, 10);
  const tomorrow = new Date(Date.parse(today) + 86_400_000).toISOString().slice(0, 10);
  const { body } = await send(ORIGINS.tickets, 'GET', `${CALL}?date=${tomorrow}`);
  const list = body.data as Departures;
  change(list);
  api.on(CALL, { status: 200, body: { ...body, data: list } });
  return list;
}

/** One boat in each state: late, canceled, on hold, nearly full, and with several long destinations. */
function vary({ departures, notices }: Departures): void {
  const [late, canceled, suspended, low, several] = departures as [
    Departure,
    Departure,
    Departure,
    Departure,
    Departure,
  ];
  notices.push('The café at the terminal is closed.');
  Object.assign(late, {
    delay_minutes: 15,
    expected_local: late.departs_local.replace(/T\d\d:\d\d/, 'T23:59'),
    status_text: 'Late because of heavy traffic.',
  });
  Object.assign(canceled, { status: 'canceled', status_text: 'Canceled because of the weather.' });
  Object.assign(suspended, { status: 'suspended', status_text: 'On hold because of the weather.' });
  for (const each of [...canceled.destinations, ...suspended.destinations]) each.can_buy = false;
  for (const each of canceled.destinations) each.is_canceled = true;
  for (const each of low.destinations) {
    Object.assign(each, { availability: 'low', availability_text: 'Only 2 places left.' });
  }
  const [first] = several.destinations;
  if (first) {
    const isle = {
      ...first,
      sailing_id: `${first.sailing_id.slice(0, -1)}x`,
      port: { code: 'ISLE', name: LONG_NAME },
    };
    several.destinations.push({ ...isle, via: [first.port.name] });
  }
}

async function openList(page: Page): Promise<void> {
  await page.goto(PAGE);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Departures from Port Madrona');
  await expect(page.getByRole('list', { name: 'Next departures' })).toBeVisible();
}

test('a passenger finds the port from the front page, and buys a sailing with one tap', async ({
  page,
  visitor,
}) => {
  const { departures } = await answerDepartures(visitor.api);
  await page.goto(ORIGINS.tickets);
  await page.getByRole('link', { name: 'See departures as they run' }).click();
  const port = page.getByRole('link', { name: 'Port Madrona' });
  await expect(port).toBeVisible();
  await expectAccessible(page);
  await port.click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Departures from Port Madrona');
  const row = page.getByRole('list', { name: 'Next departures' }).getByRole('listitem').nth(2);
  await row.getByRole('link').click();
  await expect(page.getByRole('heading', { name: 'Choose your sailing' })).toBeVisible();
  await expect(page.getByRole('radio', { name: 'Saver' })).toBeChecked();
  expect(new URL(page.url()).search).toBe('?step=sailings');
  const search = () => visitor.api.passages('/api/sailings').map(({ url }) => url);
  await expect
    .poll(search)
    .toContainEqual(expect.stringContaining(`date=${departures[2]?.departs_local.slice(0, 10)}`));
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Departures from Port Madrona');
  await page.getByRole('link', { name: 'Other ports' }).click();
  await expect(page.getByRole('region', { name: 'Recent' }).getByRole('link')).toHaveText(['Port Madrona']);
});

test('each state of a boat is read by assistive technology, fits large text, and works by keyboard', async ({
  page,
  visitor,
}) => {
  await answerDepartures(visitor.api, vary);
  await openList(page);
  const rows = page.getByRole('list', { name: 'Next departures' }).getByRole('listitem');
  await expect(rows.nth(0)).toContainText(/15 min late.*Late because of heavy traffic/);
  await expect(rows.nth(1)).toContainText('Canceled because of the weather.');
  await expect(rows.nth(1).getByRole('link')).toHaveCount(0);
  await expect(rows.nth(2)).toContainText('On hold because of the weather.');
  await expect(rows.nth(3)).toContainText('Only 2 places left.');
  await expectAccessibleInBothSchemes(page);
  await expectFitsLargeText(page);
  await page.getByLabel('Going to').selectOption({ label: LONG_NAME });
  await expect(rows).toHaveCount(1);
  await expect(page.getByRole('link', { name: /^Buy the .* to Saint Bartholomew/ })).toBeVisible();
  await page.getByLabel('Going to').focus();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: /^Buy the / })).toBeFocused();
});

test.describe(() => {
  test.use({ serviceWorkers: 'allow' });

  test('the last list is readable without a connection, with its age', async ({
    page,
    visitor,
    complaints,
  }) => {
    complaints.expected.push(NO_NETWORK);
    await answerDepartures(visitor.api);
    await openList(page);
    await workerReady(page);
    await expectRecords(page, 'device-data', 1);
    visitor.api.stop();
    await page.reload();
    await expect(page.getByRole('list', { name: 'Next departures' })).toBeVisible();
    await expect(page.getByText(/Last checked \d+:\d\d [AP]M/)).toBeVisible();
    await expect(page.getByText('Boats may be late or canceled without being shown here.')).toBeVisible();
    await expect(page.getByText('Connection Lost')).toBeVisible();
  });
});

test('a screen at the terminal turns its pages, and goes on by itself after a lost connection', async ({
  page,
  visitor,
  complaints,
}) => {
  complaints.expected.push(NO_NETWORK);
  await page.clock.install();
  await answerDepartures(visitor.api, vary);
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.goto(`${PAGE}?display`);
  await expect(page.getByRole('heading', { level: 1, name: 'Port Madrona' })).toBeVisible();
  await expect(page.getByRole('link')).toHaveCount(0);
  await expect(page.getByText(/Page 1 of \d/)).toBeVisible();
  const first = page.getByText('15 min late');
  await expect(first).toBeVisible();
  await expectAccessible(page);
  await page.clock.runFor(10_000);
  await expect(page.getByText(/Page 2 of \d/)).toBeVisible();
  await expect(first).toBeHidden();
  visitor.api.down();
  await page.clock.runFor(31_000);
  await expect(page.getByText('No connection.')).toBeVisible();
  visitor.api.clear();
  await answerDepartures(visitor.api, vary);
  await page.clock.runFor(31_000);
  await expect(page.getByText('No connection.')).toBeHidden();
  await expect(page.getByText('Connection Restored')).toBeHidden();
});
