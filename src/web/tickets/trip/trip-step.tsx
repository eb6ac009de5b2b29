import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { CODE_LENGTH } from '#contract/limits.ts';
import { sailingsQuery } from '#web/platform/query/queries.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { Money } from '#web/ui/data/money.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { ErrorSummary, type FieldError } from '#web/ui/form/error-summary.tsx';
import { ReferenceField } from '#web/ui/form/field.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { StickyBar } from '#web/ui/layout/sticky-bar.tsx';
import { useDraft, usePurchase } from '../purchase.ts';
import { StepAside, StepForm, StepHeading, StepMain } from '../step-layout.tsx';
import { type StepProps, useGoToStep } from '../steps.ts';
import { useHydrated } from '../use-hydrated.ts';
import { PartyFields, VehicleFields } from './party-fields.tsx';
import { isLongList } from './port-field.tsx';
import { rememberPorts } from './recent-ports.ts';
import { RouteFields } from './route-fields.tsx';
import { TripMap } from './trip-map.tsx';
import { type DateProblems, findTripProblems } from './trip-problems.ts';
import { currentTripSearch, findFromAmount, findSailingsSearch, type TripSearch } from './trip-search.ts';
import styles from './trip-step.module.css';

export function TripStep({ catalogue, today }: StepProps) {
  const { brand, units } = useSettings();
  const goToStep = useGoToStep();
  const client = useQueryClient();
  const purchase = usePurchase();
  const trip = currentTripSearch(useDraft().trip, catalogue, today);
  const [attempted, setAttempted] = useState<FieldError[] | null>(null);
  const [dateProblems, setDateProblems] = useState<DateProblems>({});
  const problems = findTripProblems(catalogue, trip, units, dateProblems);
  const fromAmount = findFromAmount(catalogue, trip);

  function change(fields: Partial<TripSearch>) {
    purchase.change({ trip: { ...currentTripSearch(purchase.get().trip, catalogue, today), ...fields } });
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    const errors = Object.entries(problems).map(([fieldId, message]) => ({ fieldId, message }));
    setAttempted(errors);
    if (errors.length > 0) return;
    purchase.change({ trip, hasSearched: true, outward: null, back: null, notice: null });
    if (isLongList(catalogue.ports)) rememberPorts(trip.from, trip.to);
    const search = findSailingsSearch(catalogue, trip, 'out', units);
    if (search !== null) void client.prefetchQuery(sailingsQuery(search));
    goToStep('sailings');
  }

  const field = (id: string) => ({ id, error: attempted === null ? undefined : problems[id] });
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
            onDateProblem={(changed) => setDateProblems((all) => ({ ...all, ...changed }))}
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
          maxLength={CODE_LENGTH}
          value={trip.promoCode}
          onChange={(event) => change({ promoCode: event.target.value })}
        />
      </StepMain>
      <StepAside>
        <StickyBar>
          {fromAmount !== null && (
            <p className={styles.from}>
              from{' '}
              <strong>
                <Money amount={fromAmount} currency={catalogue.currency} />
              </strong>
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
