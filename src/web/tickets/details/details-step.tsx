import { Suspense, useEffect, useState } from 'react';
import { EMAIL_LENGTH, PERSON_NAME_LENGTH, PHONE_LENGTH } from '#contract/limits.ts';
import { PriceLines } from '#web/features/order/price/price-lines.tsx';
import { NameFields } from '#web/features/order/traveler-names/name-fields.tsx';
import { labelTravelers, nameField, type Traveler } from '#web/features/order/traveler-names/travelers.ts';
import { detailsField, splitName } from '#web/features/passenger-list/details-values.ts';
import { MailField } from '#web/features/site/mail-field.tsx';
import { TermsCheckbox, TermsSentence } from '#web/features/site/terms.tsx';
import { t } from '#web/language/texts.ts';
import { useProfile } from '#web/platform/account/profile.ts';
import { pageConfig } from '#web/platform/page-config.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { acceptsTermsByPaying } from '#web/platform/settings/terms.ts';
import { beginBusy } from '#web/platform/updates/busy.ts';
import { lazyComponent } from '#web/platform/updates/missing-chunk.ts';
import { Money } from '#web/ui/data/money.tsx';
import { Problem } from '#web/ui/feedback/notice.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Checkbox } from '#web/ui/form/checkbox.tsx';
import { ErrorSummary } from '#web/ui/form/error-summary.tsx';
import { PhoneField, ReferenceField, TextField } from '#web/ui/form/field.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { Disclosure } from '#web/ui/layout/disclosure.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { StickyBar } from '#web/ui/layout/sticky-bar.tsx';
import { HOLD_EXPIRED, useReturnToSailings } from '../hold.ts';
import { HoldClock } from '../hold-clock.tsx';
import { PriceChange } from '../price-change.tsx';
import { useDraft, usePurchase } from '../purchase.ts';
import { prefillContact } from '../save-order.ts';
import { StepAside, StepForm, StepHeading, StepMain, StepStatus } from '../step-layout.tsx';
import type { StepProps } from '../steps.ts';
import { TripSummary } from '../trip-summary.tsx';
import { type DetailsForm, needsPlate, useDetailsForm } from './details-form.ts';
import { DraftAssistance } from './draft-assistance.tsx';
import { SaveVehicle } from './save-vehicle.tsx';
import { SavedTravelers } from './saved-travelers.tsx';

/** Only few routes need it. */
const PassengerDetails = lazyComponent(
  async () => (await import('#web/features/passenger-list/details-fields.tsx')).DetailsFields,
);

