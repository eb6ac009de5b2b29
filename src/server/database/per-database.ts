import type { Database } from './database.ts';

/**
 * What is made once for a database and used many times, such as a prepared query: building a select's SQL costs more
 * than sending it.
 */
export function perDatabase<Made>(make: (db: Database) => Made): (db: Database) => Made {
  const made = new WeakMap<Database, Made>();
  return (db) => {
    const known = made.get(db) ?? make(db);
    made.set(db, known);
    return known;
  };
}
