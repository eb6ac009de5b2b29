import { useState } from 'react';
import { EMAIL_LENGTH, PERSON_NAME_LENGTH } from '#contract/limits.ts';
import { shareTickets } from '#contract/orders/ticket-shares/endpoints.ts';
import { getWay, WAYS, type Way } from '#domain/orders/legs.ts';
import { request } from '#web/platform/api/request.ts';
import type { CreatedTicketShare, Order } from '#web/platform/api/types.ts';
import { isEmail, MESSAGES } from '#web/platform/forms/messages.ts';
import { useForm } from '#web/platform/forms/use-form.ts';
import { createIdempotentWrites } from '#web/platform/idempotency/idempotent-writes.ts';
import { serverNow } from '#web/platform/server-clock.ts';
import { Button } from '#web/ui/form/button.tsx';
import { EmailField, TextField } from '#web/ui/form/field.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { CheckboxGroup } from './checkbox-group.tsx';
import { listSendable } from './list-sendable.ts';
import { listHolders, listWays } from './ticket-choice.ts';

/** A link just created, and the address as it was typed. */
export type Sent = { share: CreatedTicketShare; email: string };

type Values = { holders: readonly string[]; ways: readonly Way[]; name: string; email: string };

type SendTicketsFormProps = {
  order: Order;
  /** Whether nothing was sent since the form was opened. */
  isFirst: boolean;
  onSent: (sent: Sent) => void;
};

export function SendTicketsForm({ order, isFirst, onSent }: SendTicketsFormProps) {
  const [writes] = useState(createIdempotentWrites);
  const sendable = listSendable(order, serverNow());
  const holders = listHolders(sendable);
  const ways = listWays(sendable, order);
  const [only] = holders;
  const initial: Values = {
    holders: only && holders.length === 1 ? [only.key] : [],
    ways: WAYS,
    name: '',
    email: '',
  };
  const form = useForm({
    initial,
    check: ({ holders: chosen, ways: chosenWays, email }) => ({
      ...(chosen.length === 0 && { holders: 'Choose whose tickets to send.' }),
      ...(chosenWays.length === 0 && { ways: 'Choose at least one way.' }),
      ...(email.trim() !== '' && !isEmail(email) && { email: MESSAGES.email }),
    }),
    send: ({ name, email, ...chosen }) => {
      const body = {
        ticketIds: chooseTickets(chosen),
        ...(name.trim() && { name: name.trim() }),
        ...(email.trim() && { email: email.trim() }),
      };
      return writes.run(JSON.stringify(body), (idempotencyKey) =>
        request(shareTickets, { params: { id: order.id }, body, idempotencyKey }),
      );
    },
    onDone: (share, { email }) => {
      form.change(initial);
      onSent({ share, email: email.trim() });
    },
    busyReason: 'a ticket being sent',
  });

  function chooseTickets(chosen: Pick<Values, 'holders' | 'ways'>): string[] {
    return holders
      .filter(({ key }) => chosen.holders.includes(key))
      .flatMap(({ tickets }) => tickets)
      .filter((ticket) => ways.length === 0 || chosen.ways.includes(getWay(ticket.leg)))
      .map(({ id }) => id);
  }

  const isMailed = form.values.email.trim() !== '';
  return (
    <Form form={form}>
      {holders.length > 1 && (
        <CheckboxGroup
          {...form.field('holders')}
          legend={isFirst ? 'Whose tickets' : 'Whose tickets to send next'}
          options={holders.map(({ key, label }) => ({ value: key, label }))}
          chosen={form.values.holders}
          onChange={(chosen) => form.change({ holders: chosen })}
        />
      )}
      {ways.length > 0 && (
        <CheckboxGroup
          {...form.field('ways')}
          legend="For"
          options={ways.map(({ way, label }) => ({ value: way, label }))}
          chosen={form.values.ways}
          onChange={(chosen) => form.change({ ways: chosen })}
        />
      )}
      <TextField
        {...form.input('name')}
        label="Their name"
        isOptional
        hint="So that you know whom you sent it to."
        autoComplete="off"
        autoCapitalize="words"
        spellCheck={false}
        dir="auto"
        maxLength={PERSON_NAME_LENGTH}
      />
      <EmailField
        {...form.input('email')}
        label="Their email"
        isOptional
        hint="We mail them the link. Leave it empty to send the link yourself."
        autoComplete="off"
        maxLength={EMAIL_LENGTH}
      />
      <Button
        type="submit"
        variant="secondary"
        needsConnection
        isPending={form.isPending}
        pendingText={isMailed ? 'Sending…' : 'Creating…'}
      >
        {isMailed ? 'Send by email' : 'Create a link'}
      </Button>
    </Form>
  );
}
