import { TERMINAL_REFERENCE_LENGTH } from '#contract/limits.ts';
import type { PaidInPerson } from '#contract/payments/in-person-schemas.ts';
import { t } from '#web/language/texts.ts';
import { TextField } from '#web/ui/form/field.tsx';
import { RadioCards } from '#web/ui/form/radio-cards.tsx';
import { CashWithoutDrawer } from '../drawer/cash-without-drawer.tsx';

/** How people pay in person. `typed`: what the receipt says, or the trip card's number or code. */
export type TypedPayment<Other extends string = never> = {
  method: PaidInPerson['method'] | Other;
  typed: string;
};

type PaymentFieldsProps<Other extends string> = {
  payment: TypedPayment<Other>;
  /** How they may pay besides, such as later. */
  others?: readonly { value: Other; label: string }[];
  /** Of the field for what is typed, which an error summary may link to. */
  id?: string | undefined;
  error?: string | undefined;
  onChange: (payment: TypedPayment<Other>) => void;
};

export function PaymentFields<Other extends string = never>({
  payment: { method, typed },
  others = [],
  id,
  error,
  onChange,
}: PaymentFieldsProps<Other>) {
  return (
    <>
      <RadioCards<TypedPayment<Other>['method']>
        legend={t('How do they pay?')}
        value={method}
        onChange={(chosen) => onChange({ method: chosen, typed: '' })}
        options={[
          { value: 'cash', label: t('Cash') },
          { value: 'terminal', label: t('Card terminal') },
          { value: 'trip_card', label: t('Trip card') },
          ...others,
        ]}
      />
      {method === 'cash' && <CashWithoutDrawer />}
      {(method === 'terminal' || method === 'trip_card') && (
        <TextField
          id={id}
          label={method === 'terminal' ? t('Number on the receipt') : t('Number or code of the trip card')}
          autoComplete="off"
          maxLength={method === 'terminal' ? TERMINAL_REFERENCE_LENGTH : undefined}
          value={typed}
          error={error}
          onChange={(event) => onChange({ method, typed: event.target.value })}
        />
      )}
    </>
  );
}

/** Null while something is missing. */
export function readPayment({ method, typed }: TypedPayment): PaidInPerson | null {
  const text = typed.trim();
  if (method === 'cash') return { method };
  if (text === '') return null;
  return method === 'terminal' ? { method, reference: text } : { method, card: text };
}
