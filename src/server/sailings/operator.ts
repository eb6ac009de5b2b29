import { getLocalDay } from '#domain/time/port-time.ts';
import type { Context } from '../context.ts';
import { getOperator } from '../database/operator.ts';

/** The operator's current day, `YYYY-MM-DD`. */
export async function operatorDay({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<string> {
  const { timeZone } = await getOperator(db);
  return getLocalDay(clock.now().getTime(), timeZone);
}
