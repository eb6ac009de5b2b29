import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { describeParty } from '#sentences/party.ts';
import { canBuyOnline } from '#web/features/sailing/sailing-row.tsx';
import { rich } from '#web/language/rich.ts';
import { t } from '#web/language/texts.ts';
import type { Catalogue } from '#web/platform/api/types.ts';
import type { Journey } from '#web/platform/query/journey.ts';
import { sailingsQuery } from '#web/platform/query/queries.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { Button } from '#web/ui/form/button.tsx';
import { ErrorSummary, type FieldError } from '#web/ui/form/error-summary.tsx';
import { closeDisclosure, Disclosure } from '#web/ui/layout/disclosure.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { useDraft, usePurchase } from '../purchase.ts';
import { PartyFields, VehicleFields } from '../trip/party-fields.tsx';
import { findTripProblems } from '../trip/trip-problems.ts';
import { type Direction, findSailingsSearch, partySize, type TripSearch } from '../trip/trip-search.ts';
import styles from './edit-party.module.css';

type EditPartyProps = { catalogue: Catalogue; trip: TripSearch };

/** Who travels, to change beside the sailings. Chosen sailings stay if they have room for the changed party. */
export function EditParty({ catalogue, trip }: EditPartyProps) {
  const { units } = useSettings();
  const { change, get } = usePurchase();
  const client = useQueryClient();
  const { asksForParty } = useDraft();
  const details = useRef<HTMLDetailsElement>(null);
  const [edited, setEdited] = useState(asksForParty ? trip : null);
  const [attempted, setAttempted] = useState<FieldError[] | null>(null);
  const current = edited ?? trip;
  const problems = findTripProblems(catalogue, current, units);
  const fields = {
    ...{ catalogue, trip: current },
    field: (id: string) => ({ id, error: attempted === null ? undefined : problems[id] }),
    onChange: (part: Partial<TripSearch>) => setEdited({ ...current, ...part }),
  };
  const party = {
    passengers: partySize(trip),
    vehicles: trip.vehicle === '' ? 0 : 1,
    bicycles: trip.bicycles,
  };

  function toggle(isOpen: boolean) {
    setEdited((shown) => (isOpen ? (shown ?? trip) : null));
    setAttempted(null);
    if (!isOpen) change({ asksForParty: false });
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    const errors = Object.entries(problems).map(([fieldId, message]) => ({ fieldId, message }));
    setAttempted(errors);
    if (errors.length > 0) return;
    const [outward, back] = await Promise.all([
      findAgain('out', get().outward),
      findAgain('back', get().back),
    ]);
    change({ trip: current, outward, back: outward && back, notice: null, refusal: null });
    closeDisclosure(details.current);
  }

  /** The chosen sailing with its price and room for the changed party; null if that cannot buy it. */
  async function findAgain(leg: Direction, chosen: Journey | null): Promise<Journey | null> {
    const search = chosen && findSailingsSearch(catalogue, current, leg, units);
    const sailings = search && (await client.fetchQuery(sailingsQuery(search)).catch(() => null));
    return sailings?.find((sailing) => sailing.id === chosen?.id && canBuyOnline(sailing)) ?? null;
  }

  return (
    <Disclosure
      ref={details}
      className={styles.party}
      open={edited !== null}
      summary={<PricesFor party={describeParty(t, party)} isBothWays={trip.tripType === 'return'} />}
      onToggle={({ currentTarget: { open } }) => toggle(open)}
    >
      {edited !== null && (
        <form noValidate onSubmit={(event) => void submit(event)}>
          <Stack>
            {attempted !== null && <ErrorSummary title={t('Please check your trip')} errors={attempted} />}
            <PartyFields {...fields} />
            <VehicleFields {...fields} units={units} />
            <Button type="submit" variant="secondary">
              {t('Show prices')}
            </Button>
          </Stack>
        </form>
      )}
    </Disclosure>
  );
}

function PricesFor({ party, isBothWays }: { party: string; isBothWays: boolean }) {
  const texts = { party, change: (text: ReactNode) => <span className={styles.change}>{text}</span> };
  return (
    <span className={styles.prices}>
      {isBothWays
        ? rich('Prices both ways for {party}. <change>Change</change>', texts)
        : rich('Prices one way for {party}. <change>Change</change>', texts)}
    </span>
  );
}
