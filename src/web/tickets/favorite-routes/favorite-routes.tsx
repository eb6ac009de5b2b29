import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { listFavoriteRoutes } from '#contract/orders/history/endpoints.ts';
import { t } from '#web/language/texts.ts';
import { request } from '#web/platform/api/request.ts';
import type { Catalogue } from '#web/platform/api/types.ts';
import { canTravel, findPortName, type TripSearch } from '../trip/trip-search.ts';
import styles from './favorite-routes.module.css';

const SHOWN_UNCHECKED_MS = 5 * 60_000;

type FavoriteRoutesProps = {
  catalogue: Catalogue;
  trip: TripSearch;
  onChange: (fields: Partial<TripSearch>) => void;
  /** Shown until the routes are loaded, and if the customer has none. Its height stays. */
  children: ReactNode;
};

/** The journeys that the customer buys most, in the place of the operator's tagline. One press fills in both ports. */
export function FavoriteRoutes({ catalogue, trip, onChange, children }: FavoriteRoutesProps) {
  // Never saved on the device.
  const { data = [] } = useQuery({
    queryKey: ['favorite-routes'] as const,
    queryFn: ({ signal }) => request(listFavoriteRoutes, { signal }),
    staleTime: SHOWN_UNCHECKED_MS,
  });
  const served = data.filter(({ originPortId, destinationPortId }) =>
    canTravel(catalogue, originPortId, destinationPortId),
  );
  if (served.length === 0) return children;
  return (
    <div className={styles.place}>
      <div className={styles.tagline} aria-hidden="true">
        {children}
      </div>
      <ul className={styles.routes} aria-label={t('Your usual routes')}>
        {served.map(({ originPortId: from, destinationPortId: to }) => (
          <li key={`${from} ${to}`}>
            <button
              type="button"
              className={styles.route}
              aria-pressed={trip.from === from && trip.to === to}
              onClick={() => onChange({ from, to })}
            >
              {t('{from} → {to}', { from: findPortName(catalogue, from), to: findPortName(catalogue, to) })}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
