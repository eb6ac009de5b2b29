import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { ticketPages } from '#contract/paths.ts';
import { LoadProblem } from '#web/features/site/load-problem.tsx';
import { rich } from '#web/language/rich.ts';
import { t } from '#web/language/texts.ts';
import { catalogueQuery } from '#web/platform/query/queries.ts';
import { useBusyWhile } from '#web/platform/updates/busy.ts';
import { lazyComponent, usePreloaded } from '#web/platform/updates/missing-chunk.ts';
import { useIdle } from '#web/platform/use-idle.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { ProgressSteps } from '#web/ui/feedback/progress-steps.tsx';
import { Loading } from '#web/ui/feedback/skeleton.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Disclosure } from '#web/ui/layout/disclosure.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { useDraft, useDraftPart, usePurchase } from '../purchase.ts';
import { mayHaveSavedOrders, NextTripSkeleton } from '../saved-tickets/has-saved-orders.tsx';
import { canGoBack, STEPS, type Step, type StepProps, useGoToStep, useStep } from '../steps.ts';
import { TripStep } from '../trip/trip-step.tsx';
import { useHydrated, useToday } from '../use-hydrated.ts';
import styles from './home-screen.module.css';

const SavedNextTrip = lazyComponent(
  async () => (await import('../saved-tickets/saved-tickets.tsx')).SavedNextTrip,
);
const SavedTickets = lazyComponent(
  async () => (await import('../saved-tickets/saved-tickets.tsx')).SavedTickets,
);
const FindTicketsForm = lazyComponent(async () => (await import('./find-tickets-form.tsx')).FindTicketsForm);
const LinkedSailing = lazyComponent(async () => (await import('./linked-sailing.tsx')).LinkedSailing);
const loadSailings = async () => (await import('../sailings/sailings-step.tsx')).SailingsStep;
const loadDetails = async () => (await import('../details/details-step.tsx')).DetailsStep;
const loadPay = async () => (await import('../pay/pay-step.tsx')).PayStep;
const SailingsStep = lazyComponent(loadSailings);
const DetailsStep = lazyComponent(loadDetails);
const PayStep = lazyComponent(loadPay);

/** Loads the code of the next step. */
const LOAD_NEXT = { trip: loadSailings, sailings: loadDetails, details: loadPay, pay: null };
const LOADING = <Loading height="3rem" lines={4} />;

/** The whole purchase: one page with a step for each entry of the browser's history. */
export function HomeScreen() {
  const catalogue = useQuery(catalogueQuery());
  const today = useToday(catalogue.data?.ports[0]?.timeZone);
  const step = useStep();
  const hasBegun = useDraftPart(({ trip }) => trip !== null);
  useBusyWhile(hasBegun, 'a purchase under way', 'light');
  usePreloaded(LOAD_NEXT[step]);
  return (
    <Stack gap="lg" data-horizon={step === 'trip' || undefined}>
      {step === 'trip' && <NextTrip />}
      <Progress step={step} />
      {catalogue.data ? (
        <CurrentStep step={step} catalogue={catalogue.data} today={today} />
      ) : catalogue.isError ? (
        <LoadProblem title={t('The timetable could not be loaded')} query={catalogue} />
      ) : (
        LOADING
      )}
      {/* Once shown it stays, with its input, also while a failed load is retried. */}
      {step === 'trip' && catalogue.isFetched && <FindTickets />}
      {step === 'trip' && <DeparturesLink />}
      <TicketsOnThisDevice isShown={step === 'trip'} />
    </Stack>
  );
}

/** Not prerendered: the server knows nothing of this device. Without tickets at the last visit it can wait. */
function NextTrip() {
  const isHydrated = useHydrated();
  const isIdle = useIdle();
  if (!isIdle && !(isHydrated && mayHaveSavedOrders())) return null;
  return (
    <Suspense fallback={<NextTripSkeleton />}>
      <SavedNextTrip />
    </Suspense>
  );
}

function TicketsOnThisDevice({ isShown }: { isShown: boolean }) {
  if (!useIdle()) return null;
  return (
    <Suspense>
      <SavedTickets isShown={isShown} />
    </Suspense>
  );
}

function Progress({ step }: { step: Step }) {
  const goToStep = useGoToStep();
  const isBackSafe = useDraftPart(canGoBack);
  return (
    <div className={styles.progress}>
      <ProgressSteps
        label={t('Steps of your purchase')}
        steps={STEPS.map(({ id, label }) => ({ id, label: t(label) }))}
        current={step}
        onBack={isBackSafe ? (id) => goToStep(id as Step) : undefined}
      />
    </div>
  );
}

function CurrentStep({ step, ...props }: StepProps & { step: Step }) {
  const [search] = useSearchParams();
  const isLinked = useHydrated() && search.has('from');
  if (isLinked) {
    return (
      <Suspense fallback={LOADING}>
        <LinkedSailing {...props} />
      </Suspense>
    );
  }
  if (step === 'trip') {
    return (
      <>
        <UnpaidOrderNotice />
        <TripStep {...props} />
      </>
    );
  }
  const LaterStep = { sailings: SailingsStep, details: DetailsStep, pay: PayStep }[step];
  return (
    <Suspense fallback={LOADING}>
      <LaterStep {...props} />
    </Suspense>
  );
}

function UnpaidOrderNotice() {
  const { clear } = usePurchase();
  const { orderId, isPaymentOpen } = useDraft();
  const goToStep = useGoToStep();
  if (orderId === null) return null;
  return (
    <Notice
      type="warning"
      title={t('You have an unpaid order')}
      action={
        <>
          <Button size="small" onClick={() => goToStep('pay')}>
            {t('Go to payment')}
          </Button>{' '}
          {!isPaymentOpen && (
            <Button size="small" variant="quiet" onClick={clear}>
              {t('Start a new purchase')}
            </Button>
          )}
        </>
      }
    />
  );
}

function DeparturesLink() {
  return (
    <p>
      {rich('Traveling today? <departures>See departures as they run</departures>', {
        departures: (text) => <Link to={ticketPages.departures}>{text}</Link>,
      })}
    </p>
  );
}

/** `?find=1` opens it, for links from elsewhere. */
function FindTickets() {
  const [search] = useSearchParams();
  const isRequested = useHydrated() && search.has('find');
  const [isToggled, setIsToggled] = useState<boolean | null>(null);
  const isOpen = isToggled ?? isRequested;
  return (
    <Disclosure
      className={styles.find}
      icon="ticket"
      summary={t('Already have an order? Find my tickets')}
      open={isOpen}
      onToggle={({ currentTarget: { open } }) => {
        if (open !== isOpen) setIsToggled(open);
      }}
    >
      {isOpen && (
        <Suspense>
          <FindTicketsForm />
        </Suspense>
      )}
    </Disclosure>
  );
}
