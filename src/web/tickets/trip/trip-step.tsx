import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, Suspense, useState } from 'react';
import { CODE_LENGTH } from '#contract/limits.ts';
import { rich } from '#web/language/rich.ts';
import { t } from '#web/language/texts.ts';
import { sailingsQuery } from '#web/platform/query/queries.ts';
import { useSession } from '#web/platform/session/session.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { lazyComponent } from '#web/platform/updates/missing-chunk.ts';
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
import { ServiceNotices } from './service-notices.tsx';
import { TripMap } from './trip-map.tsx';
import { type DateProblems, findTripProblems } from './trip-problems.ts';
import { currentTripSearch, findFromAmount, findSailingsSearch, type TripSearch } from './trip-search.ts';
import styles from './trip-step.module.css';

const FavoriteRoutes = lazyComponent(
  async () => (await import('../favorite-routes/favorite-routes.tsx')).FavoriteRoutes,
);

export function TripStep({ catalogue, today }: StepProps) {
  const { brand, units } = useSettings();
  const { isAuthenticated } = useSession();
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
  const intro = isAuthenticated ? (
    <Suspense fallback={brand.tagline}>
      <FavoriteRoutes {...{ catalogue, trip }} onChange={change}>
        {brand.tagline}
      </FavoriteRoutes>
    </Suspense>
  ) : (
    brand.tagline
  );
  return (
    <StepForm onSubmit={submit}>
      <StepHeading intro={intro} notices={<ServiceNotices />}>
        {t('Purchase tickets')}
      </StepHeading>
      <TripMap place="heading" {...{ catalogue, trip }} onChange={change} />
      <StepMain>
        {attempted !== null && <ErrorSummary title={t('Please check your trip')} errors={attempted} />}
        <Card aria-label={t('Route and dates')}>
          <RouteFields
            {...fields}
            today={today}
            onDateProblem={(changed) => setDateProblems((all) => ({ ...all, ...changed }))}
          />
        </Card>
        <Card title={t('Who is traveling?')}>
          <PartyFields {...fields} />
        </Card>
        <Card title={t('Vehicle and bicycles')}>
          <VehicleFields {...fields} units={units} />
        </Card>
        <ReferenceField
          label={t('Promo code')}
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
              {rich('from <price></price><each>one way</each>', {
                price: () => (
                  <strong>
                    <Money amount={fromAmount} currency={catalogue.currency} />
                  </strong>
                ),
                each: (text) => <span className={styles.each}>{text}</span>,
              })}
            </p>
          )}
          <ShowSailings />
        </StickyBar>
        <TripMap place="aside" {...{ catalogue, trip }} onChange={change} />
      </StepAside>
    </StepForm>
  );
}

/** Disabled until hydrated, or the browser itself would submit the form and lose its values. */
function ShowSailings() {
  const isHydrated = useHydrated();
  return (
    <Button type="submit" size="large" icon="ferry" disabled={!isHydrated}>
      {t('Show sailings')}
    </Button>
  );
}
