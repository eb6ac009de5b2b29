import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { ButtonLink } from '#web/ui/form/button.tsx';
import { type OrdersSearch, ordersPath } from './orders-search.ts';

const ALL = { view: 'all', reference: '', order: null } as const;

/** Of the part of the screen that this stands in. */
export const RESULTS_ID = 'order-results';

/** There are orders, only none of these. */
export function NoneFound({ search, hasNextTrip }: { search: OrdersSearch; hasNextTrip: boolean }) {
  const { view, reference } = search;
  if (reference !== '') {
    const elsewhere = view === 'all' ? ALL : { ...search, view: 'all' as const };
    return (
      <EmptyState
        title={`No order matches “${reference}”`}
        action={
          <ButtonLink
            variant="secondary"
            to={ordersPath(elsewhere)}
            preventScrollReset
            onClick={focusResults}
          >
            {view === 'all' ? 'Show all orders' : 'Look in all orders'}
          </ButtonLink>
        }
      >
        A reference has eight letters and numbers, such as K7M4-QXPA.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title={titleOf(search, hasNextTrip)}
      action={
        <ButtonLink variant="secondary" to={ordersPath(ALL)} preventScrollReset onClick={focusResults}>
          Show all orders
        </ButtonLink>
      }
    >
      {view === 'past'
        ? 'Trips you’ve taken will appear here.'
        : 'Tickets you buy with this email address will appear here.'}
    </EmptyState>
  );
}

function titleOf({ view }: OrdersSearch, hasNextTrip: boolean): string {
  if (view === 'past') return 'No past trips';
  return hasNextTrip ? 'No other upcoming trips' : 'No upcoming trips';
}

/** The link goes with this message; the focus must not go with it. */
function focusResults(): void {
  document.getElementById(RESULTS_ID)?.focus({ preventScroll: true });
}
