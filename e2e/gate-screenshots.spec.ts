import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { chooseBoat, clockOf, expectAnswer, openGate, scan } from './pages/gate.ts';
import { testOfOwnServer as test } from './support/fixtures.ts';
import { type GateOffice, openGateOffice } from './support/gate-office.ts';

// The pictures of docs/gate.md, created by `npm run screenshots`; not part of the tests.
const folder = fileURLToPath(new URL('./screenshots', import.meta.url));

test.describe('@screenshots', () => {
  let office: GateOffice;
  test.beforeAll(async () => {
    test.setTimeout(120_000);
    office = await openGateOffice();
  });
  test.afterAll(() => office.stop());

  test('of the gate and its answers, on a phone', async ({ page, complaints }) => {
    complaints.expected.push(/401/);
    await page.setViewportSize({ width: 390, height: 844 });
    const [boat, later] = office.boats;
    const [party, other] = [await office.buy(boat, 3), await office.buy(later, 1)];
    await openGate(page, office);
    await chooseBoat(page, clockOf(party.legs[0]?.departs_local ?? ''));
    await take(page, 'gate');
    await scan(page, party.tickets[0]?.barcode?.payload ?? '');
    await expectAnswer(page, 'Let aboard');
    await take(page, 'gate-let-aboard');
    await page.getByRole('button', { name: 'Next', exact: true }).click();
    await scan(page, other.tickets[0]?.barcode?.payload ?? '');
    await expectAnswer(page, 'Stop');
    await take(page, 'gate-stop');
  });
});

async function take(page: Page, name: string): Promise<void> {
  await page.evaluate(() => document.fonts.ready);
  await page.screenshot({ path: `${folder}/${name}.png`, animations: 'disabled' });
}
