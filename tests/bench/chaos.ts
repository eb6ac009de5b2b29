import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { systemClock } from '#server/core/clock.ts';
import { openDatabase } from '#server/database/database.ts';
import { createCustomer, startSession } from '#tests/factories/customers.ts';
import { createTripCard } from '#tests/factories/trip-cards.ts';
import { endAll, newFolder } from '#tests/process/server-process.ts';
import { buyTicket, publishableKeyOf, type Send, sailingsOf } from '#tests/process/shopper.ts';
import { startCluster } from '#tests/setup/engine.ts';
import { audit, untilQuiet } from './chaos/audit.ts';
import { makeFaults } from './chaos/faults.ts';
import { startMailServer } from './chaos/mail-server.ts';
import { type Office, openOffice } from './chaos/office.ts';
import { runOperator } from './chaos/operator.ts';
import { act, cancelUnpaid, OWNER_ACTIONS } from './chaos/owner.ts';
import { atLeast, atMost, tableOf } from './goal.ts';
import { seeded } from './seeded.ts';

/*
 * `npm run chaos`: buyers at two server processes on one PostgreSQL, while connections are cut, processes killed, the
 * database stopped, and the card provider and the mail server misbehave. The operator makes boats smaller, late and
 * canceled, and buyers cancel and change orders while they pay. No request may be answered with a 5xx other than 503, no
 * process may end by itself, every purchase must end, and all books must agree in the end.
 *
 *   --minutes 20     how long things break
 *   --buyers 12      how many buy at the same time
 *   --seed N         of the faults; the same seed breaks the same things in the same order
 *   --skip-build     use dist/ as it is
 */

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '20' },
    buyers: { type: 'string', default: '12' },
    seed: { type: 'string', default: String(randomInt(1_000_000)) },
    'skip-build': { type: 'boolean', default: false },
  },
});
const MINUTE_MS = 60_000;
/** How long a buyer retries failed requests. */
const PATIENCE_MS = 5 * MINUTE_MS;
/** Pause of a buyer between two purchases. */
const REST_MS = 1_500;
/** Every so many purchases are paid with a trip card. */
const TRIP_CARD_EVERY = 3;
const TRIP_CARDS = 3;
/** Every so many purchases are those of a signed-in customer, who changes or cancels the order. */
const OWNED_EVERY = 4;
/** The operator ends a little before the faults do. */
const OPERATOR_ENDS_EARLIER_MS = 5_000;
const BALANCE = 100_000_000;
const COUNT = { unit: '', digits: 0 };

type TripCard = { id: string; token: string };

const random = seeded(Number(values.seed));
const minutes = Number(values.minutes);
const tally = { confirmed: 0, sold_out: 0, off_sale: 0, canceled: 0, acted: 0, unfinished: [] as string[] };

if (!values['skip-build']) build();
say(`seed ${values.seed}, ${minutes} minutes, ${values.buyers} buyers`);
const cluster = await startCluster({ isDurable: true });
const mail = await startMailServer();
const admin = new pg.Pool({ connectionString: cluster.url, application_name: 'administrator' });
admin.on('error', () => {});
try {
  process.exitCode = await run();
} finally {
  await endAll();
  await admin.end();
  await mail.close();
  await cluster.stop();
}

/** @returns the exit code: 1 when anything is wrong */
async function run(): Promise<number> {
  const env = { DATABASE_URL: cluster.url, SMTP_URL: mail.url, TRUST_PROXY: '1' };
  const office = await openOffice([
    { ...env, DATA_DIR: newFolder() },
    { ...env, DATA_DIR: newFolder() },
  ]);
  const tripCards = await issueTripCards();
  const endsAt = performance.now() + minutes * MINUTE_MS;
  const buyers = Array.from({ length: Number(values.buyers) }, (_, index) =>
    buyUntil(endsAt, office, index, tripCards),
  );
  const operator = runOperator({
    env: { ...env, DATA_DIR: newFolder() },
    sailings: await sailingsOf(office.send),
    random,
    say,
    endsAt: endsAt - OPERATOR_ENDS_EARLIER_MS,
  });
  const faults = await makeFaults({
    office,
    cluster,
    admin,
    mail,
    random,
    say,
    endsAt,
    stopEveryMs: stopEvery(),
  });
  say('no more faults; the last purchases end');
  await Promise.all(buyers);
  const boats = await operator;
  await untilQuiet(cluster.url, say);
  await office.close();
  const goals = [
    ...(await audit(cluster.url, say)),
    atMost('purchases that did not end', tally.unfinished.length, { must: 0, aim: 0 }, COUNT),
    atMost(
      '5xx of the product other than 503, and processes that ended',
      office.problems.length,
      { must: 0, aim: 0 },
      COUNT,
    ),
    atLeast('purchases confirmed', tally.confirmed, { must: 1, aim: 1 }, COUNT),
  ];
  for (const problem of [...tally.unfinished, ...office.problems].slice(0, 20)) say(problem);
  const twice = [...mail.accepted.values()].filter((times) => times > 1).length;
  say(`\n${tableOf(goals)}\n`);
  say(`seed ${values.seed}, ${minutes} minutes, ${values.buyers} buyers, ${office.size} processes`);
  say(
    `purchases: ${tally.confirmed} confirmed, ${tally.sold_out} sold out, ${tally.off_sale} canceled, ${tally.canceled} refunded`,
  );
  say(
    `faults: ${Object.entries(faults)
      .map(([name, count]) => `${count} ${name}`)
      .join(', ')}`,
  );
  say(`orders changed or canceled by their owners: ${tally.acted}`);
  say(
    `commands of the operator: ${Object.entries(boats)
      .map(([name, count]) => `${count} ${name}`)
      .join(', ')}`,
  );
  say(`answers of the product: ${describeAnswers(office.answers.product)}`);
  say(
    `answers of the card provider, with its injected failures: ${describeAnswers(office.answers.provider)}`,
  );
  say(`mails: ${mail.accepted.size} accepted, ${twice} of them more than once`);
  return goals.every(({ holds }) => holds) ? 0 : 1;
}

