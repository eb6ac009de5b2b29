import { connect, createServer, type Server, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { api } from '#contract/api.ts';
import { fillPath } from '#contract/paths.ts';
import { createApp } from '#server/app.ts';
import { type OpenDatabase, openDatabase, POOL_SIZE, queryRows } from '#server/database/database.ts';
import { inTransaction } from '#server/database/transactions.ts';
import { isDatabaseUnavailable } from '#server/database/unavailable.ts';
import { openOffice } from '#tests/factories/buyer.ts';
import { cardHolder, createTripCard, findBrokenBooks } from '#tests/factories/trip-cards.ts';
import { openTestDatabase, type TestDatabase } from '#tests/setup/database.ts';

describe.runIf(inject('engine') === 'postgres')('a lost connection', () => {
  let database: TestDatabase;
  let admin: pg.Pool;
  beforeAll(async () => {
    database = await openTestDatabase();
    admin = new pg.Pool({ connectionString: inject('clusterUrl') });
    await database.store.query(`insert into secrets (name, value) values ('row', '')`);
  });
  afterAll(async () => {
    await admin.end();
    await database.close();
  });

  const backendOf = async (db: OpenDatabase['db']) =>
    (await queryRows<{ pid: number }>(db, sql`select pg_backend_pid() as pid`))[0]?.pid ?? 0;
  const terminate = (pid: number) => admin.query('select pg_terminate_backend($1, 10000)', [pid]);

  async function untilWaiting(pid: number, waitEvent: string): Promise<void> {
    for (;;) {
      const { rows } = await admin.query('select wait_event from pg_stat_activity where pid = $1', [pid]);
      if (rows[0]?.wait_event === waitEvent) return;
    }
  }

  async function expectUnavailableAndRecovered(work: Promise<unknown>): Promise<void> {
    const error: unknown = await work.then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(isDatabaseUnavailable(error), String(error)).toBe(true);
    expect(await database.store.query('select 1 as one')).toEqual([{ one: 1 }]);
    expect(await database.readiness.isReady()).toBe(true);
  }

  test('an idle connection that breaks is replaced without a failed request', async () => {
    const pids = await Promise.all(Array.from({ length: 5 }, () => backendOf(database.db)));
    for (const pid of new Set(pids)) await terminate(pid);
    // Their sockets have ended by now; the pool notices when it reads from them.
    for (let turn = 0; turn < 3; turn += 1) await nextTurn();
    expect(await database.store.query('select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('a connection that breaks between statements fails its transaction', async () => {
    await expectUnavailableAndRecovered(
      inTransaction(database.db, async (tx) => {
        await tx.execute(sql`update secrets set value = 'lost' where name = 'row'`);
        await terminate(await backendOf(tx));
        await tx.execute(sql`select 1`);
      }),
    );
    expect(await database.store.query(`select value from secrets where name = 'row'`)).toEqual([
      { value: '' },
    ]);
  });

  test('a connection that breaks before the commit fails its transaction', async () => {
    await expectUnavailableAndRecovered(
      inTransaction(database.db, async (tx) => terminate(await backendOf(tx))),
    );
  });

  test('does not hide why a transaction failed', async () => {
    const work = inTransaction(database.db, async (tx) => {
      await terminate(await backendOf(tx));
      throw new Error('sold out');
    });
    await expect(work).rejects.toThrow();
    expect(await database.store.query('select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('a connection that breaks during a statement fails the statement', async () => {
    const work = inTransaction(database.db, async (tx) => {
      const pid = await backendOf(tx);
      const sleeping = tx.execute(sql`select pg_sleep(600)`);
      await Promise.race([untilWaiting(pid, 'PgSleep').then(() => terminate(pid)), sleeping]);
      await sleeping;
    });
    await expectUnavailableAndRecovered(work);
  });

  test('a connection that breaks while waiting for a lock fails its statement and not the lock’s holder', async () => {
    const lock = sql`select 1 from secrets where name = 'row' for no key update`;
    await inTransaction(database.db, async (holder) => {
      await holder.execute(lock);
      await expectUnavailableAndRecovered(
        inTransaction(database.db, async (waiter) => {
          const pid = await backendOf(waiter);
          const waiting = waiter.execute(lock);
          await Promise.race([untilWaiting(pid, 'transactionid').then(() => terminate(pid)), waiting]);
          await waiting;
        }),
      );
      await holder.execute(sql`update secrets set value = '' where name = 'row'`);
    });
  });

  test('a connection that breaks during the commit fails the commit', async () => {
    await database.store.query(`
      create function wait_at_commit() returns trigger language plpgsql as $$
        begin perform pg_sleep(600); return null; end $$;
      create table committed (id int);
      create constraint trigger wait_at_commit after insert on committed
        deferrable initially deferred for each row execute function wait_at_commit();
    `);
    let pid = 0;
    const work = inTransaction(database.db, async (tx) => {
      pid = await backendOf(tx);
      await tx.execute(sql`insert into committed values (1)`);
    });
    const failed = expectUnavailableAndRecovered(work);
    while (pid === 0) await admin.query('select 1');
    await untilWaiting(pid, 'PgSleep');
    await terminate(pid);
    await failed;
    expect(await database.store.query('select * from committed')).toEqual([]);
    await database.store.query('drop table committed');
  });

  test('a connection that breaks with the migration lock fails that start and lets the next one begin', async () => {
    const other = await openDatabase({ url: database.url ?? '', folder: null });
    const holder = `select pid from pg_locks where locktype = 'advisory' and granted
      and database = (select oid from pg_database where datname = current_database())`;
    const work = database.withAdvisoryLock(async () => {
      const [row] = await other.store.query<{ pid: number }>(holder);
      await terminate(row?.pid ?? 0);
    });
    await expectUnavailableAndRecovered(work);
    expect(await other.withAdvisoryLock(async () => 'done')).toBe('done');
    await other.close();
  });

  test('a connection requested from a closed pool counts as lost too', async () => {
    const other = await openDatabase({ url: database.url ?? '', folder: null });
    await other.close();
    const error = await queryRows(other.db, sql`select 1`).catch((cause: unknown) => cause);
    expect(isDatabaseUnavailable(error)).toBe(true);
  });

  test('a connection that breaks when a transaction begins always leaves the pool', async () => {
    const line = await layLine(database.url ?? '');
    const other = await openDatabase({ url: line.url, folder: null });
    for (let times = 0; times <= POOL_SIZE; times += 1) {
      line.lose('begin', 'request');
      await expect(other.db.transaction(async () => {})).rejects.toSatisfy(isDatabaseUnavailable);
    }
    expect(await queryRows(other.db, sql`select 1 as one`)).toEqual([{ one: 1 }]);
    await other.close();
    line.close();
  });

  test('the pool closes after connections of every kind broke at once', async () => {
    const other = await openDatabase({ url: database.url ?? '', folder: null });
    const work = Array.from({ length: 10 }, () =>
      inTransaction(other.db, async (tx) => {
        await terminate(await backendOf(tx));
        await tx.execute(sql`select 1`);
      }),
    );
    for (const { status } of await Promise.allSettled(work)) expect(status).toBe('rejected');
    await other.close();
  });
});

describe.runIf(inject('engine') === 'postgres')('a payment whose connection is lost at its commit', () => {
  test.each([
    ['before the database has the commit', 'request'],
    ['after the database has committed', 'answer'],
  ] as const)('%s answers 503, and the same request again ends in one payment', async (_, lost) => {
    const office = await openOffice();
    const line = await layLine(office.database.url ?? '');
    const database = await openDatabase({ url: line.url, folder: null });
    const app = createApp({ ...office.context, db: database.db }, { isLimited: false });
    const holder = await cardHolder(office);
    const card = await createTripCard(office.context, holder.customer.id, { balance: 5000 });
    const order = await office.takeOrder();
    const idempotencyKey = crypto.randomUUID();
    const pay = async () => {
      const { tickets } = office.context.config.origins;
      const reply = await app.request(tickets + fillPath(api.startPayment.path, { id: order.id }), {
        method: 'POST',
        headers: {
          host: new URL(tickets).host,
          'content-type': 'application/json',
          'idempotency-key': idempotencyKey,
          authorization: `Bearer ${holder.token}`,
        },
        body: JSON.stringify({ method: 'trip_card', trip_card_id: card.id }),
      });
      const { data, errors } = (await reply.json()) as {
        data: { status: string } | null;
        errors: { code: string }[];
      };
      return { status: reply.status, retryAfter: reply.headers.get('retry-after'), data, errors };
    };

    line.lose('commit', lost);
    const first = await pay();
    expect([first.status, first.errors[0]?.code, first.retryAfter]).toEqual([503, 'unavailable', '5']);
    const paidByNow = lost === 'answer';
    expect(await office.readOrder(order.id)).toMatchObject({ status: paidByNow ? 'confirmed' : 'held' });

    const second = await pay();
    if (paidByNow) expect(second).toMatchObject({ status: 422, errors: [{ code: 'already_paid' }] });
    else expect(second).toMatchObject({ status: 201, data: { status: 'succeeded' } });
    expect(await office.readOrder(order.id)).toMatchObject({ status: 'confirmed', paid: order.total });
    const [books] = await office.database.store.query(
      `select (select count(*)::int from payments where status = 'succeeded') as payments,
         (select count(*)::int from trip_card_entries where kind = 'fare') as fares,
         (select count(*)::int from tickets) as tickets`,
    );
    expect(books).toEqual({ payments: 1, fares: 1, tickets: 1 });
    expect(await findBrokenBooks(office.context)).toEqual([]);
    await database.close();
    line.close();
    await office.close();
  });
});

/** A proxy to the database that drops the connection at one statement, or at its response. */
async function layLine(target: string) {
  const sockets = new Set<Socket>();
  let lost: { statement: 'begin' | 'commit'; what: 'request' | 'answer' } | null = null;
  const server: Server = createServer((near) => {
    const { hostname, port } = new URL(target);
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => sockets.delete(socket));
    }
    let isAnswerLost = false;
    near.on('data', (chunk) => {
      const found = lost !== null && chunk.includes(`${lost.statement}\0`) ? lost : null;
      if (found) lost = null;
      if (found?.what === 'request') {
        far.destroy();
        near.destroy();
        return;
      }
      isAnswerLost ||= found !== null;
      far.write(chunk);
    });
    far.on('data', (chunk) => (isAnswerLost ? near.destroy() : near.write(chunk)));
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const url = new URL(target);
  url.port = String(typeof address === 'object' ? address?.port : '');
  return {
    url: url.href,
    lose(statement: 'begin' | 'commit', what: 'request' | 'answer') {
      lost = { statement, what };
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
