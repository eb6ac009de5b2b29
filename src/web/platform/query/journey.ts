import type { Connection, Sailing } from '../api/types.ts';

/** Where and how long a journey changes boats as they run now, and its two sailings. */
export type Change = { port: string; minutes: number; first: Sailing; onward: Sailing };

/** One way of a trip as a list shows it: a direct sailing, or two with a change, from the first port to the last. */
export type Journey = Sailing & { change?: Change | undefined };

export function toJourney({ first, onward, changePort, transferMinutes, ...journey }: Connection): Journey {
  const { arrivesAt, arrivesLocal, arrivesZone, arrivesZoneLabel } = onward;
  return {
    ...first,
    ...journey,
    ...{ arrivesAt, arrivesLocal, arrivesZone, arrivesZoneLabel },
    statusText: [first.statusText, onward.statusText].filter(Boolean).join(' '),
    stopsBetween: [],
    vessel: { ...first.vessel, name: `${first.vessel.name}, then ${onward.vessel.name}` },
    change: {
      ...{ port: changePort.name, first, onward },
      minutes: transferMinutes + onward.delayMinutes - first.delayMinutes,
    },
  };
}

/** The sailings of a journey as they are travelled. */
export function listSailings(journey: Journey): readonly Sailing[] {
  const { change } = journey;
  return change ? [change.first, change.onward] : [journey];
}
