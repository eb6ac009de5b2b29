import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, Suspense, useState } from 'react';
import { ContactWays, useCanReach } from '#web/features/site/contact-ways.tsx';
import type { Catalogue, PassengerType } from '#web/platform/api/types.ts';
import { sailingsQuery } from '#web/platform/query/queries.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { lazyComponent } from '#web/platform/updates/missing-chunk.ts';
import { formatMoney } from '#web/ui/data/money.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Counter } from '#web/ui/form/counter.tsx';
import { ErrorSummary, type FieldError } from '#web/ui/form/error-summary.tsx';
import { ReferenceField } from '#web/ui/form/field.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { StickyBar } from '#web/ui/layout/sticky-bar.tsx';
import { useDraft, usePurchase } from '../purchase.ts';
import { StepAside, StepForm, StepHeading, StepMain } from '../step-layout.tsx';
import { type StepProps, useGoToStep } from '../steps.ts';
import { useHydrated } from '../use-hydrated.ts';
import { isLongList } from './port-field.tsx';
import { rememberPorts } from './recent-ports.ts';
import { RouteFields } from './route-fields.tsx';
import {
  currentTrip,
  findFromAmount,
  findRoute,
  findSailingsSearch,
  findVehicleType,
  partySize,
  type Trip,
} from './trip.ts';
import { TripMap } from './trip-map.tsx';
import { type DateProblems, findTripProblems, passengerFieldId, tripFields } from './trip-problems.ts';
import styles from './trip-step.module.css';
import type { Units } from './units.ts';

/** Most passengers bring no vehicle, so its sizes stay out of the first bundle. */
const SizeFields = lazyComponent(async () => (await import('./size-fields.tsx')).SizeFields);

const LIMIT_ID = 'party-limit';

export type TripFieldsProps = {
  catalogue: Catalogue;
  trip: Trip;
  /** The attributes of a field by its id, of those in `tripFields` and `passengerFieldId`. */
  field: (id: string) => { id: string; error: string | undefined };
  onChange: (fields: Partial<Trip>) => void;
};

export function TripStep({ catalogue, today }: StepProps) {
  const { brand, units } = useSettings();
  const goToStep = useGoToStep();
  const client = useQueryClient();
  const purchase = usePurchase();
  const trip = currentTrip(useDraft().trip, catalogue, today);
  const [attempted, setAttempted] = useState<FieldError[] | null>(null);
  const [dateProblems, setDateProblems] = useState<DateProblems>({});
  const found = findTripProblems(catalogue, trip, units, dateProblems);
  const fromAmount = findFromAmount(catalogue, trip);

  function change(fields: Partial<Trip>) {
    purchase.change({ trip: { ...currentTrip(purchase.get().trip, catalogue, today), ...fields } });
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    const errors = Object.entries(found).map(([fieldId, message]) => ({ fieldId, message }));
    setAttempted(errors);
    if (errors.length > 0) return;
    purchase.change({ trip, hasSearched: true, outward: null, back: null, notice: null });
    if (isLongList(catalogue.ports)) rememberPorts(trip.from, trip.to);
    const search = findSailingsSearch(catalogue, trip, 'out', units);
    if (search !== null) void client.prefetchQuery(sailingsQuery(search));
    goToStep('sailings');
  }

  const field = (id: string) => ({ id, error: attempted === null ? undefined : found[id] });
  const fields = { catalogue, trip, field, onChange: change };
  return (
    <StepForm onSubmit={submit}>
      <StepHeading intro={brand.tagline ?? undefined}>Purchase tickets</StepHeading>
      <StepMain>
        {attempted !== null && <ErrorSummary title="Please check your trip" errors={attempted} />}
        <Card aria-label="Route and dates">
          <RouteFields
            {...fields}
            today={today}
            onDateProblem={(problems) => setDateProblems((all) => ({ ...all, ...problems }))}
          />
        </Card>
        <Card title="Who is traveling?">
          <PartyFields {...fields} />
        </Card>
        <Card title="Vehicle and bicycles">
          <VehicleFields {...fields} units={units} />
        </Card>
        <ReferenceField
          label="Promo code"
          isOptional
          className={styles.promo}
          maxLength={32}
          value={trip.promoCode}
          onChange={(event) => change({ promoCode: event.target.value })}
        />
      </StepMain>
      <StepAside>
        <StickyBar>
          {fromAmount !== null && (
            <p className={styles.from}>
              from <strong>{formatMoney(fromAmount, catalogue.currency)}</strong>
              <span className={styles.each}>one way</span>
            </p>
          )}
          <ShowSailings />
        </StickyBar>
        <TripMap catalogue={catalogue} trip={trip} onChange={change} />
      </StepAside>
    </StepForm>
  );
}

