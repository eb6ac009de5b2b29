import pg from 'pg';
import { connectDatabase } from '#server/database/database.ts';
import { findOrderIds } from '#server/desk/orders/find-orders.ts';
import { startCluster } from '#tests/setup/engine.ts';
import { atMost, type Goal } from './goal.ts';
import { figureOf, showFigure } from './stats.ts';

const ORDERS = 1_000_000;
const RUNS = 25;
const LIMIT = 21;

/** What staff type to find an order among a million, in milliseconds of the server. */
export async function measureOrderSearch(report: (line: string) => void): Promise<Goal[]> {
  const cluster = await startCluster();
  const database = await connectDatabase({ url: cluster.url, folder: '' });
  const pool = new pg.Pool({ connectionString: cluster.url, max: 1 });
  try {
    await database.migrate();
    for (const statement of FILL) await pool.query(statement);
    const goals: Goal[] = [];
    for (const [what, search] of Object.entries(await pickSearches(pool))) {
      const times: number[] = [];
      // The first run reads the pages.
      for (let run = 0; run <= RUNS; run += 1) {
        const started = performance.now();
        const found = await findOrderIds(database.db, { search, limit: LIMIT });
        if (found.length === 0) throw new Error(`No order was found by ${what}.`);
        if (run > 0) times.push(performance.now() - started);
      }
      report(`by ${what}: ${showFigure(figureOf(times), 1)} ms`);
      goals.push(
        atMost(`an order among a million, by ${what}, ms`, figureOf(times).median, { must: 100, aim: 30 }),
      );
    }
    return goals;
  } finally {
    await Promise.all([database.close(), pool.end()]);
    await cluster.stop();
  }
}

async function pickSearches(pool: pg.Pool): Promise<Record<string, string>> {
  const { rows } = await pool.query<Record<'reference' | 'name' | 'mail' | 'phone' | 'plate', string>>(
    `select reference, contact_name as name, contact_email as mail, contact_phone as phone, plate
     from orders where id = 'ord_600000'`,
  );
  const [row] = rows;
  if (!row) throw new Error('There is no order to search for.');
  const { name, mail, phone, ...codes } = row;
  return {
    ...codes,
    'the whole name': name,
    'a first name of 33,000': name.split(' ')[0] ?? '',
    'mail address': mail,
    'the end of the telephone number': phone.slice(-7),
    'last four digits': '0042',
  };
}

/** Thirty first names, forty thousand last names, a third of the orders with a vehicle. */
const FIRST_NAMES = `array['Ada', 'Ben', 'Cora', 'Dan', 'Eva', 'Finn', 'Gus', 'Hana', 'Ida', 'Jon', 'Kai', 'Lea', 'Mia', 'Nils',
  'Ola', 'Pia', 'Rosa', 'Sven', 'Tom', 'Uma', 'Vera', 'Will', 'Yara', 'Zoë', 'Anna', 'Andreas', 'Anton', 'Søren', 'Håkon', 'Jörg']`;
const LAST_NAME = `initcap(translate(substr(md5((n % 40000)::text), 1, 7), '0123456789', 'aeioulmnrs'))`;

const FILL = [
  'set session_replication_role = replica',
  `insert into orders (id, reference, status, hold_id, contact_name, contact_email, contact_phone, locale, plate, currency,
     subtotal, discount, tax, total, paid, fare_class_code, fare_class_name, fare_policy, terms_version, terms_accepted_at,
     inserted_at, updated_at)
   select 'ord_' || n, upper(lpad(to_hex(n), 8, 'K')), 'confirmed', 'hld_' || n,
     (${FIRST_NAMES})[1 + n % 30] || ' ' || ${LAST_NAME}, 'person' || n % 300000 || '@example.com',
     '+1206' || lpad((n::bigint * 7919 % 10000000)::text, 7, '0'), 'en',
     case when n % 3 = 0 then upper(substr(md5('p' || n % 250000), 1, 4)) || ' ' || n % 900 + 100 end, 'USD',
     1000, 0, 0, 1000, 1000, 'flex', 'Flex', '{}', '1', now(), now() - make_interval(mins => ${ORDERS} - n), now()
   from generate_series(1, ${ORDERS}) n`,
  `insert into payments (id, order_id, attempt, method, card_network, card_last_four, amount, currency, status, started_from,
     inserted_at, updated_at)
   select 'pay_' || n, 'ord_' || n, 1, 'card', 'visa', lpad((n * 31 % 10000)::text, 4, '0'), 1000, 'USD', 'succeeded', '',
     now(), now()
   from generate_series(1, ${ORDERS}) n`,
  'vacuum analyze orders',
  'vacuum analyze payments',
];
