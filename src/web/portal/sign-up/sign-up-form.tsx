import { useMutation } from '@tanstack/react-query';
import type { ChangeEvent, FormEvent } from 'react';
import { TermsCheckbox } from '#web/features/site/terms.tsx';
import { hasErrorCode } from '#web/platform/api/api-error.ts';
import type { Registration } from '#web/platform/api/types.ts';
import { loadSettings, useSettings } from '#web/platform/settings/settings.ts';
import { Button } from '#web/ui/form/button.tsx';
import { EmailField, PhoneField, TextField } from '#web/ui/form/field.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { problemsOf } from '../forms/problems.ts';
import { useBusyForm } from '../forms/use-busy-form.ts';
import { ProblemList, useProblems } from '../forms/use-problems.tsx';
import { NewPasswordField } from '../password/new-password-field.tsx';
import { PASSWORD_REFUSALS } from '../password/password-refusals.ts';
import { checkRegistration, REGISTRATION_FIELDS, type RegistrationForm } from './registration-form.ts';
import { startRegistration } from './started-registration.ts';

type SignUpFormProps = {
  typed: RegistrationForm;
  onType: (typed: RegistrationForm) => void;
  onSent: (registration: Registration) => void;
};

export function SignUpForm({ typed, onType, onSent }: SignUpFormProps) {
  const { terms } = useSettings();
  const { problems, errors, show, fieldProps } = useProblems(REGISTRATION_FIELDS);
  const { name: _, onInput: forgiveTerms, ...termsProps } = fieldProps('terms_version');
  const holdTab = useBusyForm('registration being typed');
  const attempt = useMutation({
    mutationFn: startRegistration,
    onSuccess: (_, registration) => onSent(registration),
  });

  const change = (part: Partial<RegistrationForm>) => onType({ ...typed, ...part });
  const textProps = (field: 'name' | 'email' | 'phone') => ({
    ...fieldProps(field),
    value: typed[field],
    onChange: (event: ChangeEvent<HTMLInputElement>) => change({ [field]: event.target.value }),
  });

  function handleSubmit(event: FormEvent) {
    event.preventDefault();
    if (attempt.isPending || !show(checkRegistration(typed, terms))) return;
    const { name, email, phone, password } = typed;
    const registration = { name: name.trim(), email: email.trim(), phone: phone.trim(), password };
    attempt.mutate({ ...registration, termsVersion: terms.version }, { onError: refuse });
  }

  function refuse(failure: unknown) {
    if (hasErrorCode(failure, 'terms_outdated')) {
      change({ acceptedTerms: null });
      void loadSettings();
    }
    const places = { ...PASSWORD_REFUSALS, terms_outdated: 'terms_version' } as const;
    show(problemsOf(failure, REGISTRATION_FIELDS, places));
  }

  return (
    <form noValidate onSubmit={handleSubmit} onInput={holdTab}>
      <Stack>
        <ProblemList title="We could not create your account" errors={errors} form={problems.form} />
        <TextField {...textProps('name')} label="Name" autoComplete="name" maxLength={120} required />
        <EmailField {...textProps('email')} label="Email" autoComplete="username" maxLength={254} required />
        <PhoneField
          {...textProps('phone')}
          label="Phone"
          isOptional
          hint="We use it only for sailing updates."
          maxLength={32}
        />
        <NewPasswordField
          {...fieldProps('password')}
          label="Password"
          value={typed.password}
          context={typed}
          onChange={(password) => change({ password })}
        />
        <TermsCheckbox
          {...termsProps}
          isAccepted={typed.acceptedTerms === terms.version}
          onAccept={(isAccepted) => {
            forgiveTerms();
            change({ acceptedTerms: isAccepted ? terms.version : null });
          }}
        />
        <Button type="submit" size="large" block isPending={attempt.isPending} pendingText="One moment…">
          Create my account
        </Button>
      </Stack>
    </form>
  );
}
