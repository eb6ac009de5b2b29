import { utcOffset } from '../site/clock-change.ts';

type Zones = {
  departsLocal: string;
  arrivesLocal: string;
  departsZoneLabel: string;
  arrivesZoneLabel: string;
};

/**
 * The zone labels to write after the times of a crossing in a list. Both where the ports' clocks differ, otherwise one, and
 * that only where this device's clock differs from theirs. Orders always say the zone.
 */
export function findShownZones({ departsLocal, arrivesLocal, ...labels }: Zones) {
  const { departsZoneLabel, arrivesZoneLabel } = labels;
  const differ = departsZoneLabel !== arrivesZoneLabel;
  const isDeviceTime = [departsLocal, arrivesLocal].every(
    (local) => utcOffset(local) === -new Date(local).getTimezoneOffset(),
  );
  return {
    departs: differ ? departsZoneLabel : '',
    arrives: differ || !isDeviceTime ? arrivesZoneLabel : '',
  };
}
