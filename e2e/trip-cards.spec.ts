import { readFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import { ConnectionLayer } from './pages/connection-layer.ts';
import { CARDS, PurchasePage } from './pages/purchase-page.ts';
import { ORIGINS } from './support/addresses.ts';
import { expectAccessible, test } from './support/fixtures.ts';
import { openAccount, type Person, signInQuietly } from './support/people.ts';
import { expectSettled, killAndReopen, NO_NETWORK, workerReady } from './support/saved.ts';

/** The browser itself reports the provider's 402 answers. */
const DECLINED = /status of 402/;
const CUT_OFF = /ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to load resource/;

/** The demo's plastic cards. Each can be added to one account, so every try uses another one. */
const PLASTIC_CARDS = [
  { number: '9000 0000 0000 0019', pin: '2468', balance: '$25.00' },
  { number: '9000 0000 0000 0027', pin: '1357', balance: '$40.00' },
  { number: '9000 0000 0000 0035', pin: '8642', balance: '$10.00' },
];

/** The dialogs of a card, by the menu item that opens them. */
const CARD_DIALOGS = [
  ['Statement', 'Statement of Family card'],
  ['Low-balance alert', 'Low-balance alert'],
  ['Rename', 'Rename Family card'],
  ['Report lost', 'Report Family card lost?'],
] as const;

/** The Trip Cards page of a newly signed-in customer, by its actions. */
class TripCardsPage {
  readonly page: Page;
  readonly purchase: PurchasePage;

  constructor(page: Page) {
    this.page = page;
    this.purchase = new PurchasePage(page);
  }

  async openAs(person: Person): Promise<void> {
    await this.page.goto(`${ORIGINS.portal}/sign_in`);
    await signInQuietly(this.page, person);
    await this.open();
  }

  async open(): Promise<void> {
    await this.page.goto(`${ORIGINS.portal}/trip_cards`);
    await expect(this.page.getByRole('heading', { level: 1, name: 'Trip Cards' })).toBeVisible();
  }

  card(name: string) {
    return this.page.getByRole('article', { name });
  }

  async get(name: string): Promise<void> {
    await this.page.getByRole('button', { name: 'Get a new card' }).click();
    await this.page.getByLabel('Name').fill(name);
    await this.page.getByRole('button', { name: 'Get the card' }).click();
    await expect(this.card(name)).toBeFocused();
  }

  async choose(name: string, item: string): Promise<void> {
    await this.page.getByRole('button', { name: `More for ${name}` }).click();
    await this.page.getByRole('menuitem', { name: item }).click();
  }

  /** As it opens, and closes again by Escape. */
  async expectDialog(name: string): Promise<void> {
    const dialog = this.page.getByRole('dialog', { name });
    await expect(dialog).toBeVisible();
    await expectAccessible(this.page);
    await this.page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  }

  async goToTopUp(name: string): Promise<void> {
    await this.page.getByRole('link', { name: `Top up ${name}` }).click();
    await expect(this.page.getByRole('heading', { level: 1, name: 'Trip Card Top-ups' })).toBeVisible();
  }

  async payWithNewCard(number: string, { save = false } = {}): Promise<void> {
    if (save) await this.page.getByLabel('Save this card for next time').check();
    await this.page.getByRole('button', { name: 'Enter card details' }).click();
    await this.pressPay(number);
  }

  async pressPay(number: string): Promise<void> {
    await this.purchase.fillCard(number);
    await this.page.getByRole('button', { name: /^Pay \$/ }).click();
  }

  get entries() {
    return this.page.getByRole('list', { name: 'Transactions, newest first' }).getByRole('listitem');
  }

  get topUps() {
    return this.page.getByRole('list', { name: 'Top-ups, newest first' }).getByRole('listitem');
  }
}

test('a card is created, topped up, transferred from, read and reported lost on a phone', async ({
  page,
  complaints,
}) => {
  test.slow();
  complaints.expected.push(DECLINED);
  const cards = new TripCardsPage(page);
  await cards.openAs(await openAccount('Holder'));
  await expect(page).toHaveTitle(/^Trip Cards \| /);
  await expect(page.getByText('No trip cards yet')).toBeVisible();
  await expectAccessible(page);
  for (const name of ['Get a new card', 'Add a plastic card']) {
    await page.getByRole('button', { name }).click();
    await cards.expectDialog(name);
  }
  await cards.get('Family card');
  await expect(cards.card('Family card')).toContainText(/\$0\.00 as of .* today/);

  await cards.goToTopUp('Family card');
  await expect(page).toHaveTitle(/^Trip Card Top-ups \| /);
  await page.getByText('$50', { exact: true }).click();
  await expectAccessible(page);
  await cards.payWithNewCard(CARDS.declined, { save: true });
  await expect(page.getByRole('alert').filter({ hasText: 'Not paid yet' })).toContainText('declined');
  await expectAccessible(page);
  await cards.pressPay(CARDS.asksForAuthentication);
  await cards.purchase.answerBank('Complete authentication');
  await expect(page.getByRole('status').filter({ hasText: '$50.00 is on Family card' })).toBeVisible();
  await expect(cards.topUps).toHaveText([/Top-up\$50\.00Today, .* · receipt .*Paid$/]);
  await expect(page.getByText(/^Balance: \$50\.00 as of/)).toBeVisible();

  await expect(async () => {
    await page.reload();
    await expect(page.getByLabel(/Visa ending in 3220/)).toBeChecked({ timeout: 3000 });
  }).toPass();
  await page.getByText('Other', { exact: true }).click();
  await page.getByLabel('Amount (USD)').fill('2');
  await page.getByRole('button', { name: 'Pay $2.00' }).click();
  await expect(page.getByRole('link', { name: 'Enter an amount from $5.00 to $500.00.' })).toBeVisible();
  await page.getByLabel('Amount (USD)').fill('12.50');
  await page.getByRole('button', { name: 'Pay $12.50' }).click();
  await cards.purchase.answerBank('Fail authentication');
  await expect(page.getByRole('alert').filter({ hasText: 'Not paid' })).toBeVisible();
  await page.getByText('$20', { exact: true }).click();
  await page.getByRole('button', { name: 'Pay $20.00' }).click();
  await cards.purchase.answerBank('Complete authentication');
  await expect(page.getByRole('status').filter({ hasText: '$20.00 is on Family card' })).toBeVisible();
  await page.getByRole('button', { name: 'Set up automatic top-up' }).click();
  await cards.expectDialog('Automatic top-up');

  await cards.open();
  for (const [item, name] of CARD_DIALOGS) {
    await cards.choose('Family card', item);
    await cards.expectDialog(name);
  }
  await cards.get('Work');
  await cards.choose('Family card', 'Move money');
  await expect(page.getByRole('dialog', { name: 'Move money from Family card' })).toBeVisible();
  await page.getByLabel('Amount (USD)').fill('20');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Move', exact: true }).click();
  await expect(cards.card('Work')).toContainText('$20.00');

  await cards.choose('Family card', 'Statement');
  await page.getByText('CSV, for a spreadsheet').click();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download' }).click();
  const file = readFileSync(await (await download).path(), 'utf8');
  expect(file.trim().split('\r\n')).toHaveLength(4);

  await page.getByRole('link', { name: 'Balance history of Family card' }).click();
  await expect(page).toHaveTitle(/^Trip Card Balance \| /);
  await expect(cards.entries).toHaveText([
    /To card ending \d{4}-\$20\.00.*Balance \$50\.00/,
    /Top-up\+\$20\.00.*Balance \$70\.00/,
    /Top-up\+\$50\.00.*Balance \$50\.00/,
  ]);
  await expectAccessible(page);

  await page.getByRole('link', { name: 'Trip Cards' }).first().click();
  await cards.choose('Family card', 'Freeze');
  await expect(cards.card('Family card')).toContainText('This card is frozen');
  await expectAccessible(page);
  await cards.choose('Family card', 'Report lost');
  const dialog = page.getByRole('dialog', { name: 'Report Family card lost?' });
  await expect(dialog).toContainText('stops working for good');
  await dialog.getByRole('button', { name: 'Report lost' }).click();
  await expect(page.getByRole('heading', { name: 'Reported lost' })).toBeVisible();
  await expect(page.getByRole('article', { name: 'Family card', exact: true })).toContainText('$50.00');
  await expectAccessible(page);
});

test('a plastic card is added to an account with its PIN and its balance', async ({ page, complaints }, {
  retry,
  repeatEachIndex,
}) => {
  complaints.expected.push(/status of 422/);
  const plastic = PLASTIC_CARDS[repeatEachIndex * 2 + retry];
  if (plastic === undefined) throw new Error('The demo has no more plastic cards.');
  const cards = new TripCardsPage(page);
  await cards.openAs(await openAccount('Plastic'));
  await page.getByRole('button', { name: 'Add a plastic card' }).click();
  await page.getByLabel('Card number').fill(plastic.number);
  await page.getByLabel('PIN').fill('0000');
  await page.getByLabel('Name').fill('Blue card');
  await page.getByRole('button', { name: 'Add card' }).click();
  await expect(page.getByRole('dialog').getByRole('alert')).toContainText('The card was not added');
  await expectAccessible(page);
  await page.getByLabel('PIN').fill(plastic.pin);
  await page.getByRole('button', { name: 'Add card' }).click();
  await expect(cards.card('Blue card')).toBeFocused();
  await expect(cards.card('Blue card')).toContainText(`Card ending ${plastic.number.slice(-4)}`);
  await expect(cards.card('Blue card')).toContainText(plastic.balance);
  await page.getByRole('link', { name: 'Balance history of Blue card' }).click();
  await expect(cards.entries).toHaveText([/On the card when it was sold\+\$/]);
});

test('a trip card that pays a ticket is topped up automatically from the payment card saved with a top-up', async ({
  page,
}) => {
  test.slow();
  const cards = new TripCardsPage(page);
  await cards.openAs(await openAccount('Filler'));
  await cards.get('Ferry money');
  await cards.goToTopUp('Ferry money');
  await page.getByText('$50', { exact: true }).click();
  await cards.payWithNewCard(CARDS.pays, { save: true });
  await expect(page.getByRole('status').filter({ hasText: '$50.00 is on Ferry money' })).toBeVisible();
  await page.getByRole('button', { name: 'Set up automatic top-up' }).click();
  await page.getByLabel('When the balance falls below (USD)').fill('45');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText(/^Below \$45\.00 we add \$20\.00 with Visa/)).toBeVisible();
  const topUps = page.url();

  await cards.purchase.goToOwnPayment();
  await page.getByRole('radio', { name: /^Ferry money, ending \d{4}/ }).check();
  await page.getByRole('button', { name: /^Pay \$.* by trip card$/ }).click();
  await cards.purchase.expectTickets();

  await page.goto(topUps);
  // The job is triggered at once; if the trigger is lost, its run of every minute does the work.
  await expect(cards.topUps).toHaveText(
    [/Automatic top-up\$20\.00.*receipt .*Paid$/, /Top-up\$50\.00.*Paid$/],
    { timeout: 75_000 },
  );
  await expectAccessible(page);
  await page.goto(topUps.replace('top_ups', 'balance'));
  await expect(cards.entries).toHaveText([/Automatic top-up\+\$20\.00/, /-\$/, /Top-up\+\$50\.00/]);
});

