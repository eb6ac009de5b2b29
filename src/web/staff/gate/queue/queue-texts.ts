import { formatLane, formatLength, type Units } from '#web/features/site/lengths.ts';
import { t } from '#web/language/texts.ts';
import type { Catalogue, Queue, QueueEntry } from '#web/platform/api/types.ts';

type FreePlaces = Queue['free'][number]['places'][number];
type Named = Pick<Catalogue, 'passengerTypes' | 'vehicleTypes'>;

/** "2 × Adult, Car 4.5 m, 1 bicycle" */
export function describeParty({ party }: Pick<QueueEntry, 'party'>, names: Named, units: Units): string {
  const { passengers, vehicle, bicycles } = party;
  const type = names.vehicleTypes.find(({ code }) => code === vehicle?.type);
  const length = vehicle?.lengthCm;
  return [
    ...passengers.map(({ type: code, count }) => {
      const title = names.passengerTypes.find((each) => each.code === code)?.name ?? code;
      return count === 1 ? title : t('{count} × {title}', { count, title });
    }),
    ...(vehicle
      ? [[type?.name ?? vehicle.type, length && formatLength(length, units)].filter(Boolean).join(' ')]
      : []),
    ...(bicycles > 0 ? [describeBicycles(bicycles)] : []),
  ].join(', ');
}

/** "12 people, 34 m of lane, 3 bicycles" */
export function describeFree({ places }: Queue['free'][number], units: Units): string {
  return places.map((each) => describeAmount(each, units)).join(', ');
}

function describeAmount({ resource, amount }: FreePlaces, units: Units): string {
  switch (resource) {
    case 'passenger':
      return t('{count, plural, one {# person} other {# people}}', { count: amount });
    case 'lane_cm':
      return t('{length} of lane', { length: formatLane(amount, units) });
    case 'tall_lane_cm':
      return t('{length} of tall lane', { length: formatLane(amount, units) });
    case 'bicycle':
      return describeBicycles(amount);
  }
}

function describeBicycles(count: number): string {
  return t('{count, plural, one {# bicycle} other {# bicycles}}', { count });
}
