import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { api } from '#contract/api.ts';
import { startCluster } from '#tests/setup/engine.ts';
import { signIn } from './customer.ts';
import { atMost, type Goal } from './goal.ts';
import { startProduct } from './product.ts';
import { figureOf, showFigure } from './stats.ts';
import { dataOf, mustBook, openTicketOffice, type TicketOffice } from './ticket-office.ts';

/** Orders in the installation, smallest first. */
const SIZES = [10_000, 100_000, 1_000_000];
const ORDERS_PER_CUSTOMER = 20;
/** Of the customer whose list is measured. */
const OWN_ORDERS = 200;
/** Of each kind; with those of the next size below the limit of requests a minute. */
const REQUESTS = 25;

type Call =
  | 'My Orders'
  | 'My Orders by departure'
  | 'My Orders by route'
  | 'My Orders sorted'
  | 'My Orders searched'
  | 'checkout';
type Times = Record<Call, number[]>;

/**
 * The same requests in an installation that grows from ten thousand to a million orders, on PostgreSQL: none may depend
 * on how much others have bought.
 */
export async function measureGrowth(report: (line: string) => void): Promise<Goal[]> {
  const cluster = await startCluster();
  try {
    const pool = new pg.Pool({ connectionString: cluster.url, max: 2 });
    const product = await startProduct({ DATABASE_URL: cluster.url, TRUST_PROXY: '1' });
    try {
      const office = await openTicketOffice(product, pool, { sailings: 5, clients: 1 });
      const { headers } = await signIn(product);
      const bySize = new Map<number, Times>();
      for (const size of SIZES) {
        await growTo(pool, size);
        const times = await timeCalls(office, headers);
        bySize.set(size, times);
        report(`${size} orders: ${Object.entries(times).map(showCall).join(', ')}`);
      }
      return judge(bySize);
    } finally {
      await Promise.all([product.stop(), pool.end()]);
    }
  } finally {
    await cluster.stop();
  }
}

async function timeCalls(office: TicketOffice, headers: Record<string, string>): Promise<Times> {
  const read = async (search: string) => {
    const path = search === '' ? api.listOrders.path : `${api.listOrders.path}?${search}`;
    dataOf(await office.product.call('GET', path, { headers }));
  };
  const month = new Date(Date.now() - 30 * 24 * 60 * 60_000).toISOString();
  const { rows } = await office.pool.query<{ route_id: string }>('select route_id from sailings limit 1');
  const calls: Record<Call, () => Promise<void>> = {
    'My Orders': () => read(''),
    'My Orders by departure': () => read(filter('departs_at', '>', month)),
    'My Orders by route': () => read(filter('route_id', '==', rows[0]?.route_id ?? '')),
    'My Orders sorted': () => read('sort=departs_at'),
    // Nothing matches, so that all of the customer's orders are compared, with their sailings.
    'My Orders searched': () => read('search=lovelace+june+5'),
    checkout: () => mustBook(office, 0, office.sailings[0] ?? ''),
  };
  const times: Times = {
    'My Orders': [],
    'My Orders by departure': [],
    'My Orders by route': [],
    'My Orders sorted': [],
    'My Orders searched': [],
    checkout: [],
  };
  // The first round fills caches and prepares statements.
  for (let turn = 0; turn <= REQUESTS; turn += 1) {
    for (const [name, call] of Object.entries(calls) as [Call, () => Promise<void>][]) {
      const started = performance.now();
      await call();
      if (turn > 0) times[name].push(performance.now() - started);
      // Stays below the limit of requests.
      await delay(20);
    }
  }
  return times;
}

function filter(field: string, op: string, value: string): string {
  const prefix = 'filters[0]';
  return String(
    new URLSearchParams({ [`${prefix}[field]`]: field, [`${prefix}[op]`]: op, [`${prefix}[value]`]: value }),
  );
}

