import { useQuery } from '@tanstack/react-query';
import { fillPath, staffPages } from '#contract/paths.ts';
import { QueryFallback } from '#web/features/site/load-problem.tsx';
import { t } from '#web/language/texts.ts';
import type { ListedBoat } from '#web/platform/api/types.ts';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { ButtonLink } from '#web/ui/form/button.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { PageHeader } from '#web/ui/layout/page.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { describeMissingDetails } from '../gate/boat-texts.ts';
import { Permitted } from '../session/permitted.tsx';
import { boatsQuery, describeBoat } from './queries.ts';

/** The boats of these hours whose passenger list the law asks for. */
export function BoatsScreen() {
  return (
    <Permitted permission="passenger_lists">
      <PageHeader
        title={t('Passenger lists')}
        intro={t('Boats that have just left or leave soon, for which the law asks for a list.')}
      />
      <Boats />
    </Permitted>
  );
}

function Boats() {
  const query = useQuery(boatsQuery);
  if (query.data === undefined) {
    return (
      <QueryFallback query={query} problem={t('We could not load the boats')} loading={t('Loading…')}>
        <Skeleton height="12rem" />
      </QueryFallback>
    );
  }
  if (query.data.length === 0) {
    return <EmptyState icon="person" title={t('The law asks for no passenger list for these boats.')} />;
  }
  return (
    <Stack>
      {query.data.map((boat) => (
        <BoatCard key={boat.sailingId} boat={boat} />
      ))}
    </Stack>
  );
}

function BoatCard({ boat }: { boat: ListedBoat }) {
  return (
    <Card title={describeBoat(boat)}>
      <Stack>
        <p>
          {t('{travelers, plural, one {# traveler} other {# travelers}}', { travelers: boat.travelers })}.{' '}
          {describeMissingDetails(boat.missing)}
        </p>
        <div>
          <ButtonLink variant="secondary" to={fillPath(staffPages.passengerList, { id: boat.sailingId })}>
            {t('Open the passenger list')}
          </ButtonLink>
        </div>
      </Stack>
    </Card>
  );
}
