import { changeTripCard, replaceLostTripCard, transferValue } from '#contract/trip-cards/endpoints.ts';
import { ConfirmDialog, FormDialog } from '#web/features/site/dialogs.tsx';
import { formatOnCard } from '#web/features/trip-card/card-amount.ts';
import {
  cardTitle,
  hasOwnName,
  titleWithNumber,
  transferTargets,
} from '#web/features/trip-card/trip-card.ts';
import { t } from '#web/language/texts.ts';
import { request } from '#web/platform/api/request.ts';
import type { MoneyCard, TripCard } from '#web/platform/api/types.ts';
import { MESSAGES } from '#web/platform/forms/messages.ts';
import { useFirstFocus } from '#web/portal/identity/step-up/use-first-focus.ts';
import { formatMoney } from '#web/ui/data/money.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { Switch } from '#web/ui/form/switch.tsx';
import { AmountField, describeAmount, formatOnCardInput, parseAmount, parseOnCard } from '../amounts.tsx';
import { useCardAction, useCardForm } from '../use-card-action.ts';
import { NameField } from './new-card-dialogs.tsx';

export type CardDialogProps = {
  card: TripCard;
  /** All cards of the screen. */
  cards: readonly TripCard[];
  onClose: () => void;
  onReplaced: (card: TripCard) => void;
};

export function RenameDialog({ card, onClose }: CardDialogProps) {
  const form = useCardForm({
    initial: { name: hasOwnName(card) ? card.name : '' },
    check: ({ name }): { name?: string } => (name.trim() === '' ? { name: MESSAGES.label } : {}),
    toBody: ({ name }) => ({ name: name.trim() }),
    send: (body) => request(changeTripCard, { params: { id: card.id }, body }),
    onDone: onClose,
  });
  return (
    <FormDialog
      form={form}
      title={t('Rename {card}', { card: cardTitle(card) })}
      confirm={t('Save')}
      pendingText={t('Saving…')}
      problemTitle={t('The name was not changed')}
      onClose={onClose}
    >
      <NameField {...form.input('name')} />
    </FormDialog>
  );
}

export function LowBalanceDialog({ card, onClose }: CardDialogProps) {
  const amountField = useFirstFocus<HTMLInputElement>();
  const form = useCardForm({
    initial: {
      isOn: true,
      lowBalanceAt: card.lowBalanceAt === null ? '' : formatOnCardInput(card.lowBalanceAt, card),
    },
    check: ({ isOn, lowBalanceAt }): { lowBalanceAt?: string } =>
      isOn && !parseOnCard(lowBalanceAt, card) ? { lowBalanceAt: describeAmount(card) } : {},
    toBody: (values) => ({ lowBalanceAt: values.isOn ? parseOnCard(values.lowBalanceAt, card) : null }),
    send: (body) => request(changeTripCard, { params: { id: card.id }, body }),
    describeSuccess: (_, { lowBalanceAt }) =>
      lowBalanceAt === null
        ? t('We won’t email you about the balance of {card}.', { card: cardTitle(card) })
        : t('We email you when {card} falls below {amount}.', {
            card: cardTitle(card),
            amount: formatOnCard(lowBalanceAt, card),
          }),
    onDone: onClose,
  });
  return (
    <FormDialog
      form={form}
      title={t('Low-balance alert')}
      confirm={t('Save')}
      pendingText={t('Saving…')}
      problemTitle={t('The alert was not changed')}
      startsFocused={false}
      onClose={onClose}
    >
      <Switch
        label={t('Email me when the balance gets low')}
        checked={form.values.isOn}
        onChange={(event) => form.change({ isOn: event.target.checked })}
      />
      {form.values.isOn && (
        <AmountField
          {...form.input('lowBalanceAt')}
          ref={amountField}
          // Translators: before an amount.
          label={t('Below')}
          unit={card}
          hint={t('One email each time the balance falls below it.')}
        />
      )}
    </FormDialog>
  );
}

export function TransferDialog(props: CardDialogProps) {
  const { card } = props;
  // Trips are bound to the conditions of their purchase.
  return card.unit === 'trips' ? null : <TransferForm {...props} card={card} />;
}

function TransferForm({ card, cards, onClose }: CardDialogProps & { card: MoneyCard }) {
  const { available, currency } = card;
  const targets = transferTargets(card, cards);
  const form = useCardForm({
    initial: { toCardId: targets[0]?.id ?? '', amount: '' },
    check: (values): { amount?: string } => {
      const amount = parseAmount(values.amount, currency);
      if (!amount) return { amount: describeAmount(card) };
      return amount > available
        ? { amount: t('Enter {amount} at most.', { amount: formatMoney(available, currency) }) }
        : {};
    },
    byCode: { insufficient_balance: 'amount' },
    toBody: ({ toCardId, amount }) => ({ toCardId, amount: parseAmount(amount, currency) ?? 0 }),
    send: (body, idempotencyKey) => request(transferValue, { params: { id: card.id }, body, idempotencyKey }),
    describeSuccess: (_, { toCardId, amount }) => {
      const to = targets.find(({ id }) => id === toCardId);
      const moved = formatMoney(amount, currency);
      return to
        ? t('{amount} moved to {card}.', { amount: moved, card: cardTitle(to) })
        : t('{amount} moved to the other card.', { amount: moved });
    },
    onDone: onClose,
  });
  return (
    <FormDialog
      form={form}
      title={t('Move money from {card}', { card: cardTitle(card) })}
      confirm={t('Move')}
      pendingText={t('Moving…')}
      problemTitle={t('Nothing was moved')}
      onClose={onClose}
    >
      <Select
        {...form.input('toCardId')}
        // Translators: the card that gets the money; elsewhere the last day of a statement.
        label={t('To|a trip card')}
        options={targets.map((each) => ({ value: each.id, label: titleWithNumber(each) }))}
      />
      <AmountField
        {...form.input('amount')}
        label={t('Amount')}
        unit={card}
        hint={t('{amount} can be moved from {card}.', {
          amount: formatMoney(available, currency),
          card: cardTitle(card),
        })}
      />
    </FormDialog>
  );
}

export function ReportLostDialog({ card, onClose, onReplaced }: CardDialogProps) {
  const report = useCardAction<void, TripCard>(
    (_, idempotencyKey) => request(replaceLostTripCard, { params: { id: card.id }, idempotencyKey }),
    (replacement) =>
      t('The card ending {digits} no longer works. Its balance is on your new card ending {newDigits}.', {
        digits: card.lastFour,
        newDigits: replacement.lastFour,
      }),
    onReplaced,
  );
  return (
    <ConfirmDialog
      title={t('Report {card} lost?', { card: cardTitle(card) })}
      confirm={t('Report lost')}
      pendingText={t('Reporting…')}
      action={report}
      onClose={onClose}
    >
      <ul>
        <li>
          {t('The number ending {digits} stops working for good, even if you find it.', {
            digits: card.lastFour,
          })}
        </li>
        <li>
          {t(
            'The balance, {amount}, moves to a new card right away. Its name, alert, automatic top-up and sharing stay the same.',
            { amount: formatOnCard(card.balance, card) },
          )}
        </li>
        <li>{t('The codes of the old card stop working.')}</li>
      </ul>
      {card.status === 'active' && <p>{t('Not sure yet? Freeze the card instead. You can undo that.')}</p>}
    </ConfirmDialog>
  );
}
