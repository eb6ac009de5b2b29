import { ProveBuyer } from '#web/features/order/prove-buyer.tsx';
import { canChangeTravelers } from '#web/features/order/traveler-names/travelers.ts';
import { EmailAddress } from '#web/features/site/email-address.tsx';
import { rich } from '#web/language/rich.ts';
import { t } from '#web/language/texts.ts';
import type { Order } from '#web/platform/api/types.ts';
import { Disclosure } from '#web/ui/layout/disclosure.tsx';
import type { OwnPurchase } from './wrong-address.tsx';

type AskForCodeProps = { order: Order; onProved: (own: OwnPurchase) => void };

/** A guest who comes back types a mailed code before names and assistance can be changed. */
export function AskForCode({ order, onProved }: AskForCodeProps) {
  if (!canChangeTravelers(order, Date.now())) return null;
  const { email } = order.contact;
  return (
    <Disclosure icon="ticket" summary={t('Add names or ask for assistance')} data-no-print="">
      <ProveBuyer order={order} onProved={onProved}>
        <p>
          {rich('Only the buyer can change the order, so we email a code to <address>{email}</address>.', {
            email,
            address: () => <EmailAddress>{email}</EmailAddress>,
          })}
        </p>
      </ProveBuyer>
    </Disclosure>
  );
}
