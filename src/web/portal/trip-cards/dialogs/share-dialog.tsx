import { EMAIL_LENGTH } from '#contract/limits.ts';
import { revokeShare, shareTripCard } from '#contract/trip-cards/endpoints.ts';
import { FormDialog } from '#web/features/site/dialogs.tsx';
import { Problem } from '#web/features/site/problem.tsx';
import { formatOnCard } from '#web/features/trip-card/card-amount.ts';
import { cardTitle, ROLE_LABELS } from '#web/features/trip-card/trip-card.ts';
import { t } from '#web/language/texts.ts';
import { request } from '#web/platform/api/request.ts';
import type { ShareRole, TripCard, TripCardShare } from '#web/platform/api/types.ts';
import { checkEmail } from '#web/platform/forms/messages.ts';
import { RowList } from '#web/ui/data/row-list.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { EmailField } from '#web/ui/form/field.tsx';
import { RadioCards } from '#web/ui/form/radio-cards.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { AmountField, formatOnCardInput, parseOnCard } from '../amounts.tsx';
import { useCardAction, useCardForm } from '../use-card-action.ts';
import type { CardDialogProps } from './change-card-dialogs.tsx';

export function ShareDialog({ card, onClose }: CardDialogProps) {
  const form = useCardForm({
    initial: { email: '', role: 'spend' as ShareRole, dailyLimit: '' },
    check: (values) => ({
      ...checkEmail(values.email),
      ...(hasLimit(values) &&
        !parseOnCard(values.dailyLimit, card) && {
          dailyLimit:
            card.unit === 'trips'
              ? t('Enter a number of trips, or leave it empty.')
              : t('Enter an amount, like {example}, or leave it empty.', {
                  example: formatOnCardInput(2000, card),
                }),
        }),
    }),
    toBody: (values) => ({
      email: values.email.trim(),
      role: values.role,
      dailyLimit: hasLimit(values) ? parseOnCard(values.dailyLimit, card) : null,
    }),
    send: (body, idempotencyKey) => request(shareTripCard, { params: { id: card.id }, body, idempotencyKey }),
    describeSuccess: (share) =>
      t('{card} is shared with {email}.', { card: cardTitle(card), email: share.email }),
    onDone: () => form.change({ email: '', dailyLimit: '' }),
  });
  const { role } = form.values;
  return (
    <FormDialog
      form={form}
      title={t('Share {card}', { card: cardTitle(card) })}
      confirm={t('Share')}
      pendingText={t('Sharing…')}
      problemTitle={t('The card was not shared')}
      onClose={onClose}
    >
      {card.sharedWith.length > 0 && <SharedWith card={card} />}
      <EmailField
        {...form.input('email')}
        label={t('Their email')}
        hint={t('They’ll see the card when they sign in with this email.')}
        autoComplete="off"
        maxLength={EMAIL_LENGTH}
      />
      <RadioCards
        {...form.field('role')}
        legend={t('They may')}
        value={role}
        onChange={(chosen) => form.change({ role: chosen })}
        options={listRoles(card).map((value) => ({ value, label: t(ROLE_LABELS[value]) }))}
      />
      {role !== 'top_up' && (
        <AmountField {...form.input('dailyLimit')} label={t('Their daily limit')} unit={card} isOptional />
      )}
    </FormDialog>
  );
}

function SharedWith({ card }: { card: TripCard }) {
  const revoke = useCardAction(
    ({ id }: TripCardShare) => request(revokeShare, { params: { id: card.id, share_id: id } }),
    (_, { email }) => t('{card} is no longer shared with {email}.', { card: cardTitle(card), email }),
  );
  return (
    <Stack gap="sm">
      <Problem text={revoke.problem} />
      <RowList
        label={t('Shared with')}
        rows={card.sharedWith.map((share) => ({
          id: share.id,
          title: share.email,
          details: describeShare(share, card),
          action: (
            <Button
              size="small"
              variant="secondary"
              aria-label={t('Stop sharing with {email}', { email: share.email })}
              isPending={revoke.input?.id === share.id}
              onClick={() => revoke.run(share)}
            >
              {t('Stop sharing')}
            </Button>
          ),
        }))}
      />
    </Stack>
  );
}

/** A pass cannot be topped up: buying it again makes another card. */
function listRoles({ unit }: TripCard): readonly ShareRole[] {
  return unit === 'trips' ? ['spend', 'spend_and_view'] : ['spend', 'spend_and_view', 'top_up'];
}

function hasLimit({ role, dailyLimit }: { role: ShareRole; dailyLimit: string }): boolean {
  return role !== 'top_up' && dailyLimit.trim() !== '';
}

function describeShare({ role, dailyLimit, status }: TripCardShare, card: TripCard): string {
  const details = [t(ROLE_LABELS[role])];
  if (dailyLimit !== null)
    details.push(t('{amount} a day at most', { amount: formatOnCard(dailyLimit, card) }));
  if (status === 'invited') details.push(t('not opened yet'));
  return details.join(', ');
}
