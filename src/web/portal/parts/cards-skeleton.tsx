import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { Grid, Stack } from '#web/ui/layout/stack.tsx';

export type CardsSkeletonProps = {
  label: string;
  /** The content's height in each card. */
  heights?: readonly string[];
};

/** Shown while cards load. */
export function CardsSkeleton({ label, heights = ['7rem', '7rem'] }: CardsSkeletonProps) {
  return (
    <Grid gap="lg">
      <output className="visually-hidden">{label}</output>
      {heights.map((height, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are always these and never move
        <Card key={index} as="div">
          <Stack>
            <Skeleton width="10rem" />
            <Skeleton height={height} />
          </Stack>
        </Card>
      ))}
    </Grid>
  );
}
