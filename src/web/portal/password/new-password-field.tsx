import { pageConfig } from '#web/platform/page-config.ts';
import { PasswordField } from '#web/ui/form/password-field.tsx';
import { StrengthMeter } from './strength-meter.tsx';
import { useStrength } from './use-strength.ts';

export type NewPasswordFieldProps = {
  id: string;
  label: string;
  name?: string;
  error: string | undefined;
  value: string;
  onChange: (password: string) => void;
  /** What somebody would try first who knows the owner; empty where it is not known. */
  context: { email: string; name: string };
};

export function NewPasswordField({ context, onChange, ...field }: NewPasswordFieldProps) {
  const strength = useStrength(field.value, context);
  return (
    <div>
      <PasswordField
        {...field}
        autoComplete="new-password"
        hint={`At least ${pageConfig().password_min_length} characters. A few unrelated words make a good one.`}
        required
        onChange={(event) => onChange(event.target.value)}
      />
      <StrengthMeter strength={strength} />
    </div>
  );
}
