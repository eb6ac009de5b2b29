import { useQueryClient } from '@tanstack/react-query';
import { EMAIL_LENGTH } from '#contract/limits.ts';
import { changeOrder } from '#contract/orders/endpoints.ts';
import { resendTickets } from '#contract/orders/tickets/endpoints.ts';
import type { TravelerAssistance } from '#domain/orders/assistance.ts';
import { buyerProof } from '#web/features/order/buyer-proof.ts';
import { ContactWays, useCanReach } from '#web/features/site/contact-ways.tsx';
import { rich } from '#web/language/rich.ts';
import { t } from '#web/language/texts.ts';
import { request } from '#web/platform/api/request.ts';
import type { Contact, Order } from '#web/platform/api/types.ts';
import { isEmail, MESSAGES } from '#web/platform/forms/messages.ts';
import { useForm } from '#web/platform/forms/use-form.ts';
import { orderQuery } from '#web/platform/query/queries.ts';
import { Button } from '#web/ui/form/button.tsx';
import { EmailField } from '#web/ui/form/field.tsx';
import { Form } from '#web/ui/form/form.tsx';

export type WrongAddressProps = {
  order: Order;
  /** Null for other readers, for whom the order's address may be masked. */
  own: OwnPurchase | null;
  onCorrected: (contact: Contact) => void;
};

/** What only the buyer of an order knows: the tab that bought it, or one in which a mailed code was typed. */
export type OwnPurchase = {
  contact: Contact;
  assistance: TravelerAssistance[];
  /** Null for the order of a customer. */
  buyerSecret: string | null;
};

/** The buyer corrects the address. Other visitors are told whom to ask. */
export function WrongAddress({ own, ...props }: WrongAddressProps) {
  const canReach = useCanReach();
  if (own !== null) return <CorrectAddress own={own} {...props} />;
  return (
    <p>
      {rich(
        canReach
          ? 'Your tickets are also on this page. <contact></contact>, and give your order reference, <number>{reference}</number>.'
          : 'Your tickets are also on this page. Ask at the ticket booth, and give your order reference, <number>{reference}</number>.',
        {
          contact: () => <ContactWays isSentence />,
          reference: props.order.reference,
          number: (reference) => <strong translate="no">{reference}</strong>,
        },
      )}
    </p>
  );
}

type CorrectAddressProps = { order: Order; own: OwnPurchase; onCorrected: (contact: Contact) => void };

function CorrectAddress({ order, own: { contact, buyerSecret }, onCorrected }: CorrectAddressProps) {
  const client = useQueryClient();
  const form = useForm({
    initial: { 'contact.email': contact.email },
    check: (values) => (isEmail(values['contact.email']) ? {} : { 'contact.email': MESSAGES.email }),
    send: async (values) => {
      const corrected = { ...contact, email: values['contact.email'].trim() };
      const params = { id: order.id };
      const changed = await request(changeOrder, {
        params,
        body: { contact: corrected, ...buyerProof(buyerSecret) },
      });
      client.setQueryData(orderQuery(order.id).queryKey, changed);
      await request(resendTickets, { params, idempotencyKey: crypto.randomUUID() });
      return corrected;
    },
    onDone: onCorrected,
  });
  return (
    <Form form={form}>
      <EmailField {...form.input('contact.email')} label={t('Email')} required maxLength={EMAIL_LENGTH} />
      <Button
        type="submit"
        variant="secondary"
        needsConnection
        isPending={form.isPending}
        pendingText={t('Sending…')}
      >
        {t('Send tickets to this address')}
      </Button>
    </Form>
  );
}
