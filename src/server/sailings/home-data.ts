import type { HomeData } from '#contract/catalogue/schemas.ts';
import { addDays } from '#domain/time/days.ts';
import { getDayStart, getLocalDay } from '#domain/time/port-time.ts';
import type { Context } from '../context.ts';
import { loadWebSettings } from '../settings/web-settings.ts';
import { presentCatalogue } from './catalogue-presenter.ts';
import { loadCatalogue } from './queries.ts';

/** The initial data of the purchase screen. */
export async function loadHomeData({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<HomeData> {
  const now = clock.now();
  const catalogue = await loadCatalogue(db);
  const { terms } = await loadWebSettings({ db });
  const { timeZone } = catalogue.feed;
  const today = getLocalDay(now.getTime(), timeZone);
  return {
    catalogue: presentCatalogue(catalogue, { today, now, termsVersion: terms.version }),
    today,
    today_ends_at: new Date(getDayStart(addDays(today, 1), timeZone)).toISOString(),
  };
}
