import { formatList } from '#messages/intl.ts';
import { type Message, message } from '#messages/translate.ts';
import { formatLane, type Units } from '#web/features/site/lengths.ts';
import { textLanguage } from '#web/language/page-language.ts';
import { t } from '#web/language/texts.ts';
import type { BoatDetails, DeskBoat } from '#web/platform/api/types.ts';

export type Resource = DeskBoat['loads'][number]['resource'];

export const RESOURCES: Readonly<Record<Resource, Message>> = {
  passenger: message('people|places on a boat'),
  lane_cm: message('lane|places on a boat'),
  tall_lane_cm: message('tall lane|places on a boat'),
  bicycle: message('bicycles|places on a boat'),
};

export function isLane(resource: Resource): boolean {
  return resource === 'lane_cm' || resource === 'tall_lane_cm';
}

/** "12", or "40 m" of a lane. */
export function formatPlaces(resource: Resource, amount: number, units: Units): string {
  return isLane(resource) ? formatLane(amount, units) : String(amount);
}

/** "12 people", "40 m lane" */
export function describePlaces(resource: Resource, amount: number, units: Units): string {
  return t('{amount} {resource}', {
    amount: formatPlaces(resource, amount, units),
    resource: t(RESOURCES[resource]),
  });
}

/** "40 people and 12 m lane" */
export function describeHeldBack(
  { passenger, laneCm, tallLaneCm, bicycle }: BoatDetails['heldBack'][number]['places'],
  units: Units,
): string {
  const amounts = { passenger, lane_cm: laneCm, tall_lane_cm: tallLaneCm, bicycle };
  const resources = Object.keys(amounts) as Resource[];
  const named = resources
    .filter((resource) => amounts[resource] > 0)
    .map((resource) => describePlaces(resource, amounts[resource], units));
  return formatList(textLanguage(), named);
}
