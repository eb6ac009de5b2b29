import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { changeEmail } from '#contract/accounts/endpoints.ts';
import { profileStore } from '#web/platform/account/profile.ts';
import { request } from '#web/platform/api/request.ts';
import type { Customer } from '#web/platform/api/types.ts';
import { useBusyWhile } from '#web/platform/updates/busy.ts';
import { findDraft, usePersistedDraft } from '#web/platform/updates/drafts.ts';
import { Button } from '#web/ui/form/button.tsx';
import { EmailField } from '#web/ui/form/field.tsx';
import { Cluster, Stack } from '#web/ui/layout/stack.tsx';
import { isEmail, type Problems, problemsOf } from '../forms/problems.ts';
import { ProblemList, useProblems } from '../forms/use-problems.tsx';
import { StepUpCancelled } from '../step-up/step-up.ts';
import { useFirstFocus } from '../step-up/use-first-focus.ts';
import { useStepUp } from '../step-up/use-step-up.ts';
import { RESEND_AFTER_MS } from './pending-email.tsx';

/** Under this name what is typed is kept over a reload. */
export const CHANGE_EMAIL_DRAFT = 'change-email';

type ChangeEmailFormProps = {
  customer: Customer;
  /** A link is on its way; another may be asked for from the given time on. */
  onDone: (resendAt: number) => void;
  onCancel: () => void;
};

export function ChangeEmailForm({ customer, onDone, onCancel }: ChangeEmailFormProps) {
  const stepUp = useStepUp();
  const field = useFirstFocus<HTMLInputElement>();
  const [address, setAddress] = useState(() => findDraft(CHANGE_EMAIL_DRAFT)?.address ?? '');
  const { problems, errors, show, fieldProps } = useProblems(FIELDS);
  useBusyWhile(address !== '', 'a new address being typed');
  usePersistedDraft(CHANGE_EMAIL_DRAFT, () => (address === '' ? null : { address }));
  const send = useMutation({
    mutationFn: (to: string) => stepUp.run(() => request(changeEmail, { body: { newEmail: to } })),
  });

  function handleSubmit(event: FormEvent) {
    event.preventDefault();
    const to = address.trim();
    if (send.isPending || !show(check(to, customer.email))) return;
    send.mutate(to, {
      onSuccess: (changed) => {
        profileStore.set((profile) => ({ ...profile, customer: changed }));
        onDone(Date.now() + RESEND_AFTER_MS);
      },
      onError: (failure) => {
        if (!(failure instanceof StepUpCancelled)) show(problemsOf(failure, FIELDS));
      },
    });
  }

  return (
    <form noValidate onSubmit={handleSubmit}>
      <Stack>
        <ProblemList title="Your email was not changed" errors={errors} form={problems.form} />
        <EmailField
          {...fieldProps('new_email')}
          ref={field}
          label="New email"
          hint="We’ll email a link to this address. Your email changes when you open it."
          required
          maxLength={254}
          value={address}
          onChange={(event) => setAddress(event.target.value)}
        />
        <Cluster>
          <Button type="submit" isPending={send.isPending} pendingText="Sending…">
            Send the link
          </Button>
          <Button variant="quiet" onClick={onCancel}>
            Cancel
          </Button>
        </Cluster>
      </Stack>
    </form>
  );
}

const FIELDS = ['new_email'] as const;

function check(address: string, current: string): Problems<'new_email'> {
  if (!isEmail(address)) return { new_email: 'Enter an email address, like name@example.com.' };
  if (address.toLowerCase() === current.toLowerCase()) return { new_email: 'This is already your address.' };
  return {};
}
