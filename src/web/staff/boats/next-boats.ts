import { fillPath, staffPages } from '#contract/paths.ts';
import { formatList } from '#messages/intl.ts';
import { formatClock, shiftLocalTime } from '#web/features/site/local-time.ts';
import { textLanguage } from '#web/language/page-language.ts';
import { t } from '#web/language/texts.ts';
import type { DeskBoard, DeskBoat } from '#web/platform/api/types.ts';
import { SELL } from './boat-queries.ts';

/** "Heron Island and Ebb Point" */
export function nameDestinations({ sailings }: Pick<DeskBoat, 'sailings'>): string {
  return formatList(textLanguage(), [...new Set(sailings.map(({ destination }) => destination))]);
}

const MINUTE_MS = 60_000;

/** The next boats that are sold, each for other destinations, by expected departure. */
export function listNextBoats({ boats, asOf }: DeskBoard): DeskBoat[] {
  const expected = ({ departsAt, delayMinutes }: DeskBoat) =>
    Date.parse(departsAt) + delayMinutes * MINUTE_MS;
  const ahead = boats
    .filter(
      (boat) => boat.status === 'scheduled' && boat.departedAt === null && expected(boat) > Date.parse(asOf),
    )
    .toSorted((a, b) => expected(a) - expected(b));
  const byDestinations = new Map(ahead.toReversed().map((boat) => [nameDestinations(boat), boat]));
  return ahead.filter((boat) => byDestinations.get(nameDestinations(boat)) === boat);
}

/** Where a sale for a boat begins, and what leads there: "Sell for 8:40 AM to Heron Island", as it is expected. */
export function linkToSale(boat: DeskBoat): { to: string; label: string } {
  return {
    to: `${fillPath(staffPages.boat, { id: boat.id })}?${SELL}=1`,
    label: t('Sell for {time} to {destination}', {
      time: formatClock(shiftLocalTime(boat.departsLocal, boat.delayMinutes * MINUTE_MS)),
      destination: nameDestinations(boat),
    }),
  };
}
