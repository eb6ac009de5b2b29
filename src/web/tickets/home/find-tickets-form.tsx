import { lookUpOrder } from '#contract/orders/tickets/endpoints.ts';
import { t } from '#web/language/texts.ts';
import { request } from '#web/platform/api/request.ts';
import { checkEmail } from '#web/platform/forms/messages.ts';
import { useForm } from '#web/platform/forms/use-form.ts';
import { useBusyWhile } from '#web/platform/updates/busy.ts';
import { findDraft, usePersistedDraft } from '#web/platform/updates/drafts.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { EmailField, ReferenceField } from '#web/ui/form/field.tsx';
import { Form } from '#web/ui/form/form.tsx';

const DRAFT = 'find-tickets';

export function FindTicketsForm() {
  const form = useForm({
    initial: () => ({ reference: '', email: '', ...findDraft(DRAFT) }),
    check: ({ reference, email }) => ({
      ...(isReference(reference)
        ? {}
        : { reference: t('Enter the reference from our email, like K7M4-QXPA.') }),
      ...checkEmail(email),
    }),
    send: ({ reference, email }) =>
      request(lookUpOrder, { body: { reference: reference.trim().toUpperCase(), email: email.trim() } }),
  });
  const isTyped = form.values.reference + form.values.email !== '';
  useBusyWhile(isTyped, 'an order being looked for', 'light');
  usePersistedDraft(DRAFT, () => (isTyped ? form.values : null));
  return (
    <Form form={form} problemTitle={t('Please check your details')}>
      {form.isDone && (
        <Notice type="success" role="status" title={t('Check your email')}>
          {t(
            'If the reference and email match an order, we sent you a link to your tickets. It can take a minute. Check your spam folder too.',
          )}
        </Notice>
      )}
      <ReferenceField
        {...form.input('reference')}
        label={t('Order reference')}
        hint={t('It is in the subject of our email.')}
      />
      <EmailField {...form.input('email')} label={t('Email used for the order')} />
      <Button type="submit" block variant="secondary" icon="mail" isPending={form.isPending}>
        {t('Email me the link')}
      </Button>
    </Form>
  );
}

function isReference(text: string): boolean {
  const { length } = text.trim();
  return length >= 4 && length <= 16;
}
