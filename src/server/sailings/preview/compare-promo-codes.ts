import { eq } from 'drizzle-orm';
import type { Database } from '#server/database/database.ts';
import { promoCodes } from '#server/database/schema/timetable.ts';
import type { PreparedFeed } from '../feed/prepare-feed-worker.ts';

/** The codes that an import adds, ends and changes. */
export type PromoChanges = Record<'added' | 'removed' | 'changed', string[]>;

type Terms = PreparedFeed['plan']['promoCodes'][number];

/** Compares the promo codes that are valid with those of a plan. */
export async function comparePromoCodes(
  db: Database,
  { promoCodes: planned }: Pick<PreparedFeed['plan'], 'promoCodes'>,
): Promise<PromoChanges> {
  const stored = await db.select().from(promoCodes).where(eq(promoCodes.active, true));
  const before = new Map(stored.map((promo) => [promo.code, describeTerms(promo)]));
  const after = new Map(planned.map((promo) => [promo.code, describeTerms(promo)]));
  const codes = [...after.keys()];
  return {
    added: codes.filter((code) => !before.has(code)),
    removed: [...before.keys()].filter((code) => !after.has(code)),
    changed: codes.filter((code) => before.has(code) && before.get(code) !== after.get(code)),
  };
}

function describeTerms({ kind, value, routeCodes, startsOn, endsOn, maxRedemptions }: Terms): string {
  return JSON.stringify([kind, value, routeCodes, startsOn, endsOn, maxRedemptions]);
}
