import { randomInt } from 'node:crypto';
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { api } from '#contract/api.ts';
import type { Order, OrderSummary } from '#contract/orders/schemas.ts';
import { fillPath } from '#contract/paths.ts';
import type { StaffRole } from '#contract/staff/permissions.ts';
import type { TripCard, TripCardEntry } from '#contract/trip-cards/schemas.ts';
import { createTripCardNumber } from '#domain/trip-cards/trip-card-number.ts';
import { runNpmScript } from '#tests/process/command-line.ts';
import { endAll, newFolder, startServer } from '#tests/process/server-process.ts';
import { buyTicket, type Purchase, publishableKeyOf, type Send } from '#tests/process/shopper.ts';
import { newAddress } from './fixtures.ts';

/** The demo operator on a server of its own, because closing and departing its boats would stop the sales of other tests. */
export type GateOffice = {
  origin: string;
  /** Where customers buy. */
  ticketsOrigin: string;
  /** The next large boats to Heron Island with an hour left to buy and without a demo ticket: the ids of their sailings. */
  boats: readonly [string, string, ...string[]];
  /** The sailings to Heron Island of a day. */
  listBoats(day: string): Promise<Boat[]>;
  /** Buys tickets for adults. */
  buy(sailing: string, adults: number, extras?: Extras): Promise<Order>;
  /** Sends a request of a buyer, who is not signed in. */
  send: Send;
  /** The code of the demo customer's fullest trip card, and what fares have taken of it since. */
  openTripCard(): Promise<{ code: string; readSpent: () => Promise<number> }>;
  /** Issues plastic cards without value, and returns their numbers. */
  issueCards(count: number): Promise<string[]>;
  /** Invites someone, and returns the link that was mailed to them. */
  invite(role: StaffRole, name?: string): Promise<string>;
  stop(): Promise<void>;
};

type Extras = Partial<Pick<Purchase, 'email' | 'fareClass' | 'phone' | 'vehicle' | 'promoCode'>>;

const DEMO = { email: 'demo@harborline.example', password: 'by ferry across the sound' };
/** The others to Heron Island are water taxis for twelve people. */
export const LARGE_VESSEL = 'MV Tidewater';
const HOUR_MS = 3_600_000;
/** Gates have the boats of the next 18 hours. */
const AHEAD_MS = 17 * HOUR_MS;

/** @param settings further variables of the server's environment */
export async function openGateOffice(settings: Record<string, string> = {}): Promise<GateOffice> {
  const folder = newFolder();
  const env = { NODE_ENV: 'test', DATA_DIR: join(folder, 'data'), ...settings };
  if (settings.DATABASE_URL === undefined) {
    cpSync(process.env.E2E_DEMO_DIR ?? '', env.DATA_DIR, { recursive: true });
  }
  const server = await startServer(env);
  const commandEnv = { ...env, PORT: String(server.port) };
  const send: Send = (path, options) => server.send(path, { host: 'tickets', ...options });
  const publishableKey = await publishableKeyOf(send);
  const demo = await signInAsDemo(server);
  const [first, second, ...later] = await listNextBoats(send, await listSailings(demo));
  if (first === undefined || second === undefined) throw new Error('The demo operator has too few boats.');
  return {
    origin: `http://staff.ferry.localhost:${server.port}`,
    ticketsOrigin: `http://tickets.ferry.localhost:${server.port}`,
    boats: [first, second, ...later],
    send,
    listBoats: (day) => listBoats(send, day),
    async buy(sailing, adults, extras = {}) {
      const { orderId } = await buyTicket(send, {
        sailing,
        adults,
        publishableKey,
        email: newAddress('gate'),
        ...extras,
      });
      return (await send(`/api/orders/${orderId}`)).json().data as Order;
    },
    openTripCard: () => openTripCard(demo),
    async issueCards(count) {
      const numbers = Array.from({ length: count }, () => createTripCardNumber((below) => randomInt(below)));
      const file = join(folder, 'cards.csv');
      writeFileSync(file, ['number,pin', ...numbers.map((number) => `${number},2468`)].join('\n'));
      await runNpmScript('trip-cards:issue', [file], { env: commandEnv });
      return numbers;
    },
    async invite(role, name = 'Grace Hopper') {
      const args = ['invite', newAddress(role), role, '--name', name];
      // Without a mail server, the command prints the link.
      const inviteEnv = { ...commandEnv, SMTP_URL: '' };
      const { stdout, stderr } = await runNpmScript('staff', args, { env: inviteEnv });
      const link = /http\S+#token=\S+/.exec(stdout)?.[0];
      if (link === undefined) throw new Error(`No link was printed: ${stdout}${stderr}`);
      return link;
    },
    async stop() {
      await endAll();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Reads the data of a path as the demo customer. */
type Read = Awaited<ReturnType<typeof signInAsDemo>>;

async function signInAsDemo({ send }: { send: Send }) {
  const my = { host: 'my' } as const;
  const signedIn = await send(api.signIn.path, { ...my, body: DEMO });
  const headers = { authorization: `Bearer ${signedIn.json().data.token}` };
  return async (path: string) => (await send(path, { ...my, headers })).json().data;
}

async function listSailings(read: Read): Promise<string[]> {
  const orders: OrderSummary[] = await read(`${api.listOrders.path}?sort=-departs_at`);
  return orders.flatMap(({ legs }) => legs.map(({ sailing_id }) => sailing_id));
}

async function openTripCard(read: Read) {
  const cards: TripCard[] = (await read(api.listTripCards.path)).filter(
    ({ unit, role, status }: TripCard) => unit === 'money' && role === 'owner' && status === 'active',
  );
  const [card] = cards.toSorted((a, b) => b.balance - a.balance);
  if (card === undefined) throw new Error('The demo customer has no trip card.');
  const { payload } = await read(fillPath(api.getOfflineCode.path, { id: card.id }));
  const path = fillPath(api.getTripCardBalance.path, { id: card.id });
  const listFares = async (): Promise<TripCardEntry[]> =>
    (await read(path)).entries.filter(({ kind }: TripCardEntry) => kind === 'fare' || kind === 'refund_in');
  const before = (await listFares()).map(({ id }) => id);
  return {
    code: payload as string,
    readSpent: async () =>
      (await listFares()).reduce((sum, { id, amount }) => (before.includes(id) ? sum : sum - amount), 0),
  };
}

type Boat = {
  id: string;
  departs_at: string;
  departs_local: string;
  delay_minutes: number;
  vessel: { name: string };
  availability: { state: string };
};

async function listBoats(send: Send, day: string): Promise<Boat[]> {
  const routes = (await send('/api/routes')).json().data as { id: string; code: string }[];
  const route = routes.find(({ code }) => code === 'MAD-HER');
  return (await send(`/api/sailings?route_id=${route?.id}&date=${day}&passengers[adult]=1`)).json().data;
}

async function listNextBoats(send: Send, without: readonly string[]): Promise<string[]> {
  const days = [0, 1].map((days) =>
    new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Los_Angeles' }).format(
      Date.now() + days * 24 * HOUR_MS,
    ),
  );
  const boats = await Promise.all(days.map((day) => listBoats(send, day)));
  return boats
    .flat()
    .filter(({ id, departs_at, delay_minutes, availability, vessel }) => {
      const wait = Date.parse(departs_at) - Date.now();
      const isPunctual = availability.state === 'on_sale' && delay_minutes === 0;
      return (
        vessel.name === LARGE_VESSEL &&
        isPunctual &&
        wait > HOUR_MS &&
        wait < AHEAD_MS &&
        !without.includes(id)
      );
    })
    .map(({ id }) => id);
}
