import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { EmailSchema } from '#contract/common.ts';
import { lookUpOrder } from '#contract/tickets/endpoints.ts';
import { errorText } from '#web/platform/api/api-error.ts';
import { request } from '#web/platform/api/request.ts';
import { useBusyWhile } from '#web/platform/updates/busy.ts';
import { findDraft, usePersistedDraft } from '#web/platform/updates/drafts.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { ErrorSummary, type FieldError } from '#web/ui/form/error-summary.tsx';
import { EmailField, TextField } from '#web/ui/form/field.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { problemOf } from '../trip/trip-problems.ts';

const REFERENCE = 'find-reference';
const EMAIL = 'find-email';
const DRAFT = 'find-tickets';

export function FindTicketsForm() {
  const [reference, setReference] = useState(() => findDraft(DRAFT)?.reference ?? '');
  const [email, setEmail] = useState(() => findDraft(DRAFT)?.email ?? '');
  const [problems, setProblems] = useState<FieldError[]>([]);
  const isTyped = reference + email !== '';
  useBusyWhile(isTyped, 'an order being looked for', 'light');
  usePersistedDraft(DRAFT, () => (isTyped ? { reference, email } : null));
  const lookup = useMutation({
    mutationFn: () =>
      request(lookUpOrder, { body: { reference: reference.trim().toUpperCase(), email: email.trim() } }),
  });

  function submit(event: FormEvent) {
    event.preventDefault();
    const found = findProblems(reference, email);
    setProblems(found);
    if (found.length === 0) lookup.mutate();
  }

  return (
    <form noValidate onSubmit={submit}>
      <Stack>
        <ErrorSummary errors={problems} />
        {lookup.isSuccess && (
          <Notice type="success" role="status" title="Check your email">
            If the reference and email match an order, we sent you a link to your tickets. It can take a
            minute. Check your spam folder too.
          </Notice>
        )}
        {lookup.isError && (
          <Notice type="alert" role="alert">
            {errorText(lookup.error)}
          </Notice>
        )}
        <TextField
          id={REFERENCE}
          label="Order reference"
          hint="It is in the subject of our email."
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          value={reference}
          error={problemOf(problems, REFERENCE)}
          onChange={(event) => setReference(event.target.value)}
        />
        <EmailField
          id={EMAIL}
          label="Email used for the order"
          value={email}
          error={problemOf(problems, EMAIL)}
          onChange={(event) => setEmail(event.target.value)}
        />
        <Button type="submit" variant="secondary" icon="mail" isPending={lookup.isPending}>
          Email me the link
        </Button>
      </Stack>
    </form>
  );
}

function findProblems(reference: string, email: string): FieldError[] {
  const problems: FieldError[] = [];
  const length = reference.trim().length;
  if (length < 4 || length > 16) {
    problems.push({ fieldId: REFERENCE, message: 'Enter the reference from our email, like K7M4-QXPA.' });
  }
  if (!EmailSchema.safeParse(email).success) {
    problems.push({ fieldId: EMAIL, message: 'Enter an email address, like name@example.com.' });
  }
  return problems;
}
