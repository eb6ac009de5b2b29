import { useId } from 'react';
import type { TripCard } from '#web/platform/api/types.ts';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { Cluster, Stack } from '#web/ui/layout/stack.tsx';
import { CardLinks } from './card-links.tsx';
import { may } from './rights.ts';
import { STATUS_LOOKS, titleWithNumber } from './words.ts';

/** A number that is dead; what was done with it can still be read. */
export function LostCard({ card, replacement }: { card: TripCard; replacement: TripCard | undefined }) {
  const titleId = useId();
  const { label, tone } = STATUS_LOOKS.lost;
  return (
    <Card as="article" tone="sunken" aria-labelledby={titleId}>
      <Stack gap="sm">
        <Cluster justify="between">
          <h3 id={titleId}>{titleWithNumber(card)}</h3>
          <Badge tone={tone}>{label}</Badge>
        </Cluster>
        <p>
          This card no longer works.
          {replacement && ` Its balance moved to the card ending ${replacement.lastFour}.`}
        </p>
        {may(card, 'view') && <CardLinks card={card} />}
      </Stack>
    </Card>
  );
}
