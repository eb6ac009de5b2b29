import { REFUND_REASON_LENGTH } from '#contract/desk/limits.ts';
import { askForRefund, previewStaffRefund, refundStaffOrder } from '#contract/desk/refunds/endpoints.ts';
import type { RefundScope } from '#contract/desk/refunds/scope.ts';
import { parseTypedAmount } from '#domain/format/typed-amount.ts';
import { parseTripCardNumber } from '#domain/trip-cards/trip-card-number.ts';
import { FormDialog } from '#web/features/site/dialogs.tsx';
import { textLanguage } from '#web/language/page-language.ts';
import { t } from '#web/language/texts.ts';
import { request } from '#web/platform/api/request.ts';
import type { RefundPreview, StaffOrder } from '#web/platform/api/types.ts';
import type { useForm } from '#web/platform/forms/use-form.ts';
import { useRequestOnce } from '#web/platform/idempotency/use-request-once.ts';
import { ReviewDialog } from '#web/staff/review-dialog.tsx';
import { useReviewedForm } from '#web/staff/use-reviewed-form.ts';
import { formatMoney } from '#web/ui/data/money.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Checkbox } from '#web/ui/form/checkbox.tsx';
import { TextField } from '#web/ui/form/field.tsx';
import { RadioCards } from '#web/ui/form/radio-cards.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { useShowOrder } from '../staff-order.ts';
import { RefundParts } from './refund-parts.tsx';

type Values = {
  kind: RefundScope['kind'];
  /** Boarding codes. */
  boardingCodes: readonly string[];
  amount: string;
  tripCard: string;
  reason: string;
};

/** Refunds beyond the fare's rules, with a reason; above what one person may, it asks for another person. */
export function RefundDialog({ staffOrder, onClose }: { staffOrder: StaffOrder; onClose: () => void }) {
  const { order } = staffOrder;
  const params = { reference: order.reference };
  const show = useShowOrder();
  const requestOnce = useRequestOnce();
  const { form, preview, review } = useReviewedForm({
    initial: (): Values => ({
      ...{ kind: listUnused(order).length > 0 ? 'all' : 'amount', boardingCodes: [] },
      ...{ amount: '', tripCard: '', reason: '' },
    }),
    check: (values) => checkValues(values, order.currency),
    ask: (values) => request(previewStaffRefund, { params, body: describeRefund(values, order.currency) }),
    act: (values, { version, needsApproval }) => {
      const reason = values.reason.trim();
      const body = { ...describeRefund(values, order.currency), reason, version };
      return requestOnce(needsApproval ? askForRefund : refundStaffOrder, { params, body });
    },
    onDone: (changed, { needsApproval }) => {
      show(changed, needsApproval ? t('A manager can confirm it under “To do”.') : t('The refund is made.'));
      onClose();
    },
    byCode: { refund_refused: 'kind' },
    busyReason: 'a refund being typed',
  });
  if (preview !== null) {
    const money = formatMoney(preview.amount, preview.currency);
    return (
      <ReviewDialog
        title={t('Refund {amount}', { amount: money })}
        confirm={preview.needsApproval ? t('Ask for this refund') : t('Refund {amount}', { amount: money })}
        isDangerous={!preview.needsApproval}
        {...review}
        onClose={onClose}
      >
        <Previewed preview={preview} />
      </ReviewDialog>
    );
  }
  return (
    <FormDialog
      form={form}
      title={t('Refund beyond the rules')}
      confirm={t('See the refund')}
      problemTitle={t('Nothing is refunded yet')}
      onClose={onClose}
    >
      <ScopeFields form={form} order={order} />
      <TextField
        {...form.input('tripCard')}
        label={t('Number of a trip card that gets it')}
        hint={t('Empty: back to where the payments came from.')}
        isOptional
        inputMode="numeric"
        autoComplete="off"
        maxLength={32}
      />
      <TextField
        {...form.input('reason')}
        label={t('Reason')}
        hint={t('The log keeps it. Write no names.')}
        autoComplete="off"
        maxLength={REFUND_REASON_LENGTH}
        required
      />
    </FormDialog>
  );
}

type ScopeFieldsProps = {
  form: Pick<ReturnType<typeof useForm<Values, RefundPreview>>, 'values' | 'change' | 'field' | 'input'>;
  order: StaffOrder['order'];
};

