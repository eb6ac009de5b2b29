import { useQuery } from '@tanstack/react-query';
import { Suspense, useEffect } from 'react';
import { useSearchParams } from 'react-router';
import { LoadProblem } from '#web/features/site/load-problem.tsx';
import type { Catalogue } from '#web/platform/api/types.ts';
import { catalogueQuery } from '#web/platform/query/queries.ts';
import { lazyPart } from '#web/platform/updates/missing-part.ts';
import { useBusyWhile } from '#web/platform/updates/use-busy-while.ts';
import { useIdle } from '#web/platform/use-idle.ts';
import type { IsoDate } from '#web/ui/calendar/calendar.ts';
import { ProgressSteps } from '#web/ui/feedback/progress-steps.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { useDraftPart } from '../draft.ts';
import { mayHaveKeptOrders } from '../kept/may-have-kept-orders.ts';
import { NextTripSkeleton } from '../kept/next-trip-skeleton.tsx';
import { canGoBack, STEPS, type Step, useGoToStep, useStep } from '../steps.ts';
import { TripStep } from '../trip/trip-step.tsx';
import { useHydrated } from '../use-hydrated.ts';
import { FindTickets } from './find-tickets.tsx';
import styles from './home-screen.module.css';
import { OpenOrder } from './open-order.tsx';
import { useToday } from './use-today.ts';

const importSailings = () => import('../sailings/sailings-step.tsx');
const importDetails = () => import('../details/details-step.tsx');
const importPay = () => import('../pay/pay-step.tsx');

const importKept = () => import('../kept/kept-tickets.tsx');

const KeptNextTrip = lazyPart(async () => (await importKept()).KeptNextTrip);
const KeptTickets = lazyPart(async () => (await importKept()).KeptTickets);
const SailingsStep = lazyPart(async () => (await importSailings()).SailingsStep);
const DetailsStep = lazyPart(async () => (await importDetails()).DetailsStep);
const PayStep = lazyPart(async () => (await importPay()).PayStep);

/** The whole purchase: one page whose steps follow each other. */
export function HomeScreen() {
  const catalogue = useQuery(catalogueQuery());
  const ports = catalogue.data?.ports;
  const today = useToday(ports?.[0]?.timeZone);
  const step = useStep();
  const hasBegun = useDraftPart(({ trip }) => trip !== null);
  useBusyWhile(hasBegun, 'a purchase under way', 'light');
  usePreloadedSteps(step);
  return (
    <Stack gap="lg">
      {step === 'trip' && <NextTrip />}
      <Progress step={step} />
      {catalogue.data ? (
        <CurrentStep step={step} catalogue={catalogue.data} today={today} />
      ) : catalogue.isError ? (
        <LoadProblem title="The timetable could not be loaded" query={catalogue} />
      ) : (
        <Loading />
      )}
      {/* Once there it stays, with what is typed in it, also while a failed load is tried again. */}
      {step === 'trip' && catalogue.isFetched && <FindTickets />}
      <TicketsOfThisDevice isShown={step === 'trip'} />
    </Stack>
  );
}

/** Above everything for who has tickets; looked for at once where there may be some, or where the address asks. */
function NextTrip() {
  const asksForTickets = useSearchParams()[0].has('show');
  const mayHave = useHydrated() && (asksForTickets || mayHaveKeptOrders());
  const isIdle = useIdle();
  if (!mayHave && !isIdle) return null;
  return (
    <Suspense fallback={<NextTripSkeleton />}>
      <KeptNextTrip />
    </Suspense>
  );
}

/** Looked for when everything else is done: most visitors have none. */
function TicketsOfThisDevice({ isShown }: { isShown: boolean }) {
  if (!useIdle()) return null;
  return (
    <Suspense>
      <KeptTickets isShown={isShown} />
    </Suspense>
  );
}

function Progress({ step }: { step: Step }) {
  const goToStep = useGoToStep();
  const isBackSafe = useDraftPart(canGoBack);
  const goBack = (id: string) => {
    const target = STEPS.find((each) => each.id === id);
    if (target) goToStep(target.id);
  };
  return (
    <div className={styles.progress}>
      <ProgressSteps
        label="Steps of your purchase"
        steps={[...STEPS]}
        current={step}
        onBack={isBackSafe ? goBack : undefined}
      />
    </div>
  );
}

type StepProps = { step: Step; catalogue: Catalogue; today: IsoDate };

function CurrentStep({ step, catalogue, today }: StepProps) {
  if (step === 'trip') {
    return (
      <>
        <OpenOrder />
        <TripStep catalogue={catalogue} today={today} />
      </>
    );
  }
  return (
    <Suspense fallback={<Loading />}>
      {step === 'sailings' && <SailingsStep catalogue={catalogue} today={today} />}
      {step === 'details' && <DetailsStep catalogue={catalogue} today={today} />}
      {step === 'pay' && <PayStep catalogue={catalogue} today={today} />}
    </Suspense>
  );
}

function Loading() {
  return (
    <output>
      <span className="visually-hidden">Loading…</span>
      <Skeleton height="3rem" lines={4} />
    </output>
  );
}

/** The next step's code is fetched while the one before it is being filled in. */
function usePreloadedSteps(step: Step): void {
  useEffect(() => {
    const next = { trip: importSailings, sailings: importDetails, details: importPay, pay: null }[step];
    if (next === null) return;
    const timer = setTimeout(() => void next().catch(() => undefined), PRELOAD_AFTER_MS);
    return () => clearTimeout(timer);
  }, [step]);
}

const PRELOAD_AFTER_MS = 1500;
