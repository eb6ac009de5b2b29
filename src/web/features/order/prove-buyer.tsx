import { type ReactNode, useId, useState } from 'react';
import { proveBuyer } from '#contract/orders/cancel/endpoints.ts';
import { t } from '#web/language/texts.ts';
import { errorText } from '#web/platform/api/api-error.ts';
import { request } from '#web/platform/api/request.ts';
import type { DataOf } from '#web/platform/api/request-types.ts';
import type { Order } from '#web/platform/api/types.ts';
import { Problem } from '#web/ui/feedback/notice.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { BuyerCodeForm, useBuyerCodeForm, useMailedCode } from './buyer-code.tsx';

type ProveBuyerProps = {
  order: Order;
  /** Why a code is needed, before it is mailed. */
  children: ReactNode;
  onProved: (buyer: DataOf<typeof proveBuyer>) => void;
};

/** A guest who comes back proves to be the buyer with a mailed code. */
export function ProveBuyer({ order, children, onProved }: ProveBuyerProps) {
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
    <Stack>
      {asksForCode ? (
        <BuyerCodeForm {...code} id={formId} form={form} />
      ) : (
        <>
          {children}
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
            pendingText={t('Checking…')}
          >
            {t('Continue')}
          </Button>
        ) : (
          <Button
            variant="secondary"
            needsConnection
            isPending={code.mail.isPending}
            pendingText={t('Sending…')}
            onClick={() => code.mail.run()}
          >
            {t('Email me a code')}
          </Button>
        )}
      </div>
    </Stack>
  );
}
