import type pg from 'pg';

/** Statements vary with the length of lists; keeping the rarer ones would waste the server's memory. */
const MAX_STATEMENTS = 500;

/**
 * Lets the connections of a pool parse and plan each statement of the query builder once. For the many small statements
 * of a checkout, that is most of the work.
 */
export function createPreparer(): (client: pg.PoolClient) => void {
  const names = new Map<string, string>();
  return (client) => {
    const send = client.query;
    client.query = function query(this: pg.PoolClient, ...given: unknown[]) {
      const [statement, values, ...rest] = given;
      const name = Array.isArray(values) && values.length > 0 ? findName(names, statement) : undefined;
      const prepared = name === undefined ? given : [{ ...(statement as object), name }, values, ...rest];
      return Reflect.apply(send, this, prepared);
    } as typeof send;
  };
}

/** Gives the same text the same name on every connection; plain strings are sent unchanged. */
function findName(names: Map<string, string>, statement: unknown): string | undefined {
  const { text } = statement as { text?: unknown };
  if (typeof text !== 'string') return undefined;
  const existingName = names.get(text);
  if (existingName !== undefined || names.size >= MAX_STATEMENTS) return existingName;
  const name = `s${names.size}`;
  names.set(text, name);
  return name;
}