test('a code can be shown at the gate when the connection is gone', async ({ page, visitor, complaints }) => {
  complaints.expected.push(CUT_OFF);
  const cards = new TripCardsPage(page);
  await cards.openAs(await openAccount('Gate'));
  await cards.get('Gate card');
  await page.getByRole('link', { name: 'Show code' }).click();
  const code = page.getByRole('img', { name: /Code of Gate card/ });
  await expect(code).toBeVisible();
  await page.keyboard.press('Escape');
  await new ConnectionLayer(page).lose(visitor.api);
  await page.getByRole('link', { name: 'Show code' }).click();
  await expect(code).toBeVisible();
  await page.goBack();
  await expect(cards.card('Gate card')).toContainText(/\$0\.00 as of/);
});

test('a shared card is listed for its user until the share ends', async ({
  page,
  openBrowser,
  complaints,
}) => {
  // Their page may be reading ahead what is taken away in the same moment.
  complaints.expected.push(/status of 404/);
  const friend = await openAccount('Friend');
  const cards = new TripCardsPage(page);
  await cards.openAs(await openAccount('Owner'));
  await cards.get('Shared card');
  await cards.choose('Shared card', 'Share');
  await page.getByLabel('Their email').fill(friend.email);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await expect(page.getByRole('list', { name: 'Shared with' })).toContainText(friend.email);

  const theirs = new TripCardsPage(await openBrowser());
  await theirs.openAs(friend);
  await expect(theirs.card('Shared card')).toContainText('Shared with you: you may pay with it.');
  await page.getByRole('button', { name: `Stop sharing with ${friend.email}` }).click();
  await expect(page.getByRole('list', { name: 'Shared with' })).toBeHidden();
  await theirs.open();
  await expect(theirs.page.getByText('No trip cards yet')).toBeVisible();
});

