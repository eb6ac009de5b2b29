import { useState } from 'react';
import { revokeShare, shareTripCard } from '#contract/trip-cards/endpoints.ts';
import { request } from '#web/platform/api/request.ts';

import type { ShareRole, TripCard, TripCardShare } from '#web/platform/api/types.ts';
import { isEmail, MESSAGES } from '#web/platform/forms/messages.ts';
import type { Problems } from '#web/platform/forms/problems.ts';
import { notify } from '#web/platform/notifications/notifications.ts';
import { Problem } from '#web/portal/parts/problem.tsx';
import { RowList } from '#web/portal/parts/row-list.tsx';
import { useFirstFocus } from '#web/portal/step-up/use-first-focus.ts';
import { formatMoney } from '#web/ui/data/money.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { EmailField, TextField } from '#web/ui/form/field.tsx';
import { RadioCards } from '#web/ui/form/radio-cards.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { parseAmount } from '../amounts.ts';
import { cardTitle, ROLE_LABELS } from '../labels.ts';
import { useCardAction } from '../use-card-action.ts';
import { FormDialog } from './form-dialog.tsx';
import { useFormAction } from './use-form-action.ts';

export function ShareDialog({ card, onClose }: { card: TripCard; onClose: () => void }) {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<ShareRole>('spend');
  const [limit, setLimit] = useState('');
  const hasLimit = role !== 'top_up' && limit.trim() !== '';
  const first = useFirstFocus<HTMLInputElement>();
  const form = useFormAction({
    fields: FIELDS,
    act: (share: ShareInput, key) =>
      request(shareTripCard, { params: { id: card.id }, body: share, idempotencyKey: key }),
    onDone: (share) => {
      notify(`${cardTitle(card)} is shared with ${share.email}.`, { type: 'success' });
      setEmail('');
      setLimit('');
    },
  });
  return (
    <FormDialog
      title={`Share ${cardTitle(card)}`}
      submit="Share"
      pendingText="Sharing…"
      isPending={form.isPending}
      problemTitle="The card was not shared"
      errors={form.errors}
      formProblem={form.formProblem}
      onSubmit={() =>
        form.submit(check({ email, limit: hasLimit ? limit : null, currency: card.currency }), () => ({
          email: email.trim(),
          role,
          dailyLimit: hasLimit ? parseAmount(limit, card.currency) : null,
        }))
      }
      onClose={onClose}
    >
      {card.sharedWith.length > 0 && <SharedWith card={card} />}
      <EmailField
        {...form.fieldProps('email')}
        ref={first}
        label="Their email"
        hint="They’ll see the card when they sign in with this email."
        autoComplete="off"
        maxLength={254}
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <RadioCards
        {...form.fieldProps('role')}
        legend="They may"
        value={role}
        onChange={setRole}
        options={ROLES.map((value) => ({ value, label: ROLE_LABELS[value] }))}
      />
      {role !== 'top_up' && (
        <TextField
          {...form.fieldProps('daily_limit')}
          label={`Their daily limit (${card.currency})`}
          isOptional
          inputMode="decimal"
          autoComplete="off"
          maxLength={12}
          value={limit}
          onChange={(event) => setLimit(event.target.value)}
        />
      )}
    </FormDialog>
  );
}

function SharedWith({ card }: { card: TripCard }) {
  const revoke = useCardAction(
    ({ id }: TripCardShare) => request(revokeShare, { params: { id: card.id, share_id: id } }),
    {
      onDone: (_, { email }) =>
        notify(`${cardTitle(card)} is no longer shared with ${email}.`, { type: 'success' }),
    },
  );
  return (
    <Stack gap="sm">
      <Problem text={revoke.problem} />
      <RowList
        label="Shared with"
        rows={card.sharedWith.map((share) => ({
          id: share.id,
          title: share.email,
          facts: factsOf(share, card.currency),
          action: (
            <Button
              size="small"
              variant="secondary"
              aria-label={`Stop sharing with ${share.email}`}
              isPending={revoke.input?.id === share.id}
              onClick={() => revoke.run(share)}
            >
              Stop sharing
            </Button>
          ),
        }))}
      />
    </Stack>
  );
}

type ShareInput = { email: string; role: ShareRole; dailyLimit: number | null };

const FIELDS = ['email', 'role', 'daily_limit'] as const;
const ROLES: readonly ShareRole[] = ['spend', 'spend_and_view', 'top_up'];

type Written = { email: string; limit: string | null; currency: string };

function check({ email, limit, currency }: Written): Problems<'email' | 'daily_limit'> {
  const problems: Problems<'email' | 'daily_limit'> = {};
  if (!isEmail(email.trim())) problems.email = MESSAGES.email;
  if (limit !== null && !parseAmount(limit, currency)) {
    problems.daily_limit = 'Enter an amount, like 20.00, or leave it empty.';
  }
  return problems;
}

function factsOf({ role, dailyLimit, status }: TripCardShare, currency: string): string {
  const facts = [ROLE_LABELS[role]];
  if (dailyLimit !== null) facts.push(`${formatMoney(dailyLimit, currency)} a day at most`);
  if (status === 'invited') facts.push('not opened yet');
  return facts.join(', ');
}
