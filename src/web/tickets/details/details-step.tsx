import { useEffect } from 'react';
import { PriceLines } from '#web/features/order/price-lines.tsx';
import { TermsCheckbox, TermsSentence } from '#web/features/site/terms.tsx';
import { useProfile } from '#web/platform/account/profile.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { acceptsTermsByPaying } from '#web/platform/settings/terms.ts';
import { beginBusy } from '#web/platform/updates/busy.ts';
import { Money } from '#web/ui/data/money.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { ErrorSummary } from '#web/ui/form/error-summary.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { StickyBar } from '#web/ui/layout/page.tsx';
import { HOLD_EXPIRED, useReturnToSailings } from '../hold.ts';
import { HoldClock } from '../hold-clock.tsx';
import { PriceChange } from '../price-change.tsx';
import { useDraft, usePurchase } from '../purchase.ts';
import { prefillContact } from '../save-order.ts';
import { StepAside, StepForm, StepHeading, StepMain, StepStatus } from '../step-layout.tsx';
import type { StepProps } from '../steps.ts';
import { TripSummary } from '../trip-summary.tsx';
import { DetailsFields } from './details-fields.tsx';
import { needsPlate, useDetailsForm } from './details-form.ts';

export function DetailsStep({ catalogue, today }: StepProps) {
  const draft = useDraft();
  const { terms } = useSettings();
  const returnToSailings = useReturnToSailings();
  const { form, failure, changed, holdLostPlaces } = useDetailsForm({ catalogue, today });
  usePrefilledContact();
  useEffect(() => beginBusy('details being typed'), []);

  return (
    <StepForm onSubmit={form.handleSubmit}>
      <StepHeading intro="We email your tickets to you. You need no account.">Your details</StepHeading>
      {draft.hold && (
        <StepStatus>
          <HoldClock
            hold={draft.hold}
            onExpire={() => returnToSailings(HOLD_EXPIRED)}
            onLost={holdLostPlaces}
          />
        </StepStatus>
      )}
      <StepMain>
        <ErrorSummary errors={form.errors} />
        {failure && (
          <Notice type="alert" role="alert">
            {failure}
          </Notice>
        )}
        {changed !== null && <PriceChange {...changed} />}
        <Card title="Contact">
          <DetailsFields form={form} isPlateNeeded={needsPlate(catalogue, draft)} />
        </Card>
      </StepMain>
      <StepAside>
        <TripSummary catalogue={catalogue} today={today} />
        {draft.quote && (
          <Card title="What you pay">
            <PriceLines {...draft.quote} />
          </Card>
        )}
        {!acceptsTermsByPaying(terms) && (
          <TermsCheckbox
            {...form.field('termsVersion')}
            isAccepted={draft.acceptedTerms === terms.version}
            onAccept={(isAccepted) => form.change({ termsVersion: isAccepted ? terms.version : null })}
          />
        )}
        <StickyBar>
          <div>
            {draft.quote?.total === 0 && <TermsSentence action="getting the tickets" />}
            {draft.quote && <Money amount={draft.quote.total} currency={draft.quote.currency} size="large" />}
          </div>
          <Button type="submit" size="large" isPending={form.isPending} pendingText="One moment…">
            {submitText(draft.quote?.total === 0, changed !== null)}
          </Button>
        </StickyBar>
      </StepAside>
    </StepForm>
  );
}

function submitText(isFree: boolean, isPriceNew: boolean): string {
  if (isPriceNew) return isFree ? 'Accept and get the tickets' : 'Accept and go to payment';
  return isFree ? 'Get the tickets' : 'Go to payment';
}

/** Signed-in customers need not type what their profile contains. */
function usePrefilledContact(): void {
  const { get, change } = usePurchase();
  const profile = useProfile();
  useEffect(() => change({ contact: prefillContact(get().contact, profile) }), [get, change, profile]);
}
