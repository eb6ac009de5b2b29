import { useParams } from 'react-router';
import { fillPath, staffPages } from '#contract/paths.ts';
import { t } from '#web/language/texts.ts';
import { Permitted } from '../session/permitted.tsx';
import { AccountAsCustomer } from './account-as-customer.tsx';
import { AsCustomer } from './as-customer.tsx';
import { OrderAsCustomer } from './order-as-customer.tsx';

/** What a customer sees: an order, or the account if the address names none. */
export function AsCustomerScreen() {
  const { reference, id = '' } = useParams();
  const back =
    reference === undefined
      ? { to: fillPath(staffPages.customer, { id }), label: t('Back to the customer') }
      : { to: fillPath(staffPages.order, { reference }), label: t('Back to the order') };
  return (
    <Permitted permission="see_orders">
      <AsCustomer back={back}>
        {reference === undefined ? <AccountAsCustomer id={id} /> : <OrderAsCustomer reference={reference} />}
      </AsCustomer>
    </Permitted>
  );
}