function describeAnswers(answers: ReadonlyMap<number, number>): string {
  const counts = [...answers].toSorted(([a], [b]) => a - b);
  return counts.map(([status, count]) => `${count} × ${status}`).join(', ');
}

/** Four times in a run, and at most every five minutes. */
function stopEvery(): number {
  return Math.min(5, minutes / 4) * MINUTE_MS;
}

/** Customers who share nothing but the database, each with a session and a trip card that does not run dry. */
async function issueTripCards(): Promise<TripCard[]> {
  const { db, close } = await openDatabase({ url: cluster.url, folder: null });
  const parts = { db, clock: systemClock };
  const cards: TripCard[] = [];
  for (let count = 0; count < TRIP_CARDS; count += 1) {
    const customer = await createCustomer(parts);
    const { id } = await createTripCard(parts, customer.id, { balance: BALANCE });
    cards.push({ id, token: await startSession(parts, customer.id) });
  }
  await close();
  return cards;
}

async function buyUntil(
  endsAt: number,
  office: Office,
  buyer: number,
  tripCards: readonly TripCard[],
): Promise<void> {
  const atHome = addressOf(office.send, buyer);
  const publishableKey = await publishableKeyOf(atHome);
  const sailings = await sailingsOf(atHome);
  for (let purchase = 0; performance.now() < endsAt; purchase += 1) {
    const number = purchase * Number(values.buyers) + buyer;
    const email = `buyer${buyer}-${purchase}@example.com`;
    const customer = tripCards[number % tripCards.length];
    const common = {
      sailing: sailings[number % sailings.length] ?? '',
      ...{ email, publishableKey, patienceMs: PATIENCE_MS },
    };
    const send = addressOf(office.send, number);
    try {
      if (customer && number % OWNED_EVERY === 1) await buyAndAct(send, common, customer.token);
      else {
        const tripCard = customer && number % TRIP_CARD_EVERY === 0 ? { tripCard: customer } : {};
        const { result } = await buyTicket(send, { ...common, ...tripCard });
        tally[result] += 1;
      }
    } catch (error) {
      // The operator has canceled the boat.
      if (String(error).includes('"code":"sailing_canceled"')) tally.off_sale += 1;
      else tally.unfinished.push(`${email}: ${String(error).slice(0, 300)}`);
    }
    await delay(REST_MS * random());
  }
}

/** Buys as a signed-in customer, who cancels during the payment or changes the order afterwards. */
async function buyAndAct(
  send: Send,
  purchase: Omit<Parameters<typeof buyTicket>[1], 'token'>,
  token: string,
): Promise<void> {
  const owner = {
    send,
    publishableKey: purchase.publishableKey,
    deadline: performance.now() + PATIENCE_MS,
  };
  const action = OWNER_ACTIONS[Math.floor(random() * (OWNER_ACTIONS.length + 1))];
  let canceling: Promise<unknown> = Promise.resolve();
  let orderId = '';
  const bought = buyTicket(send, {
    ...purchase,
    token,
    async beforePaying(id) {
      orderId = id;
      if (!action) canceling = cancelUnpaid(owner, { id, token });
    },
  });
  // The card of a canceled order is not charged, which ends the purchase.
  const { result } = action ? await bought : await bought.catch(() => ({ result: 'canceled' as const }));
  await canceling;
  tally[result] += 1;
  if (action && result === 'confirmed') {
    await act(owner, action, { id: orderId, sailing: purchase.sailing, token });
  }
  tally.acted += 1;
}

/** Each purchase comes from a separate network, so that no rate limit applies. */
function addressOf(send: Send, number: number): Send {
  const network = `10.${(number >> 8) & 255}.${number & 255}.1`;
  return (path, options = {}) =>
    send(path, { ...options, headers: { ...options.headers, 'x-forwarded-for': network } });
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function build(): void {
  const { status } = spawnSync('npm', ['run', 'build', '--silent'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error('The build failed.');
}
