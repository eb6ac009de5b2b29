import { Link } from 'react-router';
import { fillPath, portalPages } from '#contract/paths.ts';
import type { TripCard } from '#web/platform/api/types.ts';
import { Cluster } from '#web/ui/layout/stack.tsx';
import { cardTitle } from './words.ts';

/** Where the history of a card is. */
export function CardLinks({ card }: { card: Pick<TripCard, 'id' | 'name' | 'lastFour'> }) {
  return (
    <Cluster gap="md">
      <Link to={fillPath(portalPages.tripCardBalance, { id: card.id })}>
        Balance history<span className="visually-hidden"> of {cardTitle(card)}</span>
      </Link>
      <Link to={fillPath(portalPages.tripCardTopUps, { id: card.id })}>
        Top-ups<span className="visually-hidden"> of {cardTitle(card)}</span>
      </Link>
    </Cluster>
  );
}
