import { Link } from 'react-router';
import { EMAIL_LENGTH, PERSON_NAME_LENGTH } from '#contract/limits.ts';
import { fillPath, staffPages } from '#contract/paths.ts';
import { findOfferedLanguage, LANGUAGES, listOfferedLanguages } from '#messages/languages.ts';
import { formatWhen } from '#web/features/site/timestamp.tsx';
import { pageLanguage } from '#web/language/page-language.ts';
import { t } from '#web/language/texts.ts';
import type { QueueEntry, SentPaymentLink } from '#web/platform/api/types.ts';
import { isEmail, MESSAGES } from '#web/platform/forms/messages.ts';
import type { useForm } from '#web/platform/forms/use-form.ts';
import { serverNow } from '#web/platform/server-clock.ts';
import { Button } from '#web/ui/form/button.tsx';
import { EmailField, TextField } from '#web/ui/form/field.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { Modal } from '#web/ui/popup/modal.tsx';

/** What is typed for a buyer who pays later by a mailed link. */
export type LinkValues = { name: string; email: string; minutes: string; language: string };

export function startLink({ label }: QueueEntry): LinkValues {
  return { name: label, email: '', minutes: '120', language: pageLanguage() };
}

export function checkLink({ name, email }: LinkValues) {
  return {
    ...(name.trim() === '' && { name: t('Enter the buyer’s name.') }),
    ...(!isEmail(email.trim()) && { email: MESSAGES.email }),
  };
}

/** As the call takes it. */
export function readLink({ name, email, minutes, language: chosen }: LinkValues) {
  const language = findOfferedLanguage(chosen);
  return {
    ...{ name: name.trim(), email: email.trim(), minutes: Number(minutes) },
    ...(language && { language }),
  };
}

type LinkFieldsProps = {
  form: Pick<ReturnType<typeof useForm<LinkValues>>, 'input'>;
};

export function LinkFields({ form }: LinkFieldsProps) {
  return (
    <>
      <TextField
        {...form.input('name')}
        label={t('The buyer’s name')}
        maxLength={PERSON_NAME_LENGTH}
        autoComplete="off"
        required
      />
      <EmailField
        {...form.input('email')}
        label={t('The buyer’s email')}
        hint={t('The link goes there, and the tickets once they are paid.')}
        maxLength={EMAIL_LENGTH}
        autoComplete="off"
        required
      />
      <Select
        {...form.input('minutes')}
        label={t('Hold the places for')}
        hint={t('Never longer than tickets for this boat are sold online.')}
        options={[
          { value: '30', label: t('30 minutes') },
          { value: '120', label: t('2 hours') },
          { value: '1440', label: t('24 hours') },
        ]}
      />
      <Select
        {...form.input('language')}
        label={t('Language of the mails')}
        options={listOfferedLanguages().map((value) => ({ value, label: LANGUAGES[value].name }))}
      />
    </>
  );
}

type SentLinkProps = { link: SentPaymentLink & { email: string }; onClose: () => void };

/** What the seller tells the buyer on the telephone. */
export function SentLink({ link: { reference, payUntil, email }, onClose }: SentLinkProps) {
  return (
    <Modal
      title={payUntil === null ? t('The tickets are mailed') : t('The payment link is mailed')}
      onClose={onClose}
      footer={<Button onClick={onClose}>{t('Done')}</Button>}
    >
      <Stack>
        {payUntil === null ? (
          <p>{t('They cost nothing. The tickets are on their way to {email}.', { email })}</p>
        ) : (
          <>
            <p>{t('The link is on its way to {email}.', { email })}</p>
            <p>
              {t('The places are held until {time}. If the order is not paid by then, they are free again.', {
                time: formatWhen(payUntil, serverNow()),
              })}
            </p>
          </>
        )}
        <p>
          {t('Reference')}{' '}
          <Link to={fillPath(staffPages.order, { reference })} translate="no">
            {reference}
          </Link>
        </p>
      </Stack>
    </Modal>
  );
}
