import { type Message, message } from '#messages/translate.ts';
import { formatLane, type Units } from '#web/features/site/lengths.ts';
import { t } from '#web/language/texts.ts';
import type { DeskBoat } from '#web/platform/api/types.ts';

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
