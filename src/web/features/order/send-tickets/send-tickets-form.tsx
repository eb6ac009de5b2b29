import { EMAIL_LENGTH, PERSON_NAME_LENGTH } from '#contract/limits.ts';
import { shareTickets } from '#contract/orders/ticket-shares/endpoints.ts';
import { DIRECTIONS, type Direction, getDirection } from '#domain/orders/legs.ts';
import { t } from '#web/language/texts.ts';
import type { CreatedTicketShare, Order } from '#web/platform/api/types.ts';
import { isEmail, MESSAGES } from '#web/platform/forms/messages.ts';
import { useForm } from '#web/platform/forms/use-form.ts';
import { useRequestOnce } from '#web/platform/idempotency/use-request-once.ts';
import { serverNow } from '#web/platform/server-clock.ts';
import { Button } from '#web/ui/form/button.tsx';
import { EmailField, TextField } from '#web/ui/form/field.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { CheckboxGroup } from './checkbox-group.tsx';
import { listSendable } from './list-sendable.ts';
import { listHolders, listJourneys } from './ticket-choice.ts';

/** A link just created, and the address as it was typed. */
export type Sent = { share: CreatedTicketShare; email: string };

type Values = { holders: readonly string[]; journeys: readonly Direction[]; name: string; email: string };

type SendTicketsFormProps = {
  order: Order;
  /** Whether nothing was sent since the form was opened. */
  isFirst: boolean;
  onSent: (sent: Sent) => void;
};

export function SendTicketsForm({ order, isFirst, onSent }: SendTicketsFormProps) {
  const requestOnce = useRequestOnce();
  const sendable = listSendable(order, serverNow());
  const holders = listHolders(sendable);
  const journeys = listJourneys(sendable, order);
  const [only] = holders;
  const initial: Values = {
    holders: only && holders.length === 1 ? [only.key] : [],
    journeys: DIRECTIONS,
    name: '',
    email: '',
  };
  const form = useForm({
    initial,
    check: ({ holders: chosen, journeys: chosenJourneys, email }) => ({
      ...(chosen.length === 0 && { holders: t('Choose whose tickets to send.') }),
      ...(chosenJourneys.length === 0 && { journeys: t('Choose at least one way.') }),
      ...(email.trim() !== '' && !isEmail(email) && { email: MESSAGES.email }),
    }),
    send: ({ name, email, ...chosen }) => {
      const body = {
        ticketIds: chooseTickets(chosen),
        ...(name.trim() && { name: name.trim() }),
        ...(email.trim() && { email: email.trim() }),
      };
      return requestOnce(shareTickets, { params: { id: order.id }, body });
    },
    onDone: (share, { email }) => {
      form.change(initial);
      onSent({ share, email: email.trim() });
    },
    busyReason: 'a ticket being sent',
  });

  function chooseTickets(chosen: Pick<Values, 'holders' | 'journeys'>): string[] {
    return holders
      .filter(({ key }) => chosen.holders.includes(key))
      .flatMap(({ tickets }) => tickets)
      .filter((ticket) => journeys.length === 0 || chosen.journeys.includes(getDirection(ticket.leg)))
      .map(({ id }) => id);
  }

  const isMailed = form.values.email.trim() !== '';
  return (
    <Form form={form}>
      {holders.length > 1 && (
        <CheckboxGroup
          {...form.field('holders')}
          legend={t(isFirst ? 'Whose tickets' : 'Whose tickets to send next')}
          options={holders.map(({ key, label }) => ({ value: key, label }))}
          chosen={form.values.holders}
          onChange={(chosen) => form.change({ holders: chosen })}
        />
      )}
      {journeys.length > 0 && (
        <CheckboxGroup
          {...form.field('journeys')}
          // Translators: for which journeys, such as “Outbound” and “Return”.
          legend={t('For')}
          options={journeys.map(({ direction, label }) => ({ value: direction, label }))}
          chosen={form.values.journeys}
          onChange={(chosen) => form.change({ journeys: chosen })}
        />
      )}
      <TextField
        {...form.input('name')}
        label={t('Their name')}
        isOptional
        hint={t('So that you know whom you sent it to.')}
        autoComplete="off"
        autoCapitalize="words"
        spellCheck={false}
        dir="auto"
        maxLength={PERSON_NAME_LENGTH}
      />
      <EmailField
        {...form.input('email')}
        label={t('Their email')}
        isOptional
        hint={t('We mail them the link. Leave it empty to send the link yourself.')}
        autoComplete="off"
        maxLength={EMAIL_LENGTH}
      />
      <Button
        type="submit"
        variant="secondary"
        needsConnection
        isPending={form.isPending}
        pendingText={t(isMailed ? 'Sending…' : 'Creating…')}
      >
        {t(isMailed ? 'Send by email' : 'Create a link')}
      </Button>
    </Form>
  );
}
