import { and, asc, gt, isNull } from 'drizzle-orm';
import type { GateFares } from '#contract/gate/fares/schemas.ts';
import type { WebSettings } from '#contract/settings/schemas.ts';
import type { Database } from '#server/database/database.ts';
import { passProducts } from '#server/database/schema/timetable.ts';
import { tripCardBlocks } from '#server/database/schema/trip-cards.ts';
import type { CatalogueRecord, TimetableRecord } from '#server/sailings/queries.ts';
import { translatePass } from '#server/sailings/translate-catalogue.ts';
import { CODE_VALID_MINUTES } from '#server/trip-cards/read-cards.ts';
import { listSailingFares } from './sailing-fares.ts';

/** In minor units, and in trips. */
const DEFAULT_LIMITS = { money: 3000, trips: 4 };

type Input = {
  settings: WebSettings;
  catalogue: CatalogueRecord;
  timetable: readonly TimetableRecord[];
  language: string;
  now: Date;
};

/** What a gate needs to take fares for some sailings. */
export async function readGateFares(
  db: Database,
  { settings, catalogue, timetable, language, now }: Input,
): Promise<GateFares> {
  return {
    currency: catalogue.feed.currency,
    offline_limits: {
      money: settings.offline_fare_limit ?? DEFAULT_LIMITS.money,
      trips: settings.offline_trip_limit ?? DEFAULT_LIMITS.trips,
    },
    blocked: await listBlocked(db, now),
    passes: await listPassRules(db, language),
    max_party: catalogue.feed.maxParty,
    sailings: listSailingFares(catalogue, timetable, language),
  };
}

/** Codes are made for cards that are not blocked, so those of a card that has been blocked for longer are out of date. */
async function listBlocked(db: Database, now: Date): Promise<string[]> {
  const since = new Date(now.getTime() - CODE_VALID_MINUTES * 60_000);
  const rows = await db
    .select({ id: tripCardBlocks.tripCardId })
    .from(tripCardBlocks)
    .where(and(isNull(tripCardBlocks.untilAt), gt(tripCardBlocks.fromAt, since)));
  return rows.map(({ id }) => id);
}

/** Also of passes that are not on sale any more. */
async function listPassRules(db: Database, language: string): Promise<GateFares['passes']> {
  const rows = await db
    .select({ terms: passProducts.terms })
    .from(passProducts)
    .orderBy(asc(passProducts.sort), asc(passProducts.code));
  return rows.map(({ terms }) => {
    const { code, name, lines, passenger_types } = translatePass(terms, language);
    return { code, name, lines, passenger_types };
  });
}
