import { useState } from 'react';
import { reauthenticate } from '#contract/identity/sign-in/endpoints.ts';
import { CodeForm } from '#web/features/identity/code-form.tsx';
import { ResendButton } from '#web/features/mailed-code/resend-button.tsx';
import { Problem } from '#web/features/site/problem.tsx';
import { t } from '#web/language/texts.ts';
import { useProfile } from '#web/platform/account/profile.ts';
import { hasErrorCode } from '#web/platform/api/api-error.ts';
import { request } from '#web/platform/api/request.ts';
import type { InputOf } from '#web/platform/api/request-types.ts';
import type { SignInOutcome } from '#web/platform/api/types.ts';
import { MESSAGES } from '#web/platform/forms/messages.ts';
import { explainFailure } from '#web/platform/forms/problems.ts';
import { useAction } from '#web/platform/forms/use-action.ts';
import { useForm } from '#web/platform/forms/use-form.ts';
import { isCanceled, requestPasskey } from '#web/platform/passkeys/passkeys.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { PasswordField } from '#web/ui/form/password-field.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { useFirstFocus } from './use-first-focus.ts';

type ProofProps = { onConfirmed: (token: string) => void };

/** The forms with which a customer can prove their identity, by method. */
export const PROOFS = {
  passkey: PasskeyProof,
  password: PasswordProof,
  authenticator: AuthenticatorProof,
  email_code: EmailCodeProof,
} as const;

function PasskeyProof({ onConfirmed }: ProofProps) {
  const button = useFirstFocus<HTMLButtonElement>();
  const proof = useAction(provePasskey, { onDone: confirmWith(onConfirmed), explain: explainProof });
  return (
    <Stack>
      {proof.failure !== null && (
        <Notice type={isCanceled(proof.failure) ? 'message' : 'alert'} role="alert">
          {isCanceled(proof.failure) ? t('No passkey was used. You can try again.') : proof.problem}
        </Notice>
      )}
      <Button
        ref={button}
        block
        size="large"
        icon="key"
        isPending={proof.isPending}
        pendingText={t('Waiting for your passkey…')}
        onClick={() => proof.run()}
      >
        {t('Use a passkey')}
      </Button>
    </Stack>
  );
}

function PasswordProof({ onConfirmed }: ProofProps) {
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
      <PasswordField {...form.input('password')} label={t('Password')} required />
      <Button type="submit" block isPending={form.isPending} pendingText={t('Checking…')}>
        {t('Confirm')}
      </Button>
    </Form>
  );
}

/** A code from the authenticator, or a recovery code. */
function AuthenticatorProof({ onConfirmed }: ProofProps) {
  const [usesRecovery, setUsesRecovery] = useState(false);
  return (
    <Stack>
      <CodeForm
        key={String(usesRecovery)}
        label={t(usesRecovery ? 'Recovery code' : 'Code from your authenticator')}
        hint={usesRecovery ? t('One of your ten, like ABCD-EFGH-IJKL-MNOP. Each works once.') : undefined}
        isRecoveryCode={usesRecovery}
        send={(code) => sendProof({ code })}
        onDone={confirmWith(onConfirmed)}
        onFailed={(failure) => ({ code: explainProof(failure) })}
      />
      <Button variant="quiet" block onClick={() => setUsesRecovery(!usesRecovery)}>
        {t(usesRecovery ? 'Use a code from your authenticator' : 'Use a recovery code')}
      </Button>
    </Stack>
  );
}

const RESEND_AFTER = 60;

function EmailCodeProof({ onConfirmed }: ProofProps) {
  const { customer } = useProfile();
  const [sent, setSent] = useState<{ temp: string; resendAt: number } | null>(null);
  const button = useFirstFocus<HTMLButtonElement>();
  const mail = useAction(() => sendProof({ send: 'email_code' }), {
    onDone: (outcome) => {
      if ('token' in outcome) return onConfirmed(outcome.token);
      const { temp, resendIn = RESEND_AFTER } = outcome;
      setSent({ temp, resendAt: Date.now() + resendIn * 1000 });
    },
    explain: explainProof,
  });
  return (
    <Stack>
      <Problem text={mail.problem} />
      {sent === null ? (
        <Button
          ref={button}
          block
          isPending={mail.isPending}
          pendingText={t('Sending…')}
          onClick={() => mail.run()}
        >
          {t('Send a code to {email}', { email: customer.email })}
        </Button>
      ) : (
        <>
          <output>{t('We sent a code to {email}.', { email: customer.email })}</output>
          <CodeForm
            key={sent.temp}
            label={t('Code from the email')}
            send={(code) => sendProof({ temp: sent.temp, code })}
            onDone={confirmWith(onConfirmed)}
            onFailed={(failure) => ({ code: explainProof(failure) })}
          />
          <ResendButton resend={mail} availableAt={sent.resendAt} />
        </>
      )}
    </Stack>
  );
}

async function provePasskey() {
  const { temp, response } = await requestPasskey();
  return sendProof({ temp, response });
}

/** Sends a proof of the customer's identity, or requests a mailed code. */
function sendProof(proof: InputOf<typeof reauthenticate>['body']) {
  return request(reauthenticate, { body: proof });
}

/** For `onDone`: renews the session. */
function confirmWith(onConfirmed: ProofProps['onConfirmed']) {
  return (outcome: SignInOutcome) => {
    if ('token' in outcome) onConfirmed(outcome.token);
  };
}

function explainProof(failure: Error): string {
  return hasErrorCode(failure, 'invalid_credentials')
    ? t('That password is not right.')
    : explainFailure(failure);
}
