import { PGlite, type PGliteOptions, type QueryOptions, types } from '@electric-sql/pglite';

/** Types that the query builder reads as text and that plain SQL reads as dates. */
const TIME_TYPES = [types.TIMESTAMP, types.TIMESTAMPTZ, types.INTERVAL, types.DATE];
const TEXT_PARSERS = Object.fromEntries(TIME_TYPES.map((type) => [type, (text: string) => text]));
const DATE_PARSERS = Object.fromEntries(
  TIME_TYPES.flatMap((type) => (types.parsers[type] ? [[type, types.parsers[type]]] : [])),
);

/** The engine's default are 160 MB of its memory; the system caches the files anyway. */
const START_PARAMETERS = [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB'];

export type EmbeddedEngine = {
  /** For the query builder. */
  client: PGlite;
  /** Rows of the last statement, for plain SQL. */
  query<Row>(text: string, params: unknown[]): Promise<Row[]>;
};

/**
 * Opens the embedded engine. The query builder passes the same parsers with every statement, and the engine merges them
 * with its 300 others each time, a third of the cost of a short statement. They are given once here, when it opens.
 */
export async function openEmbeddedEngine(options: PGliteOptions): Promise<EmbeddedEngine> {
  const client = await PGlite.create({
    ...options,
    startParams: START_PARAMETERS,
    parsers: { ...TEXT_PARSERS, [types.INT8]: Number },
  });
  keepFilesPrivate(client);
  const query = client.query.bind(client);
  ignoreParsers(client);
  const transact = client.transaction.bind(client);
  client.transaction = (work) =>
    transact((tx) => {
      ignoreParsers(tx);
      return work(tx);
    });
  return {
    client,
    async query<Row>(text: string, params: unknown[]) {
      if (params.length > 0) return (await query<Row>(text, params, { parsers: DATE_PARSERS })).rows;
      const results = await client.exec(text, { parsers: DATE_PARSERS });
      return (results.at(-1)?.rows ?? []) as Row[];
    },
  };
}

/** The engine gives each new file the rights that it asked for, which are for all users, whatever the process's mask. */
function keepFilesPrivate({ Module: { FS } }: PGlite): void {
  const { chmod } = FS;
  FS.chmod = (path: string, mode: number, dontFollow?: boolean) =>
    chmod.call(FS, path, mode & ~0o077, dontFollow);
}

function ignoreParsers(connection: Pick<PGlite, 'query'>): void {
  const send = connection.query.bind(connection);
  connection.query = (text, params, { parsers: _, ...options }: QueryOptions = {}) =>
    send(text, params, options);
}