test.describe(() => {
  test.use({ serviceWorkers: 'allow' });

  test('a top-up reloaded during the bank’s challenge, and one with a lost response, show the actual state', async ({
    page,
    visitor,
    complaints,
  }) => {
    test.slow();
    complaints.expected.push(CUT_OFF, DECLINED, NO_NETWORK);
    const cards = new TripCardsPage(page);
    await cards.openAs(await openAccount('Reload'));
    await cards.get('Card');
    await cards.goToTopUp('Card');
    await cards.payWithNewCard(CARDS.asksForAuthentication);
    await expect(
      cards.purchase.bankPage.getByRole('button', { name: 'Complete authentication' }),
    ).toBeVisible();
    await page.reload();
    await expect(page.getByText('Your bank needs to check it’s you')).toBeVisible();
    await page.getByRole('button', { name: 'Do not pay' }).click();
    await page.getByRole('button', { name: 'Enter card details' }).click();
    await cards.purchase.fillCard(CARDS.pays);

    // The provider charges the card; all requests to the product fail from now on.
    await page.route('**/api/customers/trip_cards/**', (route) => route.abort('internetdisconnected'));
    await page.getByRole('button', { name: /^Pay \$/ }).click();
    await expect(page.getByText('We’re still checking your payment. Please don’t pay again.')).toBeVisible({
      timeout: 20_000,
    });
    await expect(page.getByRole('button', { name: /^Pay / })).toBeHidden();
    await page.unroute('**/api/customers/trip_cards/**');
    await expect(page.getByRole('status').filter({ hasText: '$20.00 is on Card' })).toBeVisible();
    await expect(page.getByText(/^Balance: \$20\.00 as of/)).toBeVisible();

    // After the phone ends the app, the new balance is still shown, also without a network.
    await expectSettled(page, { api: visitor.api });
    await workerReady(page);
    visitor.api.stop();
    const reopened = new TripCardsPage(await killAndReopen(page));
    await reopened.open();
    await expect(reopened.card('Card')).toContainText(/\$20\.00 as of .* today/);
    visitor.api.up();
    await reopened.open();
    await reopened.goToTopUp('Card');
    await expect(reopened.topUps).toHaveText([/\$20\.00.*Paid$/, /\$20\.00.*Canceled$/]);
  });
});
