import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { EMAIL_LENGTH, PERSON_NAME_LENGTH, PHONE_LENGTH } from '#contract/limits.ts';
import { portalPages } from '#contract/paths.ts';
import type { WebSettings } from '#contract/settings/schemas.ts';
import { FormPage } from '#web/features/identity/form-page.tsx';
import {
  countMissingCharacters,
  NewPasswordField,
  PASSWORD_REFUSALS,
} from '#web/features/identity/new-password-field.tsx';
import { MailField } from '#web/features/site/mail-field.tsx';
import { isPhone } from '#web/features/site/phone.ts';
import { TermsCheckbox } from '#web/features/site/terms.tsx';
import { rich } from '#web/language/rich.ts';
import { t } from '#web/language/texts.ts';
import { hasErrorCode } from '#web/platform/api/api-error.ts';
import type { Registration } from '#web/platform/api/types.ts';
import { checkEmail, MESSAGES } from '#web/platform/forms/messages.ts';
import type { Problems } from '#web/platform/forms/problems.ts';
import { useForm } from '#web/platform/forms/use-form.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { hasAcceptedTerms } from '#web/platform/settings/terms.ts';
import { findDraft, usePersistedDraft } from '#web/platform/updates/drafts.ts';
import { Button } from '#web/ui/form/button.tsx';
import { PhoneField, TextField } from '#web/ui/form/field.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { CheckYourEmail } from '../forms/check-your-email.tsx';
import { useLeaveWhenSignedIn } from '../sign-in/use-sign-in.ts';
import { startRegistration } from './started-registration.ts';

const DRAFT = 'registration';

const EMPTY = {
  name: '',
  email: '',
  phone: '',
  password: '',
  /** The version of the terms that was accepted. */
  termsVersion: null as string | null,
};
type Values = typeof EMPTY;

export function SignUpScreen() {
  const { brand, terms } = useSettings();
  const [sent, setSent] = useState<Registration | null>(null);
  const form = useForm({
    initial: (): Values => ({ ...EMPTY, ...findDraft(DRAFT) }),
    check: (values) => checkRegistration(values, terms),
    send: async ({ name, email, phone, password }) => {
      const texts = { name: name.trim(), email: email.trim(), phone: phone.trim() };
      const registration = { ...texts, password, termsVersion: terms.version };
      await startRegistration(registration);
      return registration;
    },
    onDone: setSent,
    onFailed: (failure) => {
      if (!hasErrorCode(failure, 'terms_outdated')) return;
      form.change({ termsVersion: null });
      void import('#web/platform/settings/load-settings.ts').then(
        ({ loadSettings }) => loadSettings(),
        () => undefined,
      );
    },
    byCode: { ...PASSWORD_REFUSALS, terms_outdated: 'termsVersion' },
    busyReason: 'registration being typed',
  });
  const { values, input, field, change } = form;
  const { name, email, phone } = values;
  useLeaveWhenSignedIn(sent !== null);
  usePersistedDraft(DRAFT, () =>
    sent === null && name + email + phone !== '' ? { name, email, phone } : null,
  );
  if (sent !== null) {
    return (
      <CheckYourEmail
        email={sent.email}
        instruction={t('Open the link in it within 24 hours to continue.')}
        send={() => startRegistration(sent)}
        onBack={() => setSent(null)}
        smallPrint={<p>{rich('Confirmed already? <link>Sign in</link>', { link: linkToSignIn })}</p>}
      />
    );
  }
  return (
    <FormPage
      title={t('Create an account')}
      intro={t('All your {brand} orders and tickets in one place, on every device.', { brand: brand.name })}
      smallPrint={<p>{rich('Already have an account? <link>Sign in</link>', { link: linkToSignIn })}</p>}
    >
      <Form form={form} problemTitle={t('We could not create your account')}>
        <TextField
          {...input('name')}
          label={t('Name')}
          autoComplete="name"
          maxLength={PERSON_NAME_LENGTH}
          required
        />
        <MailField
          {...input('email')}
          onAccept={(email) => form.change({ email })}
          label={t('Email')}
          autoComplete="username"
          maxLength={EMAIL_LENGTH}
          required
        />
        <PhoneField
          {...input('phone')}
          label={t('Phone')}
          isOptional
          hint={t('We use it only for sailing updates.')}
          maxLength={PHONE_LENGTH}
        />
        <NewPasswordField
          {...field('password')}
          label={t('Password')}
          value={values.password}
          context={values}
          onChange={(password) => change({ password })}
        />
        <TermsCheckbox
          {...field('termsVersion')}
          isAccepted={values.termsVersion === terms.version}
          onAccept={(isAccepted) => change({ termsVersion: isAccepted ? terms.version : null })}
        />
        <Button type="submit" size="large" block isPending={form.isPending} pendingText={t('One moment…')}>
          {t('Create my account')}
        </Button>
      </Form>
    </FormPage>
  );
}

function checkRegistration(values: Values, terms: WebSettings['terms']): Problems<keyof Values> {
  const { name, email, phone, password, termsVersion } = values;
  return {
    ...(name.trim() === '' ? { name: MESSAGES.name } : {}),
    ...checkEmail(email),
    ...(isPhone(phone) ? {} : { phone: MESSAGES.phone }),
    ...(countMissingCharacters(password) > 0 ? { password: MESSAGES.shortPassword } : {}),
    ...(hasAcceptedTerms(terms, termsVersion) ? {} : { termsVersion: MESSAGES.terms }),
  };
}

function linkToSignIn(text: ReactNode) {
  return <Link to={portalPages.signIn}>{text}</Link>;
}
