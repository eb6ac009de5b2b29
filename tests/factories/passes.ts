import type { PassTerms } from '#contract/passes/pass-terms.ts';
import { newId } from '#server/core/ids.ts';
import type { Database } from '#server/database/database.ts';
import { passProducts } from '#server/database/schema/timetable.ts';

/** The terms of a pass for everyone on every line, ten trips for 74.00 within a year. */
export function buildPassTerms(over: Partial<PassTerms> = {}): PassTerms {
  return {
    code: 'ten_trips',
    name: '10-trip pass',
    summary: 'Ten crossings for the price of eight.',
    trips: 10,
    price: 7400,
    currency: 'USD',
    lines: null,
    line_names: [],
    passenger_types: null,
    passenger_names: [],
    vehicle_type: null,
    vehicle_name: null,
    valid_days: 365,
    valid_from: 'purchase',
    ...over,
  };
}

/** Puts a pass on sale. */
export async function sellPass(db: Database, over: Partial<PassTerms> = {}): Promise<PassTerms> {
  const terms = buildPassTerms(over);
  await db
    .insert(passProducts)
    .values({ id: newId('psp'), code: terms.code, terms })
    .onConflictDoUpdate({ target: passProducts.code, set: { terms, active: true } });
  return terms;
}
