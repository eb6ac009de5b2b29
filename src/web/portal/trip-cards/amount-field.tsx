import { TextField, type TextFieldProps } from '#web/ui/form/field.tsx';

export function AmountField({ label, currency, ...props }: TextFieldProps & { currency: string }) {
  return (
    <TextField
      {...props}
      label={`${label} (${currency})`}
      inputMode="decimal"
      autoComplete="off"
      maxLength={12}
    />
  );
}
