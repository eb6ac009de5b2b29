import type { HomeData } from '#contract/catalogue/schemas.ts';
import { addDays } from '#domain/time/days.ts';
import { getDayStart, getLocalDay } from '#domain/time/port-time.ts';
import { findPlace, getSkyAt, type Place, type Sky } from '#domain/time/sky.ts';
import type { Context } from '../context.ts';
import { loadWebSettings } from '../settings/web-settings.ts';
import { presentCatalogue } from './catalogue-presenter.ts';
import { loadServiceNotices, presentServiceNotices } from './exceptions/service-notices.ts';
import { type CatalogueRecord, loadCatalogue } from './queries.ts';
import { translateCatalogue } from './translate-catalogue.ts';

/** The initial data of the purchase screen. */
export type LoadedHomeData = {
  /** Changes with every import, also of translations alone. */
  revision: string;
  /** The light at the first port with coordinates. */
  sky: Sky | null;
  /** Of that port. */
  place: Place | null;
  /** With what the home page does not need. */
  catalogue: CatalogueRecord;
  inLanguage(language: string): HomeData;
};

export async function loadHomeData({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<LoadedHomeData> {
  const now = clock.now();
  const catalogue = await loadCatalogue(db);
  const { terms } = await loadWebSettings({ db });
  const { timeZone, revision } = catalogue.feed;
  const today = getLocalDay(now.getTime(), timeZone);
  const presented = new Map<string, HomeData>();
  const notices = await loadServiceNotices(db, today);
  const present = (language: string): HomeData => {
    const translated = translateCatalogue(catalogue, language);
    return {
      catalogue: presentCatalogue(translated, { today, now, termsVersion: terms.version }),
      notices: presentServiceNotices(notices, translated, language),
      today,
      today_ends_at: new Date(getDayStart(addDays(today, 1), timeZone)).toISOString(),
    };
  };
  return {
    revision,
    catalogue,
    sky: getSkyAt(now.getTime(), catalogue.ports),
    place: findPlace(catalogue.ports),
    inLanguage(language) {
      const data = presented.get(language) ?? present(language);
      presented.set(language, data);
      return data;
    },
  };
}
