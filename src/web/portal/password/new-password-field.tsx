import { pageConfig } from '#web/platform/page-config.ts';
import { PasswordField } from '#web/ui/form/password-field.tsx';
import { StrengthMeter } from './strength-meter.tsx';
import { useStrength } from './use-strength.ts';

/** The field that the server's refusals of a new password are about. */
export const PASSWORD_REFUSALS = {
  password_too_short: 'password',
  password_too_long: 'password',
  password_too_common: 'password',
} as const;

export type NewPasswordFieldProps = {
  id: string;
  label: string;
  name?: string;
  error: string | undefined;
  value: string;
  onChange: (password: string) => void;
  /** What an attacker who knows the owner would try first; empty if unknown. */
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
