import { useId } from 'react';
import { getCurrencyExponent, toDecimal } from '#domain/fares/money.ts';
import { formatTypedAmount, parseTypedAmount } from '#domain/format/typed-amount.ts';
import type { PriceChange } from '#domain/price-files/new-price.ts';
import { textLanguage } from '#web/language/page-language.ts';
import { t } from '#web/language/texts.ts';
import { useForm } from '#web/platform/forms/use-form.ts';
import { useUnsavedDialog } from '#web/staff/unsaved-input.tsx';
import { isIsoDate } from '#web/ui/calendar/calendar.ts';
import { Button } from '#web/ui/form/button.tsx';
import { TextField } from '#web/ui/form/field.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { Segmented } from '#web/ui/form/segmented.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { Modal } from '#web/ui/popup/modal.tsx';

export type NewPrice = { from: string; change: PriceChange };

type NewPriceDialogProps = {
  /** Number of rows whose price changes. */
  count: number;
  currency: string;
  onDone: (price: NewPrice) => void;
  onClose: () => void;
};

type Values = { from: string; kind: PriceChange['kind']; percent: string; step: string; amount: string };

/** Asks from which day of travel on rows have another price. */
export function NewPriceDialog({ count, currency, onDone, onClose }: NewPriceDialogProps) {
  const formId = useId();
  const language = textLanguage();
  const form = useForm<Values, NewPrice>({
    initial: { from: '', kind: 'percent', percent: '', step: '5', amount: '' },
    check: ({ from, kind, percent, amount }) => ({
      ...(isIsoDate(from) ? {} : { from: t('Choose a day.') }),
      ...(kind === 'percent' && readPercent(percent) === null
        ? { percent: t('Enter a percentage, such as 5 or -2.5.') }
        : {}),
      ...(kind === 'amount' && parseTypedAmount(amount, currency, language) === null
        ? { amount: t('Enter an amount.') }
        : {}),
    }),
    send: ({ from, kind, percent, step, amount }) => ({
      from,
      change:
        kind === 'percent'
          ? { kind, percent: readPercent(percent) ?? 0, step: Number(step) }
          : { kind, amount: parseTypedAmount(amount, currency, language) ?? 0 },
    }),
    onDone,
  });
  const { kind, from, percent, amount } = form.values;
  const { close, question } = useUnsavedDialog([from, percent, amount].some(Boolean), onClose);
  const example = formatTypedAmount(10 ** getCurrencyExponent(currency), currency, language);
  return (
    <Modal
      title={t('{count, plural, one {New price of # row} other {New prices of # rows}}', { count })}
      onClose={close}
      footer={
        <>
          <Button variant="secondary" onClick={close}>
            {t('Back')}
          </Button>
          <Button type="submit" form={formId}>
            {t('Change the rows')}
          </Button>
        </>
      }
    >
      <Form form={form} id={formId} startsFocused>
        <TextField
          {...form.input('from')}
          type="date"
          label={t('First day of travel')}
          hint={t(
            'Each row ends the day before, and a row with the new price begins. A row that ends earlier stays as it is.',
          )}
        />
        <Segmented
          legend={t('New price')}
          value={kind}
          onChange={(value) => form.change({ kind: value })}
          options={[
            { value: 'percent', label: t('By percent') },
            { value: 'amount', label: t('One amount') },
          ]}
        />
        {kind === 'percent' ? (
          <>
            <TextField
              {...form.input('percent')}
              inputMode="decimal"
              autoComplete="off"
              label={t('Percent')}
              hint={t('5 raises, -5 lowers. What further length of a vehicle costs changes, too.')}
            />
            <Select
              {...form.input('step')}
              label={t('Rounded to')}
              options={STEPS.map((step) => ({ value: String(step), label: toDecimal(step, currency) }))}
            />
          </>
        ) : (
          <TextField
            {...form.input('amount')}
            inputMode="decimal"
            autoComplete="off"
            label={t('Amount in {currency}', { currency })}
            hint={t('Such as {example}.', { example })}
          />
        )}
      </Form>
      {question}
    </Modal>
  );
}

/** Minor units. */
const STEPS = [1, 5, 10, 50, 100] as const;

/** Above -100; a minus may be any of its signs. */
function readPercent(text: string): number | null {
  const plain = text.trim().replace(/^[−–]/, '-').replace(',', '.').replace(/\s*%$/, '');
  const percent = Number(plain);
  return /^[+-]?\d{1,4}(\.\d{1,3})?$/.test(plain) && percent > -100 && percent !== 0 ? percent : null;
}