export function DetailsStep({ catalogue, today }: StepProps) {
  const draft = useDraft();
  const { terms } = useSettings();
  const returnToSailings = useReturnToSailings();
  const { form, failure, changed, holdLostPlaces } = useDetailsForm({ catalogue, today });
  usePrefilledContact();
  useEffect(() => beginBusy('details being typed'), []);

  return (
    <StepForm onSubmit={form.handleSubmit}>
      <StepHeading intro={t('We email your tickets to you. You need no account.')}>
        {t('Your details')}
      </StepHeading>
      {draft.hold && (
        <StepStatus>
          <HoldClock
            hold={draft.hold}
            onExpire={() => returnToSailings(t(HOLD_EXPIRED))}
            onLost={holdLostPlaces}
          />
        </StepStatus>
      )}
      <StepMain>
        <ErrorSummary errors={form.errors} />
        <Problem text={failure} />
        {changed !== null && <PriceChange {...changed} />}
        <Card title={t('Contact')}>
          <Stack>
            <DetailsFields form={form} catalogue={catalogue} isPlateNeeded={needsPlate(catalogue, draft)} />
            <AskForAssistance catalogue={catalogue} />
          </Stack>
        </Card>
      </StepMain>
      <StepAside>
        <TripSummary catalogue={catalogue} today={today} />
        {draft.quote && (
          <Card title={t('What you pay')} data-below-bar="">
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
            {draft.quote?.total === 0 && <TermsSentence action="getting-tickets" />}
            {draft.quote && <Money amount={draft.quote.total} currency={draft.quote.currency} size="large" />}
          </div>
          <Button type="submit" size="large" isPending={form.isPending} pendingText={t('One moment…')}>
            {submitText(draft.quote?.total === 0, changed !== null)}
          </Button>
        </StickyBar>
      </StepAside>
    </StepForm>
  );
}

function submitText(isFree: boolean, isPriceNew: boolean): string {
  if (isPriceNew) return isFree ? t('Accept and get the tickets') : t('Accept and go to payment');
  return isFree ? t('Get the tickets') : t('Go to payment');
}

/** Signed-in customers need not type what their profile contains. */
function usePrefilledContact(): void {
  const { get, change } = usePurchase();
  const profile = useProfile();
  useEffect(() => change({ contact: prefillContact(get().contact, profile) }), [get, change, profile]);
}

function describePhoneUse(): string {
  return pageConfig().sends_text_messages
    ? t('For the crew’s passenger list, and for a text message if your boat is late, canceled or moved.')
    : t('For the crew’s passenger list, so that they can call you.');
}

type DetailsFieldsProps = Pick<StepProps, 'catalogue'> & {
  form: DetailsForm;
  isPlateNeeded: boolean | null;
};

function DetailsFields({ form, catalogue, isPlateNeeded }: DetailsFieldsProps) {
  const { input } = form;
  const { quote } = useDraft();
  const { rentals_without_plate: allowsRentals = false } = useSettings();
  const isRental = allowsRentals && form.values.isRental;
  return (
    <Stack>
      <TextField
        {...input('contact.name')}
        label={t('Name')}
        autoComplete="name"
        maxLength={PERSON_NAME_LENGTH}
      />
      <MailField
        {...input('contact.email')}
        label={t('Email')}
        maxLength={EMAIL_LENGTH}
        onAccept={(email) => form.change({ 'contact.email': email })}
      />
      <PhoneField
        {...input('contact.phone')}
        label={t('Phone')}
        isOptional
        hint={describePhoneUse()}
        maxLength={PHONE_LENGTH}
      />
      {isPlateNeeded && allowsRentals && (
        <Checkbox
          label={t('Rental, license plate not known yet')}
          description={t('Tell the crew the license plate when you check in.')}
          checked={isRental}
          onChange={({ target }) => form.change({ isRental: target.checked, plate: '' })}
        />
      )}
      {isPlateNeeded !== null && !isRental && (
        <ReferenceField
          {...input('plate')}
          label={t('License plate')}
          isOptional={!isPlateNeeded}
          maxLength={12}
        />
      )}
      {isPlateNeeded !== null && !isRental && <SaveVehicle catalogue={catalogue} plate={form.values.plate} />}
      {quote?.needsPassengerList ? (
        <ListedTravelers catalogue={catalogue} travelers={labelTravelers(quote.lines)} form={form} />
      ) : (
        <TravelerNames catalogue={catalogue} form={form} />
      )}
    </Stack>
  );
}

type ListedTravelersProps = Pick<DetailsFieldsProps, 'catalogue' | 'form'> & {
  travelers: readonly Traveler[];
};

/** What the law asks of the travelers, of whom the customer may have saved the names. */
function ListedTravelers({ catalogue, travelers, form }: ListedTravelersProps) {
  const { values, change } = form;
  const readName = (index: number) =>
    [values[detailsField(index, 'forenames')], values[detailsField(index, 'familyName')]].join(' ');
  return (
    <Stack gap="sm">
      <SavedTravelers
        {...{ catalogue, travelers, readName }}
        onChoose={(index, name) => change(splitName(index, name))}
      />
      <Suspense>
        <PassengerDetails travelers={travelers} form={form} />
      </Suspense>
    </Stack>
  );
}

/** Names for the tickets, folded away at first. */
function TravelerNames({ catalogue, form }: Pick<DetailsFieldsProps, 'catalogue' | 'form'>) {
  const { quote } = useDraft();
  const [isToggled, setIsToggled] = useState<boolean | null>(null);
  const travelers = labelTravelers(quote?.lines ?? []);
  const fields = travelers.map(({ index }) => nameField(index));
  const hasProblem = fields.some((field) => form.problems[field] !== undefined);
  const isOpen = hasProblem || (isToggled ?? fields.some((field) => form.values[field] !== ''));
  return (
    <Stack gap="sm">
      <SavedTravelers
        {...{ catalogue, travelers }}
        readName={(index) => form.values[nameField(index)] ?? ''}
        onChoose={(index, name) => form.change({ [nameField(index)]: name })}
      />
      <Disclosure
        summary={
          travelers.length === 1 ? t('Buying for someone else?') : t('Add travelers’ names (optional)')
        }
        open={isOpen}
        onToggle={({ currentTarget }) => {
          // The error summary links to the field.
          if (hasProblem) currentTarget.open = true;
          else if (currentTarget.open !== isOpen) setIsToggled(currentTarget.open);
        }}
      >
        {isOpen && (
          <NameFields travelers={travelers} buyer={form.values['contact.name'].trim()} form={form} />
        )}
      </Disclosure>
    </Stack>
  );
}

/** Folded away at first. Nothing where the operator takes no requests online. */
function AskForAssistance({ catalogue }: Pick<StepProps, 'catalogue'>) {
  const noticeHours = catalogue.assistanceNoticeHours;
  const { assistance } = useDraft();
  const [isOpen, setIsOpen] = useState(Object.keys(assistance).length > 0);
  if (noticeHours === undefined) return null;
  return (
    <Disclosure
      summary={t('Ask for assistance (optional)')}
      open={isOpen}
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
    >
      {isOpen && <DraftAssistance catalogue={catalogue} noticeHours={noticeHours} />}
    </Disclosure>
  );
}
