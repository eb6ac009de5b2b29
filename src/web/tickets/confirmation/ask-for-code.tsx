import { useId, useState } from 'react';
import { proveBuyer } from '#contract/orders/cancel/endpoints.ts';
import { BuyerCodeForm, useBuyerCodeForm, useMailedCode } from '#web/features/order/buyer-code.tsx';
import { canChangeTravelers } from '#web/features/order/traveler-names/travelers.ts';
import { EmailAddress } from '#web/features/site/email-address.tsx';
import { errorText } from '#web/platform/api/api-error.ts';
import { request } from '#web/platform/api/request.ts';
import type { Order } from '#web/platform/api/types.ts';
import { Problem } from '#web/ui/feedback/notice.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Disclosure } from '#web/ui/layout/disclosure.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import type { OwnPurchase } from './wrong-address.tsx';

type AskForCodeProps = { order: Order; onProved: (own: OwnPurchase) => void };

/** A guest who comes back types a mailed code before names and assistance can be changed. */
export function AskForCode(props: AskForCodeProps) {
  return canChangeTravelers(props.order, Date.now()) ? <Steps {...props} /> : null;
}

function Steps({ order, onProved }: AskForCodeProps) {
  const formId = useId();
  const [asksForCode, setAsksForCode] = useState(false);
  const code = useMailedCode(order.id, () => setAsksForCode(true));
  const form = useBuyerCodeForm({
    mailed: code.mailed,
    send: (proof) => request(proveBuyer, { params: { id: order.id }, body: { proof } }),
    onDone: onProved,
    explain: errorText,
  });
  return (
    <Disclosure summary="Add names or ask for assistance" data-no-print="">
      <Stack>
        {asksForCode ? (
          <BuyerCodeForm {...code} id={formId} form={form} />
        ) : (
          <>
            <p>
              Only the buyer can change the order, so we email a code to{' '}
              <EmailAddress>{order.contact.email}</EmailAddress>.
            </p>
            <Problem text={code.mail.problem} />
          </>
        )}
        <div>
          {asksForCode ? (
            <Button
              type="submit"
              form={formId}
              variant="secondary"
              needsConnection
              isPending={form.isPending}
              pendingText="Checking…"
            >
              Continue
            </Button>
          ) : (
            <Button
              variant="secondary"
              needsConnection
              isPending={code.mail.isPending}
              pendingText="Sending…"
              onClick={() => code.mail.run()}
            >
              Email me a code
            </Button>
          )}
        </div>
      </Stack>
    </Disclosure>
  );
}
