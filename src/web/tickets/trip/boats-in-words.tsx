import { formatInstant } from '#domain/format/dates.ts';
import { getExpectedTimes } from '#domain/sailings/expected-times.ts';
import { describeBoat } from '#sentences/boats.ts';
import { t } from '#web/language/texts.ts';
import type { Boat, Catalogue } from '#web/platform/api/types.ts';
import { useSettings } from '#web/platform/settings/settings.ts';

/** How many boats the map shows, on one line, and for screen readers a sentence about each. */
export function BoatsInWords({ boats, catalogue }: { boats: readonly Boat[]; catalogue: Catalogue }) {
  const { language } = useSettings();
  const sentences = boats.map(({ vesselName, destinationPortId, departsAt, arrivesAt, delayMinutes }) => {
    const port = catalogue.ports.find(({ id }) => id === destinationPortId);
    const expected = getExpectedTimes({
      departsAt: Date.parse(departsAt),
      arrivesAt: Date.parse(arrivesAt),
      delayMinutes,
    });
    const time = formatInstant('clock', expected.arrivesAt, { language, zone: port?.timeZone });
    return describeBoat(t, { vessel: vesselName, port: port?.name ?? '', time });
  });
  return (
    <>
      <p>
        {t(
          '{count, plural, =0 {No boat is under way.} one {# boat is under way.} other {# boats are under way.}}',
          { count: boats.length },
        )}
      </p>
      <div className="visually-hidden">
        {sentences.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </div>
    </>
  );
}
