import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { changeOrder } from '#contract/orders/endpoints.ts';
import { resendTickets } from '#contract/tickets/endpoints.ts';
import { ContactWays, useCanReach } from '#web/features/site/contact-ways.tsx';
import { errorText } from '#web/platform/api/api-error.ts';
import { request } from '#web/platform/api/request.ts';

import type { Contact, Order } from '#web/platform/api/types.ts';
import { orderQuery } from '#web/platform/query/queries.ts';
import { Button } from '#web/ui/form/button.tsx';
import { EmailField } from '#web/ui/form/field.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import type { SentToProps } from './sent-to.tsx';

/** Corrects the address for the buyer, and tells anyone else whom to ask. */
export function WrongAddress({ order, contact, onCorrected }: SentToProps) {
  return contact === null ? (
    <AskTheOffice reference={order.reference} />
  ) : (
    <CorrectAddress order={order} contact={contact} onCorrected={onCorrected} />
  );
}

function AskTheOffice({ reference }: { reference: string }) {
  const canReach = useCanReach();
  return (
    <p>
      Your tickets are also on this page. {canReach ? <ContactWays isSentence /> : 'Ask at the ticket booth'},
      and give your order number, <strong>{reference}</strong>.
    </p>
  );
}

type CorrectAddressProps = {
  order: Order;
  contact: Contact;
  onCorrected: (contact: Contact) => void;
};

function CorrectAddress({ order, contact, onCorrected }: CorrectAddressProps) {
  const client = useQueryClient();
  const [email, setEmail] = useState(contact.email);
  const [isInvalid, setIsInvalid] = useState(false);
  const correction = useMutation({
    mutationFn: async (corrected: Contact) => {
      const changed = await request(changeOrder, { params: { id: order.id }, body: { contact: corrected } });
      client.setQueryData(orderQuery(order.id).queryKey, changed);
      await request(resendTickets, { params: { id: order.id }, idempotencyKey: crypto.randomUUID() });
    },
    onSuccess: (_, corrected) => onCorrected(corrected),
  });
  const problem = isInvalid ? 'Enter an email address, like name@example.com.' : null;

  function handleSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const isValid = event.currentTarget.checkValidity();
    setIsInvalid(!isValid);
    if (isValid && !correction.isPending) correction.mutate({ ...contact, email: email.trim() });
  }

  return (
    <form noValidate onSubmit={handleSubmit}>
      <Stack gap="sm">
        <EmailField
          label="Email"
          required
          maxLength={254}
          value={email}
          error={problem ?? (correction.isError ? errorText(correction.error) : null)}
          onChange={(event) => setEmail(event.target.value)}
        />
        <div>
          <Button
            type="submit"
            variant="secondary"
            needsConnection
            isPending={correction.isPending}
            pendingText="Sending…"
          >
            Send tickets to this address
          </Button>
        </div>
      </Stack>
    </form>
  );
}
