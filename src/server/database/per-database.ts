import type { Database } from './database.ts';

/** Caches one value per database, such as a prepared query: building its SQL costs more than sending it. */
export function perDatabase<Value>(make: (db: Database) => Value): (db: Database) => Value {
  const values = new WeakMap<Database, Value>();
  return (db) => {
    const value = values.get(db) ?? make(db);
    values.set(db, value);
    return value;
  };
}
