import type { Catalogue } from '#contract/catalogue.ts';
import { localDay } from '#domain/port-time.ts';
import type { Deps } from '../deps.ts';
import { loadWebSettings } from '../settings/web-settings.ts';
import { presentCatalogue } from './catalogue-presenter.ts';
import { loadCatalogue } from './queries.ts';

/** What the purchase screen starts from, and the operator's calendar day. */
export async function loadHomeData({
  db,
  clock,
}: Pick<Deps, 'db' | 'clock'>): Promise<{ catalogue: Catalogue; today: string }> {
  const now = clock.now();
  const facts = await loadCatalogue(db);
  const { terms } = await loadWebSettings({ db });
  const today = localDay(now.getTime(), facts.feed.timeZone);
  return { catalogue: presentCatalogue(facts, { today, now, termsVersion: terms.version }), today };
}
