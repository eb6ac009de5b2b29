import { useProfile } from '#web/platform/account/profile.ts';
import { MESSAGES } from '#web/platform/forms/messages.ts';
import { useForm } from '#web/platform/forms/use-form.ts';
import { Button } from '#web/ui/form/button.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { PasswordField } from '#web/ui/form/password-field.tsx';
import { confirmWith, explainProof, type ProofProps, sendProof } from './proof.ts';

export function PasswordProof({ onConfirmed }: ProofProps) {
  const { customer } = useProfile();
  const form = useForm({
    initial: { password: '' },
    check: ({ password }): { password?: string } =>
      password === '' ? { password: MESSAGES.noPassword } : {},
    send: sendProof,
    onDone: confirmWith(onConfirmed),
    onFailed: (failure) => ({ password: explainProof(failure) }),
  });
  return (
    <Form form={form} startsFocused>
      {/* Password managers look here for whose password is wanted. */}
      <input type="email" autoComplete="username" value={customer.email} readOnly hidden />
      <p role="alert" className="visually-hidden">
        {form.problems.password}
      </p>
      <PasswordField {...form.input('password')} label="Password" required />
      <Button type="submit" block isPending={form.isPending} pendingText="Checking…">
        Confirm
      </Button>
    </Form>
  );
}
