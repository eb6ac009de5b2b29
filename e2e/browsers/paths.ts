import { CARDS } from '../pages/purchase-page.ts';
import { DEMO_CUSTOMER } from '../support/fixtures.ts';
import { readRecordNames } from '../support/saved.ts';
import type { Gateway } from './gateway.ts';
import { byRole, type Screen } from './screen.ts';

export type Origins = { tickets: string; portal: string };
export type Visit = { screen: Screen; origins: Origins; gateway: Gateway };
export type Path = {
  title: string;
  walk(visit: Visit): Promise<void>;
};

const CARD_FORM = 'iframe[title="Secure payment input frame"]';
const BANK_PAGE = 'dialog iframe';
const PAY = /^Pay \$/;
const TICKET_CODE = /^Ticket code/;
const ACCOUNT_MENU = /account menu/i;
const SESSION_ENDED = 'Your session has ended';
/** Repeats the sign-out, to find failures that occur only sometimes. */
const SIGN_OUTS = 12;

/** The main paths of customers, the most important first. */
export const paths: Path[] = [
  { title: 'a guest buys a ticket through 3-D Secure and reads it without a network', walk: buyTicket },
  {
    title: 'a customer pays with a saved card and reads the ticket without a network',
    walk: payWithSavedCard,
  },
  { title: 'a customer signs in by password and reads orders, a ticket and trip cards', walk: readAccount },
  { title: 'every item of the account menu can be pressed', walk: useAccountMenu },
  { title: 'saved orders open without a network and are updated after it', walk: readOffline },
  { title: `each of ${SIGN_OUTS} sign-outs ends at the sign-in page`, walk: signOutRepeatedly },
];

async function buyTicket(visit: Visit): Promise<void> {
  const { screen } = visit;
  const saved = await chooseSailing(visit, 'device-data');
  await screen.expectRole('heading', 'Your details');
  await screen.fill(/^Name/, 'Ana Ferry');
  await screen.fill(/^Email/, 'ana@example.com');
  await screen.press('button', 'Go to payment');
  await screen.expectRole('heading', 'Payment');
  await screen.fill(/card number/i, CARDS.asksForAuthentication, { frame: CARD_FORM });
  await screen.fill(/expir/i, '1234', { frame: CARD_FORM });
  await screen.fill(/security code|cvc/i, '123', { frame: CARD_FORM });
  await screen.press('button', PAY);
  await screen.press('button', 'Complete authentication', { frame: BANK_PAGE });
  await expectTicket(visit, { database: 'device-data', saved });
}

/** The demo customer's name and address are known, so there is nothing to type. */
async function payWithSavedCard(visit: Visit): Promise<void> {
  const { screen } = visit;
  await signIn(visit);
  const saved = await chooseSailing(visit, 'account-data');
  await screen.expectRole('heading', 'Payment');
  await screen.expectRole('radio', /^Visa ending in/);
  await screen.press('button', PAY);
  await expectTicket(visit, { database: 'account-data', saved });
}

/** @returns how many records there are before the order, which is saved as soon as it can be paid */
async function chooseSailing({ screen, origins }: Visit, database: Database): Promise<number> {
  await screen.open(origins.tickets);
  await screen.press('button', 'Show sailings');
  // The sailings of today may have left.
  await goToNextDay(screen);
  await screen.press('button', /^Choose the /, { nth: 1 });
  const saved = await countSaved(screen, database);
  await screen.press('button', 'Continue');
  return saved;
}

type Database = 'device-data' | 'account-data';

function countSaved(screen: Screen, database: Database): Promise<number> {
  return screen.read(`what is in ${database}`, countIn(database));
}

/** On the confirmation, and after a reload without a network. `saved`: how many records there were before. */
async function expectTicket(
  { screen, gateway }: Visit,
  { database, saved }: { database: Database; saved: number },
): Promise<void> {
  await screen.expectUrl(/\/orders\/ord_[0-9a-z]{26}\/confirmation/);
  await screen.expectRole('heading', /your tickets/i);
  await screen.expectRole('img', TICKET_CODE);
  await expectWorker(screen);
  await screen.expectTrue(
    `the order to be in ${database}`,
    `${countIn(database)}.then((count) => count > ${saved})`,
  );
  await gateway.disconnect();
  await screen.reload();
  await screen.expectText('Connection Lost');
  await screen.expectRole('heading', /your tickets/i);
  await screen.expectRole('img', TICKET_CODE);
}

