/** The oldest major version of PostgreSQL that has all the syntax and functions of our statements. */
export const LOWEST_POSTGRES = 15;

/**
 * What an operator reads about a PostgreSQL server that is too old; null if it is not.
 * @param query sends a statement to the server
 */
export async function explainOldServer(
  query: (statement: string) => Promise<{ rows: unknown[] }>,
): Promise<string | null> {
  const { rows } = await query(`
    select current_setting('server_version_num')::int / 10000 as major, current_setting('server_version') as name
  `);
  const [version] = rows as { major: number; name: string }[];
  if (version === undefined || version.major >= LOWEST_POSTGRES) return null;
  return `The database server is PostgreSQL ${version.name}, which is too old: Gangway needs ${LOWEST_POSTGRES} or newer. Upgrade it, or set DATABASE_URL to a newer one.`;
}
