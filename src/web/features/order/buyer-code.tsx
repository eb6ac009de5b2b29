import { useState } from 'react';
import { mailCancellationCode } from '#contract/orders/cancel/endpoints.ts';
import { StrongAddress } from '#web/features/site/email-address.tsx';
import { rich } from '#web/language/rich.ts';
import { t } from '#web/language/texts.ts';
import { request } from '#web/platform/api/request.ts';
import { MESSAGES } from '#web/platform/forms/messages.ts';
import { findProblems, formatWait } from '#web/platform/forms/problems.ts';
import { useAction } from '#web/platform/forms/use-action.ts';
import { useForm } from '#web/platform/forms/use-form.ts';
import { isOutcomeKnown } from '#web/platform/idempotency/idempotent-writes.ts';
import { Notice, Problem } from '#web/ui/feedback/notice.tsx';
import { CodeField } from '#web/ui/form/code-field.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { findRetryTime, RESEND_AFTER_MS, ResendButton } from '../mailed-code/resend-button.tsx';

/** Proves that a guest reads the buyer's mail: the handle of the mail and the digits in it. */
export type Proof = { temp: string; code: string };

type MailedCode = { temp: string; email: string; expiresIn: number; isRepeated: boolean };

/** Mails a code to the buyer of an order. `mailed` is the newest one. */
export function useMailedCode(orderId: string, onMailed: () => void) {
  const [mailed, setMailed] = useState<MailedCode | null>(null);
  const [resendAt, setResendAt] = useState(0);
  const mail = useAction(() => request(mailCancellationCode, { params: { id: orderId } }), {
    onDone: (sent) => {
      setMailed({ ...sent, isRepeated: mailed !== null });
      setResendAt(Date.now() + RESEND_AFTER_MS);
      onMailed();
    },
    onFailed: (failure) => setResendAt(findRetryTime(failure) ?? resendAt),
  });
  return { mail, mailed, resendAt };
}

type BuyerCodeOptions<Data> = {
  mailed: MailedCode | null;
  send: (proof: Proof) => Promise<Data>;
  onDone: (data: Data) => void;
  explain: (failure: Error) => string;
};

/** The typed code. Not sent before a press on the button, because what follows cannot be undone. */
export function useBuyerCodeForm<Data>({ mailed, send, onDone, explain }: BuyerCodeOptions<Data>) {
  return useForm({
    initial: { 'proof.code': '' },
    check: (values): { 'proof.code'?: string } =>
      /^\d{6}$/.test(values['proof.code']) ? {} : { 'proof.code': MESSAGES.digits },
    send: (values) => send({ temp: mailed?.temp ?? '', code: values['proof.code'] }),
    onDone,
    onFailed: (failure) =>
      isOutcomeKnown(failure) ? findProblems(failure, ['proof.code']) : { form: explain(failure) },
    busyReason: 'a code being typed',
  });
}

type BuyerCodeFormProps = ReturnType<typeof useMailedCode> & {
  id: string;
  form: ReturnType<typeof useBuyerCodeForm<unknown>>;
};

export function BuyerCodeForm({ id, form, mail, mailed, resendAt }: BuyerCodeFormProps) {
  if (mailed === null) return null;
  return (
    <Form form={form} id={id} startsFocused>
      <p>
        {rich('We sent a code to <address>{email}</address>. It is good for {duration}.', {
          address: () => <StrongAddress>{mailed.email}</StrongAddress>,
          email: mailed.email,
          duration: formatWait(mailed.expiresIn),
        })}
      </p>
      <p role="alert" className="visually-hidden">
        {form.problems['proof.code']}
      </p>
      <CodeField
        {...form.field('proof.code')}
        label={t('Code from the email')}
        value={form.values['proof.code']}
        onChange={(code) => form.change({ 'proof.code': code })}
      />
      <Problem text={mail.problem} />
      {mailed.isRepeated && mail.isDone && (
        <Notice type="success" role="status">
          {t('We sent another email. Use the newest one.')}
        </Notice>
      )}
      <ResendButton resend={mail} availableAt={resendAt} />
    </Form>
  );
}
