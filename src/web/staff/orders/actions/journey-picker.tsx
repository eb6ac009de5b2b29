import { listStaffJourneys } from '#contract/desk/changes/endpoints.ts';
import { getDirection } from '#domain/orders/legs.ts';
import { localDay } from '#web/features/site/local-time.ts';
import { t } from '#web/language/texts.ts';
import { request } from '#web/platform/api/request.ts';
import type { Leg, StaffOrder } from '#web/platform/api/types.ts';
import { BoatPicker } from '#web/staff/boat-picker.tsx';

type JourneyPickerProps = {
  staffOrder: StaffOrder;
  /** The first boat that is booked. */
  start: Leg;
  /** Of the journey, in an order of two. */
  name: string | undefined;
  /** The day before which the journey cannot be, `YYYY-MM-DD`. */
  earliest: string | undefined;
  chosen: ChosenJourney | undefined;
  onChoose: (chosen: ChosenJourney | undefined) => void;
};

/** `hasChoice`: instead of one that does not run as bought, so at no charge. */
export type ChosenJourney = { legs: readonly Leg[]; hasChoice: boolean };

/** The boats of a day that have room for the party of a journey. */
export function JourneyPicker(props: JourneyPickerProps) {
  const { staffOrder, start, name, earliest, chosen, onChoose } = props;
  const { reference, version } = staffOrder.order;
  const direction = getDirection(start.leg);
  const legs = chosen?.legs ?? [];
  const [first] = legs;
  const soonest = earliest !== undefined && earliest > localDay(start.departsLocal) ? earliest : null;
  return (
    <BoatPicker
      name={name}
      startDay={first ? localDay(first.departsLocal) : soonest}
      earliest={earliest}
      queryKey={['staff-journeys', reference, version, direction]}
      list={(day, signal) =>
        request(listStaffJourneys, { params: { reference }, query: { direction, day }, signal })
      }
      chosen={legs.map(({ sailingId }) => sailingId)}
      onChoose={(journey, { hasChoice }) => onChoose(journey && { legs: journey, hasChoice })}
      emptyText={t('No other boat has enough room on this day. Choose another day.')}
    />
  );
}
