import { fillPath, staffPages } from '#contract/paths.ts';
import { formatList } from '#messages/intl.ts';
import { formatClock } from '#web/features/site/local-time.ts';
import { textLanguage } from '#web/language/page-language.ts';
import { t } from '#web/language/texts.ts';
import type { DeskBoard, DeskBoat } from '#web/platform/api/types.ts';
import { SELL } from './boat-queries.ts';

/** "Heron Island and Ebb Point" */
export function nameDestinations({ sailings }: Pick<DeskBoat, 'sailings'>): string {
  return formatList(textLanguage(), [...new Set(sailings.map(({ destination }) => destination))]);
}

/** The next boats that are sold, each for other destinations, by departure. */
export function listNextBoats({ boats, asOf }: DeskBoard): DeskBoat[] {
  const ahead = boats.filter(
    ({ status, departsAt, delayMinutes, departedAt }) =>
      status === 'scheduled' &&
      departedAt === null &&
      Date.parse(departsAt) + delayMinutes * 60_000 > Date.parse(asOf),
  );
  const byDestinations = new Map(ahead.toReversed().map((boat) => [nameDestinations(boat), boat]));
  return [...byDestinations.values()].toSorted((a, b) => Date.parse(a.departsAt) - Date.parse(b.departsAt));
}

/** Where a sale for a boat begins, and what leads there: "Sell for 8:40 AM to Heron Island". */
export function linkToSale(boat: DeskBoat): { to: string; label: string } {
  return {
    to: `${fillPath(staffPages.boat, { id: boat.id })}?${SELL}=1`,
    label: t('Sell for {time} to {destination}', {
      time: formatClock(boat.departsLocal),
      destination: nameDestinations(boat),
    }),
  };
}
