import { calls } from '#contract/api.ts';
import type { TestServer } from '#tests/setup/server.ts';
import type { Contradiction } from './invariant-queries.ts';

/** Calls of an order that show more than they change. */
const QUOTES = ['quoteCancellation', 'quoteChange'];
/** Calls that answer about what their path names, also without a session. */
const OPEN_CALLS = calls.filter(
  ({ name, method, path, auth }) =>
    auth !== 'session' && path.includes('{') && (method === 'GET' || QUOTES.includes(name)),
);
const CUSTOMER_CALLS = calls.filter(({ method, auth }) => method === 'GET' && auth === 'session');

type Fact = { fact: string };

/**
 * Makes the calls that read without a session, with what a stranger may know of the newest order, cards and account.
 * Those for customers alone refuse before they read, so that one of them for each step is enough.
 */
export async function findReadable(
  { database, request }: Pick<TestServer, 'database' | 'request'>,
  step: number,
): Promise<Contradiction[]> {
  const facts = await database.store.query<Fact>(
    `(select reference as fact from orders order by inserted_at desc, id desc limit 1)
     union (select contact_email from orders order by inserted_at desc, id desc limit 1)
     union (select right(number, 4) from trip_cards order by inserted_at desc, id desc limit 1)
     union (select last_four from payment_cards order by inserted_at desc, id desc limit 1)
     union (select email from customers order by inserted_at desc, id desc limit 1)`,
  );
  const customerCall = CUSTOMER_CALLS.slice(step % CUSTOMER_CALLS.length).slice(0, 1);
  const contradictions: Contradiction[] = [];
  for (const { fact } of facts) {
    const named = encodeURIComponent(fact);
    for (const { method, path } of [...OPEN_CALLS, ...customerCall]) {
      const filter = `filters[0][field]=reference&filters[0][op]===&filters[0][value]=${named}`;
      const url = `${path.replaceAll(/\{\w+\}/g, named)}?${filter}`;
      const { status } = await request(method, url, method === 'GET' ? {} : { body: {} });
      if (status < 400)
        contradictions.push({ invariant: 12, found: { fact, call: `${method} ${path}`, status } });
    }
  }
  return contradictions;
}
