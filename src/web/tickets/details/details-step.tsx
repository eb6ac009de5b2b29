import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { PriceLines } from '#web/parts/price-lines.tsx';
import { errorText, hasErrorCode } from '#web/platform/api/api-error.ts';
import { changeOrder, createOrder } from '#web/platform/api/ticket-office.ts';
import type { Catalogue, Order } from '#web/platform/api/types.ts';
import { orderQuery } from '#web/platform/query/queries.ts';
import { useProfile } from '#web/platform/session/profile.ts';
import { loadSettings, useSettings } from '#web/platform/settings/settings.ts';
import { beginBusy } from '#web/platform/updates/busy.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { ErrorSummary, type FieldError } from '#web/ui/error-summary.tsx';
import { Money } from '#web/ui/money.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { StickyBar } from '#web/ui/page.tsx';
import { Stack } from '#web/ui/stack.tsx';
import { runAttempt } from '../attempts.ts';
import { changeDraft, type Draft, draftStore, lapseDraft, useDraft } from '../draft.ts';
import { useFinish } from '../finish.ts';
import { LAPSED } from '../hold.ts';
import { HoldClock } from '../hold-clock.tsx';
import { StepHeading } from '../step-heading.tsx';
import { useGoToStep } from '../steps.ts';
import { findVehicleType } from '../trip/trip.ts';
import { ContactFields } from './contact-fields.tsx';
import { findDetailsProblems, findServerProblems } from './details-form.ts';
import { TermsField } from './terms-field.tsx';

export function DetailsStep({ catalogue }: { catalogue: Catalogue }) {
  const draft = useDraft();
  const { terms } = useSettings();
  const { problems, attempted, failure, isPending, submit } = useDetails(catalogue);
  const goToStep = useGoToStep();
  usePrefilledContact();
  useEffect(() => beginBusy('details being typed'), []);

  function expire() {
    lapseDraft(LAPSED);
    goToStep('sailings', { replace: true });
  }

  return (
    <form noValidate onSubmit={submit}>
      <Stack gap="lg">
        <StepHeading intro="We email your tickets to you. You need no account.">Your details</StepHeading>
        {draft.hold && <HoldClock hold={draft.hold} onExpire={expire} />}
        <ErrorSummary errors={attempted} />
        {failure !== null && (
          <Notice type="alert" role="alert">
            {failure}
          </Notice>
        )}
        <Card title="Contact">
          <ContactFields needsPlate={needsPlate(catalogue, draft)} problems={problems} />
        </Card>
        {draft.quote && (
          <Card title="What you pay">
            <PriceLines {...draft.quote} />
          </Card>
        )}
        <TermsField terms={terms} problems={problems} />
      </Stack>
      <StickyBar>
        <div>
          {draft.quote && <Money amount={draft.quote.total} currency={draft.quote.currency} size="large" />}
        </div>
        <Button type="submit" size="large" isPending={isPending} pendingText="One moment…">
          {draft.quote?.total === 0 ? 'Get the tickets' : 'Go to payment'}
        </Button>
      </StickyBar>
    </form>
  );
}

function useDetails(catalogue: Catalogue) {
  const draft = useDraft();
  const { terms } = useSettings();
  const goToStep = useGoToStep();
  const finish = useFinish();
  const client = useQueryClient();
  const [attempted, setAttempted] = useState<FieldError[]>([]);
  const [hasTried, setHasTried] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [isPending, setIsPending] = useState(false);

  const own = findDetailsProblems({
    contact: draft.contact,
    plate: draft.plate,
    needsPlate: needsPlate(catalogue, draft),
    hasAccepted: draft.acceptedTerms === terms.version,
  });

  function submit(event: FormEvent) {
    event.preventDefault();
    setHasTried(true);
    setFailure(null);
    setAttempted(own);
    if (own.length === 0 && !isPending) void send();
  }

  async function send() {
    setIsPending(true);
    try {
      proceed(await saveOrder(draftStore.get(), terms.version));
    } catch (error) {
      refuse(error);
    } finally {
      setIsPending(false);
    }
  }

  function proceed(order: Order) {
    client.setQueryData(orderQuery(order.id).queryKey, order);
    changeDraft({ orderId: order.id });
    if (order.status === 'confirmed' || order.total === 0) finish(order.id);
    else goToStep('pay');
  }

  function refuse(error: unknown) {
    const isGone = (['hold_expired', 'price_changed', 'quote_expired', 'order_closed'] as const).some(
      (code) => hasErrorCode(error, code),
    );
    if (isGone) {
      lapseDraft(hasErrorCode(error, 'hold_expired') ? LAPSED : errorText(error));
      void client.invalidateQueries({ queryKey: ['offer'] });
      return goToStep('sailings', { replace: true });
    }
    if (hasErrorCode(error, 'terms_outdated')) {
      changeDraft({ acceptedTerms: null });
      void loadSettings();
    }
    const problems = findServerProblems(error);
    if (problems === null) setFailure(errorText(error));
    else setAttempted(problems);
  }

  // Once something was found wrong, each field tells at once when it is mended.
  const problems = hasTried ? [...own, ...attempted.filter(isServers(own))] : [];
  return { problems, attempted, failure, isPending, submit };
}

function isServers(own: readonly FieldError[]) {
  return ({ fieldId, message }: FieldError) =>
    message !== '' && !own.some((problem) => problem.fieldId === fieldId);
}

function saveOrder(draft: Draft, termsVersion: string): Promise<Order> {
  const { hold, quote, orderId, contact } = draft;
  const plate = draft.plate.trim() || null;
  if (orderId !== null) return changeOrder(orderId, { contact, ...(plate === null ? {} : { plate }) });
  if (hold === null || quote === null) throw new Error('The details were sent without places.');
  return runAttempt(`order:${hold.id}`, (key) =>
    createOrder({ holdId: hold.id, quoteId: quote.id, contact, plate, termsVersion, locale: 'en-US' }, key),
  );
}

function needsPlate(catalogue: Catalogue, { trip }: Draft): boolean | null {
  const type = trip === null ? null : findVehicleType(catalogue, trip);
  return type === null ? null : type.plateRequired;
}

/** Whoever is signed in is not asked twice; what was typed by hand stays. */
function usePrefilledContact(): void {
  const { customer, loaded } = useProfile();
  useEffect(() => {
    const { contact } = draftStore.get();
    if (!loaded || contact.name !== '' || contact.email !== '' || contact.phone !== '') return;
    const { name, email, phone } = customer;
    changeDraft({ contact: { name, email, phone } });
  }, [loaded, customer]);
}
