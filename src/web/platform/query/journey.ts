import { t } from '#web/language/texts.ts';
import type { Connection, Sailing } from '../api/types.ts';

/** Where and how long passengers change boats as they run now, and its two sailings. */
export type Transfer = { port: string; minutes: number; first: Sailing; onward: Sailing };

/** A journey as a list shows it: a direct sailing, or two with a transfer, from the first port to the last. */
export type Journey = Sailing & { transfer?: Transfer | undefined };

export function toJourney({ first, onward, transferPort, transferMinutes, ...journey }: Connection): Journey {
  const { arrivesAt, arrivesLocal, arrivesZone, arrivesZoneLabel } = onward;
  return {
    ...first,
    ...journey,
    ...{ arrivesAt, arrivesLocal, arrivesZone, arrivesZoneLabel },
    statusText: [first.statusText, onward.statusText].filter(Boolean).join(' '),
    stopsBetween: [],
    vessel: {
      ...first.vessel,
      name: t('{boat}, then {nextBoat}', { boat: first.vessel.name, nextBoat: onward.vessel.name }),
    },
    transfer: {
      ...{ port: transferPort.name, first, onward },
      minutes: transferMinutes + onward.delayMinutes - first.delayMinutes,
    },
  };
}

/** The sailings of a journey as they are travelled. */
export function listSailings(journey: Journey): readonly Sailing[] {
  const { transfer } = journey;
  return transfer ? [transfer.first, transfer.onward] : [journey];
}
