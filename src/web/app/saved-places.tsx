import { useQueryClient } from '@tanstack/react-query';
import { portalPages } from '#contract/paths.ts';
import { pageConfig } from '#web/platform/page-config.ts';
import { ButtonLink } from '#web/ui/button.tsx';

/** Where there is something to read without a connection, for who stands before a screen that has nothing. */
export function SavedPlaces() {
  const client = useQueryClient();
  if (pageConfig().host !== 'portal') return null;
  const places = PLACES.filter(({ queryKey }) =>
    client
      .getQueryCache()
      .findAll({ queryKey })
      .some(({ state }) => state.data !== undefined),
  );
  if (places.length === 0) return null;
  return places.map(({ to, label }) => (
    <ButtonLink key={to} to={to} variant="secondary">
      {label}
    </ButtonLink>
  ));
}

/** Keys as the screens write them: their bundles need not be here for it. */
export const PLACES = [
  { to: portalPages.orders, label: 'See saved orders', queryKey: ['customer-orders', 'upcoming', ''] },
  { to: portalPages.tripCards, label: 'See saved trip cards', queryKey: ['trip-cards', 'list'] },
];
