import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { adjustStaffTripCard, replaceStaffTripCard } from '#contract/desk/customers/endpoints.ts';
import { ADJUSTMENT_REASON_LENGTH } from '#contract/desk/limits.ts';
import { parseTypedAmount } from '#domain/format/typed-amount.ts';
import { type Message, message } from '#messages/translate.ts';
import { formatCardAmount } from '#sentences/card-amounts.ts';
import { ConfirmDialog, FormDialog } from '#web/features/site/dialogs.tsx';
import { textLanguage } from '#web/language/page-language.ts';
import { t } from '#web/language/texts.ts';
import type { CustomerCard, StaffCustomer } from '#web/platform/api/types.ts';
import { useAction } from '#web/platform/forms/use-action.ts';
import { useForm } from '#web/platform/forms/use-form.ts';
import { useRequestOnce } from '#web/platform/idempotency/use-request-once.ts';
import { notify } from '#web/platform/notifications/notifications.ts';
import { RowList } from '#web/ui/data/row-list.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { TextField } from '#web/ui/form/field.tsx';
import { Segmented } from '#web/ui/form/segmented.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { usePermission } from '../session/staff-session.ts';
import { customerQuery } from './customer-query.ts';

type Open = { kind: 'lost' | 'adjust'; card: CustomerCard };

const STATES: Readonly<Record<CustomerCard['status'], Message | null>> = {
  active: null,
  frozen: message('Frozen by the customer'),
  lost: message('Lost and replaced'),
};

/** The trip cards and passes of a customer with their balances. */
export function CustomerCards({ customer }: { customer: StaffCustomer }) {
  const [open, setOpen] = useState<Open | null>(null);
  const mayServe = usePermission('serve_orders');
  const mayRefund = usePermission('refund_orders');
  const { tripCards } = customer;
  if (tripCards.length === 0) return null;
  const close = () => setOpen(null);
  return (
    <Card title={t('Trip cards')}>
      <RowList
        label={t('Trip cards')}
        rows={tripCards.map((card) => {
          const state = STATES[card.status];
          return {
            id: card.id,
            title: nameCard(card),
            details: [formatBalance(card, card.balance), ...(state === null ? [] : [t(state)])].join(' · '),
            action: card.status !== 'lost' && (
              <Stack gap="xs">
                {mayRefund && (
                  <Button
                    size="small"
                    variant="secondary"
                    needsConnection
                    aria-label={t('Correct the balance: {card}', { card: nameCard(card) })}
                    onClick={() => setOpen({ kind: 'adjust', card })}
                  >
                    {t('Correct the balance')}
                  </Button>
                )}
                {mayServe && (
                  <Button
                    size="small"
                    variant="secondary"
                    needsConnection
                    aria-label={t('Lost: {card}', { card: nameCard(card) })}
                    onClick={() => setOpen({ kind: 'lost', card })}
                  >
                    {t('Lost|a trip card')}
                  </Button>
                )}
              </Stack>
            ),
          };
        })}
      />
      {open?.kind === 'lost' && <LostDialog card={open.card} onClose={close} />}
      {open?.kind === 'adjust' && <AdjustDialog card={open.card} onClose={close} />}
    </Card>
  );
}

function nameCard({ name, lastFour: digits }: CustomerCard): string {
  return name === ''
    ? t('Trip card ending in {digits}', { digits })
    : t('{card} ending in {digits}', { card: name, digits });
}

function formatBalance(card: CustomerCard, amount: number): string {
  return formatCardAmount(t, amount, card, textLanguage());
}

/** Shows the customer as an action has answered them. */
function useShowCustomer(onClose: () => void) {
  const client = useQueryClient();
  return (customer: StaffCustomer, done: string) => {
    client.setQueryData(customerQuery(customer.id).queryKey, customer);
    notify(done, { type: 'success' });
    onClose();
  };
}

type DialogProps = { card: CustomerCard; onClose: () => void };

function LostDialog({ card, onClose }: DialogProps) {
  const show = useShowCustomer(onClose);
  const requestOnce = useRequestOnce();
  const replace = useAction(() => requestOnce(replaceStaffTripCard, { params: { id: card.id } }), {
    onDone: (customer) => show(customer, t('The card is blocked, and a new one has its value.')),
  });
  return (
    <ConfirmDialog
      action={replace}
      title={t('Lost: {card}', { card: nameCard(card) })}
      confirm={t('Block and replace it')}
      onClose={onClose}
    >
      <p>
        {t('The card ends for good. {balance} and what is shared move to a new card in the account.', {
          balance: formatBalance(card, card.balance),
        })}
      </p>
    </ConfirmDialog>
  );
}

type Values = { sign: 'add' | 'take'; amount: string; reason: string };

function AdjustDialog({ card, onClose }: DialogProps) {
  const show = useShowCustomer(onClose);
  const requestOnce = useRequestOnce();
  const form = useForm({
    initial: (): Values => ({ sign: 'add', amount: '', reason: '' }),
    check: ({ amount, reason }) => ({
      ...(readAmount(card, amount) === null ? { amount: t('Enter an amount.') } : {}),
      ...(reason.trim() === '' ? { reason: t('Say why.') } : {}),
    }),
    send: ({ sign, amount, reason }) => {
      const typed = readAmount(card, amount) ?? 0;
      const body = { amount: sign === 'add' ? typed : -typed, reason: reason.trim() };
      return requestOnce(adjustStaffTripCard, { params: { id: card.id }, body });
    },
    onDone: (customer) => show(customer, t('The balance is corrected.')),
    byCode: { insufficient_balance: 'amount', refund_needs_approval: 'amount' },
    busyReason: 'a balance being corrected',
  });
  return (
    <FormDialog
      form={form}
      title={t('Correct the balance: {card}', { card: nameCard(card) })}
      confirm={t('Correct the balance')}
      pendingText={t('Saving…')}
      problemTitle={t('The balance is not corrected yet')}
      onClose={onClose}
    >
      <p>{t('Balance now: {balance}', { balance: formatBalance(card, card.balance) })}</p>
      <Segmented
        {...form.field('sign')}
        legend={t('What to do')}
        value={form.values.sign}
        onChange={(sign) => form.change({ sign })}
        options={[
          { value: 'add', label: t('Add') },
          { value: 'take', label: t('Take off|a balance') },
        ]}
      />
      <TextField
        {...form.input('amount')}
        label={
          card.unit === 'trips'
            ? t('Trips|of a pass')
            : t('Amount in {currency}', { currency: card.currency })
        }
        inputMode="decimal"
        autoComplete="off"
        required
      />
      <TextField
        {...form.input('reason')}
        label={t('Reason')}
        hint={t('The customer reads it.')}
        autoComplete="off"
        maxLength={ADJUSTMENT_REASON_LENGTH}
        required
      />
    </FormDialog>
  );
}

/** In the card's unit, positive; null if it is no such amount. */
function readAmount({ unit, currency }: CustomerCard, typed: string): number | null {
  const amount =
    unit === 'trips'
      ? Number(/^\s*\d{1,3}\s*$/.exec(typed)?.[0] ?? 0)
      : (parseTypedAmount(typed, currency, textLanguage()) ?? 0);
  return amount > 0 ? amount : null;
}
