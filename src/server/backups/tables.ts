import { sql } from 'drizzle-orm';
import { type Database, queryRows } from '../database/database.ts';

/** A table with the columns that are stored, in their order. Names are quoted where SQL needs it. */
export type Table = {
  name: string;
  /** `sequence` numbers the rows of a column; null for most. */
  columns: { name: string; type: string; sequence: string | null }[];
  hasBytes: boolean;
};

/**
 * What a server process writes again when it starts: the files of its release and its own entry. Without them a backup
 * has a tenth of the size.
 */
const REBUILT = ['release_files', 'release_documents', 'releases', 'running_processes'];

/** The tables of the product and of its stand-ins, without those of the job queue and of the migrations. */
export function listTables(tx: Database): Promise<Table[]> {
  return queryRows<Table>(
    tx,
    sql`
      select format('%I.%I', n.nspname, c.relname) as name,
        json_agg(
          json_build_object(
            'name', quote_ident(a.attname),
            'type', format_type(a.atttypid, a.atttypmod),
            'sequence', pg_get_serial_sequence(format('%I.%I', n.nspname, c.relname), a.attname)
          )
          order by a.attnum
        ) as columns,
        bool_or(a.atttypid = 'bytea'::regtype) as "hasBytes"
      from pg_class c
        join pg_namespace n on n.oid = c.relnamespace
        join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      where c.relkind = 'r' and n.nspname in ('public', 'sandbox') and ${isOwn('c.oid')}
      group by 1 order by 1`,
  );
}

/** The tables whose rows a backup contains. */
export async function listSavedTables(tx: Database): Promise<Table[]> {
  const tables = await listTables(tx);
  return tables.filter(({ name }) => !REBUILT.includes(name.replace('public.', '')));
}

type ForeignKey = { table: string; name: string; definition: string };

/**
 * Loads rows in any order: foreign keys are checked afterwards, for all rows at once, and triggers do not run, because
 * the rows contain their effects. Needs no more rights than those of the tables' owner.
 */
export async function withoutChecks(
  tx: Database,
  tables: readonly Table[],
  load: () => Promise<void>,
): Promise<void> {
  const keys = await queryRows<ForeignKey>(
    tx,
    sql`
      select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
      from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`,
  );
  for (const { table, name } of keys) await run(tx, `alter table ${table} drop constraint ${name}`);
  for (const { name } of tables) await run(tx, `alter table ${name} disable trigger user`);
  await load();
  for (const { name } of tables) await run(tx, `alter table ${name} enable trigger user`);
  for (const { table, name, definition } of keys)
    await run(tx, `alter table ${table} add constraint ${name} ${definition}`);
}

/** Removes the tables and functions of the product, its stand-ins and its job queue. */
export async function dropEverything(tx: Database): Promise<void> {
  for (const { name } of await listTables(tx)) await run(tx, `drop table ${name} cascade`);
  const routines = await queryRows<{ name: string }>(
    tx,
    sql`
      select oid::regprocedure::text as name from pg_proc p
      where pronamespace = 'public'::regnamespace and ${isOwn('p.oid')}`,
  );
  for (const { name } of routines) await run(tx, `drop routine ${name} cascade`);
  for (const schema of ['drizzle', 'pgboss', 'sandbox'])
    await run(tx, `drop schema if exists ${schema} cascade`);
}

/** Numbers that a column generates continue after the largest one stored. */
export async function continueSequences(tx: Database, { name, columns }: Table): Promise<void> {
  for (const { name: column, sequence } of columns) {
    if (sequence !== null)
      await run(tx, `select setval('${sequence}', coalesce(max(${column}), 0) + 1, false) from ${name}`);
  }
}

/** Runs a statement made of names that the database quoted. */
export async function run(tx: Database, statement: string): Promise<void> {
  await tx.execute(sql.raw(statement));
}

/** Not part of an extension, which an administrator has installed. */
function isOwn(oid: string) {
  return sql.raw(`not exists (select 1 from pg_depend where objid = ${oid} and deptype = 'e')`);
}
