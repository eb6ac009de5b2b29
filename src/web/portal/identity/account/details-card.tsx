import { PERSON_NAME_LENGTH, PHONE_LENGTH } from '#contract/limits.ts';
import { findOfferedLanguage, LANGUAGES, listOfferedLanguages } from '#messages/languages.ts';
import { changeLanguage } from '#web/features/site/change-language.ts';
import { formatPhone, isPhone } from '#web/features/site/phone.ts';
import { pageLanguage } from '#web/language/page-language.ts';
import { t } from '#web/language/texts.ts';
import { changeProfile, profileStore } from '#web/platform/account/profile.ts';
import type { ChangeCustomer, Customer } from '#web/platform/api/types.ts';
import { MESSAGES } from '#web/platform/forms/messages.ts';
import { findPhoneExample } from '#web/platform/forms/phone-example.ts';
import { useForm } from '#web/platform/forms/use-form.ts';
import { notify } from '#web/platform/notifications/notifications.ts';
import { useBusyWhile } from '#web/platform/updates/busy.ts';
import { findDraft, usePersistedDraft } from '#web/platform/updates/drafts.ts';
import { Button } from '#web/ui/form/button.tsx';
import { PhoneField, TextField } from '#web/ui/form/field.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { Card } from '#web/ui/layout/card.tsx';

type Details = { name: string; phone: string; language: string };

const DRAFT = 'details';

export function DetailsCard({ customer }: { customer: Customer }) {
  const example = findPhoneExample();
  const form = useForm({
    initial: (): Details => ({ ...readDetails(customer), ...findDraft(DRAFT) }),
    check: ({ name, phone }) => ({
      ...(name.trim() === '' ? { name: MESSAGES.name } : {}),
      ...(isPhone(phone)
        ? {}
        : {
            phone: t(
              'Enter a phone number with its country code{example, select, none {} other {, like {example},}} or leave it empty.',
              { example },
            ),
          }),
    }),
    send: save,
    onDone: showSaved,
  });
  const isChanged = Object.keys(findChange(form.values, customer)).length > 0;
  useBusyWhile(isChanged, 'details being typed');
  usePersistedDraft(DRAFT, () => (isChanged ? form.values : null));

  async function save(typed: Details): Promise<boolean> {
    const change = findChange(typed, customer);
    if (Object.keys(change).length === 0) return false;
    await changeProfile(change);
    return true;
  }

  function showSaved(isSaved: boolean, sent: Details) {
    if (!isSaved) return notify(t('You haven’t changed anything.'));
    const stored = readDetails(profileStore.get().customer);
    if (sent.language !== pageLanguage()) return changeLanguage(sent.language);
    // What was typed since stays.
    if (form.values.name === sent.name) form.change({ name: stored.name });
    if (form.values.phone === sent.phone) form.change({ phone: stored.phone });
    notify(t('Your details are saved.'), { type: 'success' });
  }

  return (
    <Card title={t('Your details')}>
      <Form form={form} problemTitle={t('Your details were not saved')}>
        <TextField
          {...form.input('name')}
          label={t('Name')}
          autoComplete="name"
          required
          maxLength={PERSON_NAME_LENGTH}
        />
        <PhoneField
          {...form.input('phone')}
          label={t('Phone')}
          isOptional
          hint={t(
            'With the country code{example, select, none {} other {, like {example}}}. We use it only for sailing updates.',
            { example },
          )}
          maxLength={PHONE_LENGTH}
          onBlur={() => form.change({ phone: formatPhone(form.values.phone) })}
        />
        <Select
          {...form.input('language')}
          label={t('Language')}
          translate="no"
          hint={t('For pages and emails.')}
          options={listOfferedLanguages().map((value) => ({ value, label: LANGUAGES[value].name }))}
        />
        <Button type="submit" isPending={form.isPending} pendingText={t('Saving…')}>
          {t('Save')}
        </Button>
      </Form>
    </Card>
  );
}

function readDetails({ name, phone, language }: Customer): Details {
  return { name, phone: formatPhone(phone), language: language ?? pageLanguage() };
}

/** Only what differs is sent. */
function findChange(typed: Details, customer: Customer): ChangeCustomer {
  const language = findOfferedLanguage(typed.language);
  return {
    ...(typed.name.trim() === customer.name ? {} : { name: typed.name.trim() }),
    ...(formatPhone(typed.phone.trim()) === formatPhone(customer.phone) ? {} : { phone: typed.phone.trim() }),
    ...(language === null || typed.language === readDetails(customer).language ? {} : { language }),
  };
}
