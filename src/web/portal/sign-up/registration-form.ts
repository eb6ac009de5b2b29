import type { WebSettings } from '#contract/settings/schemas.ts';
import { isPhone } from '#web/features/site/phone.ts';
import { hasErrorCode } from '#web/platform/api/api-error.ts';
import type { Registration } from '#web/platform/api/types.ts';
import { checkEmail, MESSAGES } from '#web/platform/forms/messages.ts';
import type { Problems } from '#web/platform/forms/problems.ts';
import { useForm } from '#web/platform/forms/use-form.ts';
import { loadSettings, useSettings } from '#web/platform/settings/settings.ts';
import { hasAcceptedTerms } from '#web/platform/settings/terms.ts';
import { findDraft } from '#web/platform/updates/drafts.ts';
import { PASSWORD_REFUSALS } from '../password/new-password-field.tsx';
import { countMissingCharacters } from '../password/use-strength.ts';
import { startRegistration } from './started-registration.ts';

export const REGISTRATION_DRAFT = 'registration';

const EMPTY = {
  name: '',
  email: '',
  phone: '',
  password: '',
  /** The version of the terms that was accepted. */
  termsVersion: null as string | null,
};
type Values = typeof EMPTY;

export type RegistrationForm = ReturnType<typeof useRegistrationForm>;

export function useRegistrationForm(onSent: (registration: Registration) => void) {
  const { terms } = useSettings();
  const form = useForm({
    initial: (): Values => ({ ...EMPTY, ...findDraft(REGISTRATION_DRAFT) }),
    check: (values) => checkRegistration(values, terms),
    send: async ({ name, email, phone, password }) => {
      const texts = { name: name.trim(), email: email.trim(), phone: phone.trim() };
      const registration = { ...texts, password, termsVersion: terms.version };
      await startRegistration(registration);
      return registration;
    },
    onDone: onSent,
    onFailed: (failure) => {
      if (!hasErrorCode(failure, 'terms_outdated')) return;
      form.change({ termsVersion: null });
      void loadSettings();
    },
    byCode: { ...PASSWORD_REFUSALS, terms_outdated: 'termsVersion' },
    busyReason: 'registration being typed',
  });
  return form;
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
