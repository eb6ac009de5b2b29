import { useQuery } from '@tanstack/react-query';
import { portalPages } from '#contract/paths.ts';
import { CardName } from '#web/features/payment/card-name.tsx';
import { LoadProblem } from '#web/features/site/load-problem.tsx';
import type { PaymentCard } from '#web/platform/api/types.ts';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { ButtonLink } from '#web/ui/form/button.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { primaryCardQuery } from './primary-card.ts';

/** The card that the customer pays with. */
export function PrimaryCardCard() {
  const query = useQuery(primaryCardQuery);
  return (
    <Card title="Payment">
      <Stack>
        {query.isError ? (
          <LoadProblem title="Your card could not be loaded" query={query} />
        ) : query.data === undefined ? (
          <output>
            <span className="visually-hidden">Loading your card…</span>
            <Skeleton height="1.75rem" />
          </output>
        ) : (
          <PrimaryCard card={query.data} />
        )}
        <div>
          <ButtonLink variant="secondary" to={portalPages.paymentMethods}>
            Payment Methods
          </ButtonLink>
        </div>
      </Stack>
    </Card>
  );
}

function PrimaryCard({ card }: { card: PaymentCard | null }) {
  if (card === null) return <p>You have no saved cards.</p>;
  return (
    <p>
      You pay with <CardName card={card} />, expires {card.expDate}.{' '}
      {card.expiresSoon && (
        <Badge tone="warning" icon="clock">
          Expires soon
        </Badge>
      )}
    </p>
  );
}
