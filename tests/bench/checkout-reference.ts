import { randomUUID } from 'node:crypto';
import pg from 'pg';

export type CheckoutReference = {
  /** Sells two places of a sailing, numbered from 0. */
  sell(sailing: number): Promise<void>;
  close(): Promise<void>;
};

const TABLES = `
  create table sailing (id int primary key, places int not null, sold int not null default 0, check (sold <= places));
  create table sale (id uuid primary key, sailing_id int not null references sailing, total int not null,
    at timestamptz not null default now());
  create table ticket (id uuid primary key, sale_id uuid not null references sale, code text not null);
  create table entry (id bigserial primary key, sale_id uuid not null references sale, amount int not null);
`;

/**
 * The same sale as a conversation with the database that uses nothing of the product: seven round trips through `pg` in
 * one transaction, prepared statements, synchronous commit, one connection per client.
 * @param clusterUrl a PostgreSQL cluster, on which it creates a database
 */
export async function openCheckoutReference(
  clusterUrl: string,
  { sailings, clients }: { sailings: number; clients: number },
): Promise<CheckoutReference> {
  const admin = new pg.Client({ connectionString: clusterUrl });
  await admin.connect();
  await admin.query('create database checkout_reference');
  await admin.end();
  const url = new URL(clusterUrl);
  url.pathname = '/checkout_reference';
  const pool = new pg.Pool({ connectionString: url.href, max: clients });
  await pool.query(
    `${TABLES} insert into sailing select n, 100000000 from generate_series(0, ${sailings - 1}) n`,
  );
  return {
    async sell(sailing) {
      const client = await pool.connect();
      try {
        await sellOn(client, sailing);
      } finally {
        client.release();
      }
    },
    close: () => pool.end(),
  };
}

async function sellOn(client: pg.PoolClient, sailing: number): Promise<void> {
  const run = (name: string, text: string, values: unknown[]) => client.query({ name, text, values });
  const sale = randomUUID();
  await client.query('begin');
  const { rows } = await run('lock', 'select places - sold as free from sailing where id = $1 for update', [
    sailing,
  ]);
  if (rows[0].free < 2) throw new Error('Sold out.');
  await run('take', 'update sailing set sold = sold + 2 where id = $1', [sailing]);
  await run('sale', 'insert into sale (id, sailing_id, total) values ($1, $2, 1850)', [sale, sailing]);
  await run('tickets', `insert into ticket values ($1, $2, 'a'), ($3, $2, 'b')`, [
    randomUUID(),
    sale,
    randomUUID(),
  ]);
  await run('entry', 'insert into entry (sale_id, amount) values ($1, 1850)', [sale]);
  await client.query('commit');
}
