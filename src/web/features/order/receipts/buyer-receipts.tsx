import { useState } from 'react';
import { issueReceipts } from '#contract/receipts/endpoints.ts';
import { EmailAddress } from '#web/features/site/email-address.tsx';
import { rich } from '#web/language/rich.ts';
import { t } from '#web/language/texts.ts';
import { request } from '#web/platform/api/request.ts';
import type { Order } from '#web/platform/api/types.ts';
import { buyerProof } from '../buyer-proof.ts';
import { ProveBuyer } from '../prove-buyer.tsx';
import { Receipts } from './receipts.tsx';

type BuyerReceiptsProps = {
  order: Order;
  /** Of a guest's order, in the tab that bought it. */
  buyerSecret: string | null;
};

/** The receipts of an order. Only the buyer gets them, because they may name a company. */
export function BuyerReceipts({ order, buyerSecret }: BuyerReceiptsProps) {
  const [proved, setProved] = useState(buyerSecret);
  if (order.needsProof === 'sign_in') return <p>{t('Sign in to get a receipt.')}</p>;
  if (order.needsProof === 'code' && proved === null) {
    const { email } = order.contact;
    return (
      <ProveBuyer order={order} onProved={(buyer) => setProved(buyer.buyerSecret)}>
        <p>
          {rich('Only the buyer gets a receipt, so we email a code to <address>{email}</address>.', {
            email,
            address: () => <EmailAddress>{email}</EmailAddress>,
          })}
        </p>
      </ProveBuyer>
    );
  }
  return (
    <Receipts
      issue={(recipient) =>
        request(issueReceipts, {
          params: { id: order.id },
          body: { recipient, ...buyerProof(proved) },
        })
      }
    />
  );
}
