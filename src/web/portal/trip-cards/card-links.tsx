import { Link } from 'react-router';
import { fillPath, portalPages } from '#contract/paths.ts';
import type { TripCard } from '#web/platform/api/types.ts';
import { Cluster } from '#web/ui/stack.tsx';

/** Where the history of a card is. */
export function CardLinks({ card: { id, name } }: { card: Pick<TripCard, 'id' | 'name'> }) {
  return (
    <Cluster gap="md">
      <Link to={fillPath(portalPages.tripCardBalance, { id })}>
        Balance history<span className="visually-hidden"> of {name}</span>
      </Link>
      <Link to={fillPath(portalPages.tripCardTopUps, { id })}>
        Top-ups<span className="visually-hidden"> of {name}</span>
      </Link>
    </Cluster>
  );
}
