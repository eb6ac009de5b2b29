import { EMAIL_LENGTH, PERSON_NAME_LENGTH, PHONE_LENGTH } from '#contract/limits.ts';
import { findOfferedLanguage, LANGUAGES, listOfferedLanguages } from '#messages/languages.ts';
import { pageLanguage } from '#web/language/page-language.ts';
import { t } from '#web/language/texts.ts';
import type { QueueEntry } from '#web/platform/api/types.ts';
import { isEmail, MESSAGES } from '#web/platform/forms/messages.ts';
import type { useForm } from '#web/platform/forms/use-form.ts';
import { EmailField, PhoneField, TextField } from '#web/ui/form/field.tsx';
import { Select } from '#web/ui/form/select.tsx';

/** What is typed for a buyer who pays later, by a mailed link or at the pier. `pierMinutes`: empty until shortly before departure. */
export type HoldValues = {
  name: string;
  phone: string;
  email: string;
  minutes: string;
  pierMinutes: string;
  language: string;
};

export function startHold({ label, phone }: QueueEntry): HoldValues {
  const buyer = { name: label, phone, email: '' };
  return { ...buyer, minutes: '120', pierMinutes: '', language: pageLanguage() };
}

export function checkLink({ name, email }: HoldValues) {
  return {
    ...checkName(name),
    ...(!isEmail(email.trim()) && { email: MESSAGES.email }),
  };
}

function checkName(name: string) {
  return name.trim() === '' ? { name: t('Enter the buyer’s name.') } : {};
}

/** As the call takes it. */
export function readLink({ name, email, minutes, language: chosen }: HoldValues) {
  const language = findOfferedLanguage(chosen);
  return {
    ...{ name: name.trim(), email: email.trim(), minutes: Number(minutes) },
    ...(language && { language }),
  };
}

export function checkPier(values: HoldValues) {
  const [phone, email] = [values.phone.trim(), values.email.trim()];
  return {
    ...checkName(values.name),
    ...(phone === '' && email === '' && { phone: t('Enter a phone number or an email.') }),
    ...(email !== '' && !isEmail(email) && { email: MESSAGES.email }),
  };
}

/** As the call takes it. */
export function readPier({ name, phone, email, pierMinutes }: HoldValues) {
  return {
    ...{ name: name.trim(), phone: phone.trim(), email: email.trim() || null },
    minutes: pierMinutes === '' ? null : Number(pierMinutes),
  };
}

type HoldFieldsProps = {
  form: Pick<ReturnType<typeof useForm<HoldValues>>, 'input'>;
};

export function LinkFields({ form }: HoldFieldsProps) {
  return (
    <>
      <NameField form={form} />
      <EmailField
        {...form.input('email')}
        label={t('The buyer’s email')}
        hint={t('The link goes there, and the tickets once they are paid.')}
        maxLength={EMAIL_LENGTH}
        autoComplete="off"
        required
      />
      <HoldTimeSelect {...form.input('minutes')} />
      <Select
        {...form.input('language')}
        label={t('Language of the mails')}
        options={listOfferedLanguages().map((value) => ({ value, label: LANGUAGES[value].name }))}
      />
    </>
  );
}

export function PierFields({ form }: HoldFieldsProps) {
  return (
    <>
      <NameField form={form} />
      <PhoneField {...form.input('phone')} label={t('Phone')} maxLength={PHONE_LENGTH} autoComplete="off" />
      <EmailField
        {...form.input('email')}
        label={t('Email')}
        hint={t('The tickets go there once they are paid. A phone number is enough.')}
        maxLength={EMAIL_LENGTH}
        autoComplete="off"
        isOptional
      />
      <Select
        {...form.input('pierMinutes')}
        label={t('How long the places are held')}
        hint={t('At most until the boat leaves.')}
        options={[{ value: '', label: t('Until 30 minutes before departure') }, ...listTimes()]}
      />
    </>
  );
}

/** How long the places are held for a buyer who gets a payment link. */
export function HoldTimeSelect(input: ReturnType<HoldFieldsProps['form']['input']>) {
  return (
    <Select
      {...input}
      label={t('Hold the places for')}
      hint={t('Never longer than tickets for this boat are sold online.')}
      options={listTimes()}
    />
  );
}

function NameField({ form }: HoldFieldsProps) {
  return (
    <TextField
      {...form.input('name')}
      label={t('The buyer’s name')}
      maxLength={PERSON_NAME_LENGTH}
      autoComplete="off"
      required
    />
  );
}

function listTimes() {
  return [
    { value: '30', label: t('30 minutes') },
    { value: '120', label: t('2 hours') },
    { value: '1440', label: t('24 hours') },
  ];
}
