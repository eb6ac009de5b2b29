import { changeTripCard, replaceLostTripCard, transferValue } from '#contract/trip-cards/endpoints.ts';
import { formatOnCard } from '#web/features/trip-card/card-amount.ts';
import { request } from '#web/platform/api/request.ts';
import type { MoneyCard, TripCard } from '#web/platform/api/types.ts';
import { MESSAGES } from '#web/platform/forms/messages.ts';
import { useFirstFocus } from '#web/portal/identity/step-up/use-first-focus.ts';
import { ConfirmDialog, FormDialog } from '#web/portal/parts/dialogs.tsx';
import { formatMoney } from '#web/ui/data/money.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { Switch } from '#web/ui/form/switch.tsx';
import { AmountField, formatOnCardInput, parseAmount, parseOnCard } from '../amounts.tsx';
import { cardTitle, hasOwnName, titleWithNumber, transferTargets } from '../trip-card.ts';
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
      title={`Rename ${cardTitle(card)}`}
      confirm="Save"
      pendingText="Saving…"
      problemTitle="The name was not changed"
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
      isOn && !parseOnCard(lowBalanceAt, card) ? { lowBalanceAt: MESSAGES.amount } : {},
    toBody: (values) => ({ lowBalanceAt: values.isOn ? parseOnCard(values.lowBalanceAt, card) : null }),
    send: (body) => request(changeTripCard, { params: { id: card.id }, body }),
    describeSuccess: (_, { lowBalanceAt }) =>
      lowBalanceAt === null
        ? `We won’t email you about the balance of ${cardTitle(card)}.`
        : `We email you when ${cardTitle(card)} falls below ${formatOnCard(lowBalanceAt, card)}.`,
    onDone: onClose,
  });
  return (
    <FormDialog
      form={form}
      title="Low-balance alert"
      confirm="Save"
      pendingText="Saving…"
      problemTitle="The alert was not changed"
      startsFocused={false}
      onClose={onClose}
    >
      <Switch
        label="Email me when the balance gets low"
        checked={form.values.isOn}
        onChange={(event) => form.change({ isOn: event.target.checked })}
      />
      {form.values.isOn && (
        <AmountField
          {...form.input('lowBalanceAt')}
          ref={amountField}
          label="Below"
          unit={card}
          hint="One email each time the balance falls below it."
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
      if (!amount) return { amount: MESSAGES.amount };
      return amount > available ? { amount: `Enter ${formatMoney(available, currency)} at most.` } : {};
    },
    byCode: { insufficient_balance: 'amount' },
    toBody: ({ toCardId, amount }) => ({ toCardId, amount: parseAmount(amount, currency) ?? 0 }),
    send: (body, idempotencyKey) => request(transferValue, { params: { id: card.id }, body, idempotencyKey }),
    describeSuccess: (_, { toCardId, amount }) => {
      const to = targets.find(({ id }) => id === toCardId);
      return `${formatMoney(amount, currency)} moved to ${to ? cardTitle(to) : 'the other card'}.`;
    },
    onDone: onClose,
  });
  return (
    <FormDialog
      form={form}
      title={`Move money from ${cardTitle(card)}`}
      confirm="Move"
      pendingText="Moving…"
      problemTitle="Nothing was moved"
      onClose={onClose}
    >
      <Select
        {...form.input('toCardId')}
        label="To"
        options={targets.map((each) => ({ value: each.id, label: titleWithNumber(each) }))}
      />
      <AmountField
        {...form.input('amount')}
        label="Amount"
        unit={card}
        hint={`${formatMoney(available, currency)} can be moved from ${cardTitle(card)}.`}
      />
    </FormDialog>
  );
}

export function ReportLostDialog({ card, onClose, onReplaced }: CardDialogProps) {
  const report = useCardAction<void, TripCard>(
    (_, idempotencyKey) => request(replaceLostTripCard, { params: { id: card.id }, idempotencyKey }),
    (replacement) =>
      `The card ending ${card.lastFour} no longer works. Its balance is on your new card ending ${replacement.lastFour}.`,
    onReplaced,
  );
  return (
    <ConfirmDialog
      title={`Report ${cardTitle(card)} lost?`}
      confirm="Report lost"
      pendingText="Reporting…"
      action={report}
      onClose={onClose}
    >
      <ul>
        <li>The number ending {card.lastFour} stops working for good, even if you find it.</li>
        <li>
          The balance, {formatOnCard(card.balance, card)}, moves to a new card right away. Its name, alert,
          automatic top-up and sharing stay the same.
        </li>
        <li>The codes of the old card stop working.</li>
      </ul>
      {card.status === 'active' && <p>Not sure yet? Freeze the card instead. You can undo that.</p>}
    </ConfirmDialog>
  );
}