/** Adds copies of a confirmed order of the demo, for its customer and for others, until there are `size`. */
async function growTo(pool: pg.Pool, size: number): Promise<void> {
  const { rows } = await pool.query<{ count: number }>('select count(*)::int as count from orders');
  const first = rows[0]?.count ?? 0;
  const client = await pool.connect();
  try {
    await client.query('set session_replication_role = replica');
    await client.query(`create temp table pattern as
      select o.id, o.hold_id, o.customer_id from orders o
      where o.status = 'confirmed' and o.customer_id is not null order by o.id limit 1`);
    await client.query(
      // An array, because joined with the numbers the sailings would be searched for each of them.
      `create temp table added as
       with timetable as materialized (select array_agg(id order by id) as ids from sailings)
       select n, case when n < $4 then pattern.customer_id else 'customer_' || n / $3 end as customer,
         ids[1 + n % cardinality(ids)] as sailing
       from pattern, timetable, generate_series($1::int, $2::int) n`,
      [first, size - 1, ORDERS_PER_CUSTOMER, OWN_ORDERS],
    );
    await client.query('analyze added, pattern');
    for (const statement of COPIES) await client.query(statement);
    await client.query('drop table added, pattern');
    await client.query('set session_replication_role = origin');
  } finally {
    client.release();
  }
  await pool.query('vacuum analyze');
}

/** Each copies the pattern's rows and replaces what must be unique. */
const COPIES = [
  copyRows(
    'customers',
    'r.id = p.customer_id',
    `'id', a.customer, 'email', a.customer || '@example.com',
    'webauthn_user_id', null, 'is_demo', false`,
    'distinct on (a.customer)',
  ),
  copyRows('holds', 'r.id = p.hold_id', `'id', 'hold_' || a.n`),
  copyRows(
    'orders',
    'r.id = p.id',
    `'id', 'order_' || a.n, 'reference', 'REF' || a.n, 'hold_id', 'hold_' || a.n,
    'customer_id', a.customer, 'inserted_at', now() - make_interval(mins => a.n % 1000000)`,
  ),
  copyRows(
    'order_lines',
    'r.order_id = p.id',
    `'id', 'line_' || a.n || '_' || r.position, 'order_id', 'order_' || a.n,
    'sailing_id', a.sailing`,
  ),
  copyRows(
    'tickets',
    'r.order_id = p.id',
    `'id', 'ticket_' || a.n || '_' || r.leg || r.party_index, 'order_id', 'order_' || a.n,
    'line_id', 'line_' || a.n || '_0', 'sailing_id', a.sailing, 'boarding_code', a.n || r.leg || r.party_index`,
  ),
];

function copyRows(table: string, where: string, changes: string, distinct = ''): string {
  return `insert into ${table}
    select copy.* from (select ${distinct} a.* from added a) a, pattern p join ${table} r on ${where},
      lateral jsonb_populate_record(r, jsonb_build_object(${changes})) copy
    on conflict do nothing`;
}

function judge(bySize: ReadonlyMap<number, Times>): Goal[] {
  const figure = (size: number, call: Call) => figureOf(bySize.get(size)?.[call] ?? []);
  const [smallest = 0, , largest = 0] = SIZES;
  const compare = (name: string, ours: [number, Call], base: [number, Call]) =>
    atMost(
      name,
      figure(...ours).median / figure(...base).median,
      { must: 1.3, aim: 1.1 },
      { note: `${showFigure(figure(...ours), 1)} / ${showFigure(figure(...base), 1)} ms` },
    );
  return [
    compare('16 My Orders, a million orders / ten thousand', [largest, 'My Orders'], [smallest, 'My Orders']),
    compare(
      '16 My Orders by departure / unfiltered, a million orders',
      [largest, 'My Orders by departure'],
      [largest, 'My Orders'],
    ),
    compare(
      '16 My Orders by route / unfiltered, a million orders',
      [largest, 'My Orders by route'],
      [largest, 'My Orders'],
    ),
    compare(
      '16 My Orders sorted by departure, a million orders / ten thousand',
      [largest, 'My Orders sorted'],
      [smallest, 'My Orders sorted'],
    ),
    compare(
      '16 My Orders searched, a million orders / ten thousand',
      [largest, 'My Orders searched'],
      [smallest, 'My Orders searched'],
    ),
    compare('16 checkout, a million orders / ten thousand', [largest, 'checkout'], [smallest, 'checkout']),
  ];
}

function showCall([name, times]: [string, readonly number[]]): string {
  return `${name} ${showFigure(figureOf(times), 1)} ms`;
}
