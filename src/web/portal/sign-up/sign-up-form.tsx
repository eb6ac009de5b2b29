import { TermsCheckbox } from '#web/features/site/terms.tsx';
import { useSettings } from '#web/platform/settings/settings.ts';
import { Button } from '#web/ui/form/button.tsx';
import { EmailField, PhoneField, TextField } from '#web/ui/form/field.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { NewPasswordField } from '../password/new-password-field.tsx';
import type { RegistrationForm } from './registration-form.ts';

export function SignUpForm({ form }: { form: RegistrationForm }) {
  const { terms } = useSettings();
  const { values, input, field, change, isPending } = form;
  return (
    <Form form={form} problemTitle="We could not create your account">
      <TextField {...input('name')} label="Name" autoComplete="name" maxLength={120} required />
      <EmailField {...input('email')} label="Email" autoComplete="username" maxLength={254} required />
      <PhoneField
        {...input('phone')}
        label="Phone"
        isOptional
        hint="We use it only for sailing updates."
        maxLength={32}
      />
      <NewPasswordField
        {...field('password')}
        label="Password"
        value={values.password}
        context={values}
        onChange={(password) => change({ password })}
      />
      <TermsCheckbox
        {...field('termsVersion')}
        isAccepted={values.termsVersion === terms.version}
        onAccept={(isAccepted) => change({ termsVersion: isAccepted ? terms.version : null })}
      />
      <Button type="submit" size="large" block isPending={isPending} pendingText="One moment…">
        Create my account
      </Button>
    </Form>
  );
}