function countIn(database: Database): string {
  return `(${readRecordNames})('${database}').then((names) => names.length)`;
}

async function expectWorker(screen: Screen): Promise<void> {
  await screen.expectTrue(
    'the service worker to be active',
    "navigator.serviceWorker.getRegistration().then((found) => found?.active?.state === 'activated')",
  );
}

async function goToNextDay(screen: Screen): Promise<void> {
  const day = `(${byRole('list', /^Sailings on/)}[0]?.getAttribute('aria-label') ?? null)`;
  const today = await screen.read<string>('the sailings of a day', day);
  const button = 'document.querySelector(\'li:has([aria-pressed="true"]) + li > button\')';
  const next = await screen.read<string>('the next day', `${button}.firstElementChild.textContent`);
  await screen.press('button', new RegExp(`^${next.replaceAll(/\s/g, '\\s')}`));
  await screen.expectTrue(
    'the sailings of the next day',
    `${day} !== null && ${day} !== ${JSON.stringify(today)}`,
  );
}

async function readAccount(visit: Visit): Promise<void> {
  const { screen, origins } = visit;
  await signIn(visit);
  await openTicket(visit);
  await screen.open(`${origins.portal}/trip_cards`);
  await screen.expectRole('heading', 'Trip Cards');
  await screen.expectText(/\$\d+\.\d\d/);
}

async function signIn({ screen, origins }: Visit): Promise<void> {
  await screen.open(`${origins.portal}/sign_in`);
  await screen.fill('Email', DEMO_CUSTOMER.email);
  await screen.fill('Password', DEMO_CUSTOMER.password);
  await screen.press('button', 'Sign in');
  await screen.expectUrl(`${origins.portal}/orders`);
  await screen.expectRole('heading', 'My Orders');
}

/** Opens the first of the customer's orders. */
async function openTicket({ screen, origins }: Visit): Promise<string> {
  await screen.open(`${origins.portal}/orders`);
  const reference = await screen.read<string>(
    "the first order's reference",
    `document.querySelector('[data-order]')?.getAttribute('data-order') ?? null`,
  );
  await screen.press('link', 'Order details');
  await screen.expectRole('heading', `Order ${reference}`);
  await screen.expectRole('img', TICKET_CODE);
  return reference;
}

async function useAccountMenu(visit: Visit): Promise<void> {
  const { screen, origins } = visit;
  await signIn(visit);
  for (const [item, path] of [
    ['My Account', '/account'],
    ['Password & Security', '/security'],
    ['Payment Methods', '/payment_methods'],
    ['Sign out', '/sign_in'],
  ] as const) {
    await screen.press('button', ACCOUNT_MENU);
    await screen.press('menuitem', item);
    await screen.expectUrl(origins.portal + path);
  }
  await screen.expectText('You are signed out');
}

async function readOffline(visit: Visit): Promise<void> {
  const { screen, origins, gateway } = visit;
  await signIn(visit);
  const reference = await openTicket(visit);
  await expectWorker(screen);
  await gateway.disconnect();
  await screen.reload();
  await screen.expectRole('heading', `Order ${reference}`);
  await screen.expectRole('img', TICKET_CODE);
  await screen.open(`${origins.portal}/orders`);
  await screen.expectRole('heading', 'My Orders');
  await screen.expectText(reference);
  await screen.expectText(/Saved \d+:\d\d\s[AP]M today/);
  await screen.expectText('Connection Lost');
  await gateway.reconnect();
  await screen.expectText(/Updated /);
  await screen.expectNoText('Connection Lost');
  await screen.expectText(reference);
}

/** By the menu and by the address in turn. */
async function signOutRepeatedly(visit: Visit): Promise<void> {
  const { screen, origins, gateway } = visit;
  for (let run = 0; run < SIGN_OUTS; run += 1) {
    gateway.changeAddress();
    await signIn(visit);
    if (run % 2 === 0) {
      await screen.press('button', ACCOUNT_MENU);
      await screen.press('menuitem', 'Sign out');
    } else {
      await screen.open(`${origins.portal}/sign_out`);
    }
    await screen.expectUrl(`${origins.portal}/sign_in`);
    await screen.expectText('You are signed out');
    await screen.expectNoText(SESSION_ENDED);
  }
}
