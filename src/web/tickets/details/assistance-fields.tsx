import { ASSISTANCE_NEEDS, ASSISTANCE_NOTE_LENGTH } from '#contract/checkout/assistance.ts';
import { describeShortNotice, isShortNotice, NEED_TEXTS } from '#domain/orders/assistance.ts';
import { labelTravelers, type Traveler } from '#web/features/order/traveler-names/travelers.ts';
import { type Journey, listSailings } from '#web/platform/query/journey.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Checkbox } from '#web/ui/form/checkbox.tsx';
import { TextField } from '#web/ui/form/field.tsx';
import { Disclosure } from '#web/ui/layout/disclosure.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { type AskedByTraveler, type Draft, useDraft, usePurchase } from '../purchase.ts';
import type { StepProps } from '../steps.ts';
import { findPortName } from '../trip/trip.ts';

type AssistanceFieldsProps = Pick<StepProps, 'catalogue'> & { noticeHours: number };

/** What each traveler needs help with, kept in the draft. */
export function AssistanceFields({ catalogue, noticeHours }: AssistanceFieldsProps) {
  const draft = useDraft();
  const travelers = labelTravelers(draft.quote?.lines ?? []);
  const ports = listPortsOfShortNotice(draft, { catalogue, noticeHours });
  return (
    <Stack>
      <p className="note">
        Ask at least {noticeHours} hours before departure, so that the crew is ready. Only the ferry’s staff
        and the buyer see this.
      </p>
      {ports.length > 0 && <Notice type="warning">{describeShortNotice(ports, noticeHours)}</Notice>}
      {travelers.map((traveler) =>
        travelers.length === 1 ? (
          <NeedsOf key={traveler.key} traveler={traveler} />
        ) : (
          <Disclosure
            key={traveler.key}
            summary={draft.travelerNames[traveler.key]?.trim() || traveler.label}
            open={hasAsked(draft.assistance[traveler.key])}
          >
            <NeedsOf traveler={traveler} />
          </Disclosure>
        ),
      )}
    </Stack>
  );
}

function NeedsOf({ traveler: { key, label } }: { traveler: Traveler }) {
  const { assistance } = useDraft();
  const { change } = usePurchase();
  const asked = assistance[key] ?? { needs: [], note: '' };
  const set = (part: Partial<AskedByTraveler>) =>
    change({ assistance: { ...assistance, [key]: { ...asked, ...part } } });
  return (
    <Stack as="fieldset" gap="sm">
      <legend className="visually-hidden">Assistance for {label}</legend>
      {ASSISTANCE_NEEDS.map((need) => (
        <Checkbox
          key={need}
          label={NEED_TEXTS[need]}
          checked={asked.needs.includes(need)}
          onChange={({ target }) =>
            set({
              needs: ASSISTANCE_NEEDS.filter((each) =>
                each === need ? target.checked : asked.needs.includes(each),
              ),
            })
          }
        />
      ))}
      <TextField
        label="Anything else the crew should know"
        isOptional
        hint="Such as an assistance dog, or a seat near the exit."
        autoComplete="off"
        dir="auto"
        maxLength={ASSISTANCE_NOTE_LENGTH}
        value={asked.note}
        onChange={({ target }) => set({ note: target.value })}
      />
    </Stack>
  );
}

function hasAsked(asked: AskedByTraveler | undefined): boolean {
  return asked !== undefined && (asked.needs.length > 0 || asked.note !== '');
}

function listPortsOfShortNotice(
  { trip, outward, back }: Draft,
  { catalogue, noticeHours }: AssistanceFieldsProps,
): string[] {
  const knownAt = Date.now();
  const ofJourney = (journey: Journey | null, from: string | undefined) =>
    journey === null
      ? []
      : listSailings(journey).flatMap(({ departsAt }, index) => {
          const port = index === 0 ? findPortName(catalogue, from ?? '') : (journey.change?.port ?? '');
          return isShortNotice({ departsAt: Date.parse(departsAt), knownAt }, noticeHours) ? [port] : [];
        });
  return [...ofJourney(outward, trip?.from), ...ofJourney(back, trip?.to)];
}