/** What is refunded: everything, some tickets, an amount or what a bank returned. */
function ScopeFields({ form, order }: ScopeFieldsProps) {
  const { values, change } = form;
  const unused = listUnused(order);
  const hasFailed = order.refunds.some(({ status }) => status === 'failed');
  return (
    <>
      <RadioCards
        id={form.field('kind').id}
        legend={t('What to refund')}
        value={values.kind}
        onChange={(kind) => change({ kind })}
        options={[
          ...(unused.length > 0
            ? [
                {
                  value: 'all' as const,
                  label: t('Everything'),
                  description: t('Cancels all tickets that are left.'),
                },
              ]
            : []),
          ...(unused.length > 1 ? [{ value: 'tickets' as const, label: t('Some tickets') }] : []),
          {
            value: 'amount' as const,
            label: t('An amount'),
            description: t('The tickets stay valid.'),
          },
          ...(hasFailed
            ? [
                {
                  value: 'failed' as const,
                  label: t('What a bank returned'),
                  description: t('Repeats the refunds that failed.'),
                },
              ]
            : []),
        ]}
      />
      {values.kind === 'tickets' && (
        <Stack as="fieldset" gap="xs">
          <legend>{t('Tickets')}</legend>
          {unused.map(({ id, title, travelerName, boardingCode }, index) => (
            <Checkbox
              key={id}
              {...(index === 0 ? form.field('boardingCodes') : {})}
              label={[title, travelerName].filter(Boolean).join(' · ')}
              description={boardingCode}
              checked={values.boardingCodes.includes(boardingCode)}
              onChange={({ target }) =>
                change({
                  boardingCodes: target.checked
                    ? [...values.boardingCodes, boardingCode]
                    : values.boardingCodes.filter((code) => code !== boardingCode),
                })
              }
            />
          ))}
        </Stack>
      )}
      {values.kind === 'amount' && (
        <TextField
          {...form.input('amount')}
          label={t('Amount in {currency}', { currency: order.currency })}
          inputMode="decimal"
          autoComplete="off"
          required
        />
      )}
    </>
  );
}

function listUnused({ tickets }: StaffOrder['order']) {
  return tickets.filter(({ status }) => status === 'issued' || status === 'checked_in');
}

function Previewed({ preview }: { preview: RefundPreview }) {
  const { tickets, destinations, currency, needsApproval, limit } = preview;
  return (
    <>
      {needsApproval && (
        <Notice type="warning">
          {t(
            'One person may refund up to {limit} of an order beyond its rules. A manager, not you, has to confirm this.',
            { limit: formatMoney(limit, currency) },
          )}
        </Notice>
      )}
      <RefundParts destinations={destinations} currency={currency} />
      {tickets.length > 0 && (
        <>
          <p>{t('These tickets are no longer valid then:')}</p>
          <Stack as="ul" gap="xs">
            {tickets.map(({ ticketId, title, travelerName }) => (
              <li key={ticketId}>{[title, travelerName].filter(Boolean).join(' · ')}</li>
            ))}
          </Stack>
        </>
      )}
    </>
  );
}

function checkValues({ kind, boardingCodes, amount, tripCard, reason }: Values, currency: string) {
  const isAmount = (parseTypedAmount(amount, currency, textLanguage()) ?? 0) > 0;
  return {
    ...(kind === 'tickets' && boardingCodes.length === 0
      ? { boardingCodes: t('Choose at least one ticket.') }
      : {}),
    ...(kind === 'amount' && !isAmount ? { amount: t('Enter an amount.') } : {}),
    ...(tripCard.trim() !== '' && parseTripCardNumber(tripCard) === null
      ? { tripCard: t('Enter the 16 digits of the trip card.') }
      : {}),
    ...(reason.trim() === '' ? { reason: t('Say why.') } : {}),
  };
}

function describeRefund({ kind, boardingCodes, amount, tripCard }: Values, currency: string) {
  const scope =
    kind === 'tickets'
      ? { kind, boardingCodes: [...boardingCodes] }
      : kind === 'amount'
        ? { kind, amount: parseTypedAmount(amount, currency, textLanguage()) ?? 0 }
        : { kind };
  return { scope, tripCard: parseTripCardNumber(tripCard) };
}
