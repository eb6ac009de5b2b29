import { Card } from '#web/ui/card.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Stack } from '#web/ui/stack.tsx';

/** Holds the place of orders that are on their way. */
export function CardsSkeleton({ label }: { label: string }) {
  return (
    <Stack>
      <output className="visually-hidden">{label}</output>
      {['first', 'second'].map((each) => (
        <Card key={each} as="div">
          <Stack gap="sm">
            <Skeleton width="10rem" />
            <Skeleton height="4.5rem" />
            <Skeleton width="60%" />
          </Stack>
        </Card>
      ))}
    </Stack>
  );
}
