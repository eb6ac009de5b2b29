import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { getProgress } from '#domain/sailings/under-way.ts';
import type { Boat, ServiceStatus } from '#web/platform/api/types.ts';
import { savesData } from '#web/platform/saves-data.ts';
import { serverNow } from '#web/platform/server-clock.ts';
import { serviceStatusQuery } from './service-status-query.ts';

/** Boats that have departed since, and delays that have changed, are asked for this often. */
const ASK_EVERY_MS = 5 * 60_000;
const MOVE_EVERY_MS = 60_000;

type BoatUnderWay = { id: string; boat: Boat; share: number };

/** The state of the service, and the boats under way where they are by the timetable and their delay, moved every minute. */
export function useBoats(): { status: ServiceStatus | undefined; boats: BoatUnderWay[] } {
  const { data: status } = useQuery({
    ...serviceStatusQuery(),
    // Not while the page is hidden.
    refetchInterval: savesData() ? false : ASK_EVERY_MS,
    staleTime: ASK_EVERY_MS,
  });
  useMinutes();
  const now = serverNow();
  const boats = (status?.boats ?? []).flatMap((boat) => {
    const times = {
      departsAt: Date.parse(boat.departsAt),
      arrivesAt: Date.parse(boat.arrivesAt),
      delayMinutes: boat.delayMinutes,
    };
    const share = getProgress({ ...times, isCanceled: false }, now);
    const id = `${boat.vesselName} ${boat.departsAt} ${boat.originPortId}`;
    return share === null ? [] : [{ id, boat, share }];
  });
  return { status, boats };
}

/** Renders again every minute while the page is visible. */
function useMinutes(): void {
  const [, setMinute] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') setMinute((minute) => minute + 1);
    }, MOVE_EVERY_MS);
    return () => clearInterval(timer);
  }, []);
}