/** Disabled until hydrated, or the browser itself would submit the form and lose its values. */
function ShowSailings() {
  const isHydrated = useHydrated();
  return (
    <Button type="submit" size="large" icon="ferry" disabled={!isHydrated}>
      Show sailings
    </Button>
  );
}

function PartyFields({ catalogue, trip, field, onChange }: TripFieldsProps) {
  const canReach = useCanReach();
  const roomLeft = Math.max(0, catalogue.maxParty - partySize(trip));
  return (
    <div className={styles.party}>
      {catalogue.passengerTypes.map((type) => {
        const count = trip.passengers[type.code] ?? 0;
        return (
          <Counter
            key={type.id}
            {...field(passengerFieldId(type.code))}
            label={type.name}
            description={describeType(type)}
            value={count}
            max={count + roomLeft}
            maxReasonId={LIMIT_ID}
            onChange={(next) => onChange({ passengers: { ...trip.passengers, [type.code]: next } })}
          />
        );
      })}
      {roomLeft === 0 && (
        <p id={LIMIT_ID} className={styles.limit} role="status">
          You can book up to {catalogue.maxParty} people at once.{' '}
          {canReach && (
            <>
              For a larger group, <ContactWays />.
            </>
          )}
        </p>
      )}
    </div>
  );
}

function describeType({ ageMin, ageMax, requiresProof }: PassengerType): string | undefined {
  const ages = describeAges(ageMin, ageMax);
  return [ages, requiresProof ? 'bring proof' : null].filter(Boolean).join(' · ') || undefined;
}

function describeAges(min: number | null, max: number | null): string | null {
  if (max !== null) return min === null || min === 0 ? `Under ${max + 1} years` : `${min} to ${max} years`;
  return min === null ? null : `${min} years and older`;
}

function VehicleFields(props: TripFieldsProps & { units: Units }) {
  const { catalogue, trip, field, onChange } = props;
  const route = findRoute(catalogue, trip.from, trip.to);
  const type = findVehicleType(catalogue, trip);
  // What was chosen before the route changed stays in sight, with its error, instead of vanishing.
  const showsVehicles = route?.carriesVehicles !== false || type !== null;
  const showsBicycles = route?.carriesBicycles !== false || trip.bicycles > 0;
  if (!showsVehicles && !showsBicycles) return <p>This route takes foot passengers only.</p>;
  return (
    <Stack>
      {showsVehicles ? (
        <Select
          {...field(tripFields.vehicle)}
          label="Vehicle"
          hint={type?.includesDriver ? 'The fare includes the driver.' : undefined}
          value={trip.vehicle}
          placeholder="No vehicle"
          options={catalogue.vehicleTypes.map(({ code, name }) => ({ value: code, label: name }))}
          onChange={(event) => onChange({ vehicle: event.target.value })}
        />
      ) : (
        <p>This route takes no vehicles.</p>
      )}
      {type !== null && (
        <Suspense>
          <SizeFields {...props} type={type} />
        </Suspense>
      )}
      {showsBicycles && (
        <Counter
          {...field(tripFields.bicycles)}
          label="Bicycles"
          value={trip.bicycles}
          max={catalogue.maxParty}
          onChange={(bicycles) => onChange({ bicycles })}
        />
      )}
    </Stack>
  );
}
