import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { releaseHeldBackPlaces } from '#contract/desk/held-back/endpoints.ts';
import { Problem } from '#web/features/site/problem.tsx';
import { formatWhenCapitalized } from '#web/features/site/timestamp.tsx';
import { t } from '#web/language/texts.ts';
import { request } from '#web/platform/api/request.ts';
import type { BoatDetails } from '#web/platform/api/types.ts';
import { useAction } from '#web/platform/forms/use-action.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { RowList } from '#web/ui/data/row-list.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { usePermission } from '../session/staff-session.ts';
import { refreshBoats } from './boat-queries.ts';
import { HoldBackDialog } from './hold-back-dialog.tsx';
import { describeHeldBack } from './places.ts';

/** What the boat does not sell online, and for whom it is kept. */
export function HeldBackCard({ details, now }: { details: BoatDetails; now: number }) {
  const mayChange = usePermission('change_sailings');
  const [isOpen, setIsOpen] = useState(false);
  const { boat, heldBack } = details;
  const canHoldBack = mayChange && boat.status === 'scheduled' && boat.departedAt === null;
  if (!canHoldBack && heldBack.length === 0) return null;
  return (
    <Card title={t('Places held back')}>
      <Stack>
        {heldBack.length > 0 && <HeldBackList heldBack={heldBack} mayRelease={mayChange} now={now} />}
        {canHoldBack && (
          <div>
            <Button variant="secondary" needsConnection onClick={() => setIsOpen(true)}>
              {t('Hold places back')}
            </Button>
          </div>
        )}
      </Stack>
      {isOpen && <HoldBackDialog boat={boat} onClose={() => setIsOpen(false)} />}
    </Card>
  );
}

type HeldBackListProps = { heldBack: BoatDetails['heldBack']; mayRelease: boolean; now: number };

function HeldBackList({ heldBack, mayRelease, now }: HeldBackListProps) {
  const client = useQueryClient();
  const { units } = useSettings();
  const release = useAction((id: string) => request(releaseHeldBackPlaces, { params: { id } }), {
    onDone: () => refreshBoats(client),
  });
  return (
    <>
      <Problem text={release.problem} />
      <RowList
        label={t('Places held back')}
        rows={heldBack.map(({ id, places, reason, at }) => ({
          id,
          title: t('{places}: {reason}', { places: describeHeldBack(places, units), reason }),
          details: formatWhenCapitalized(at, now),
          action: mayRelease && (
            <Button
              variant="secondary"
              size="small"
              needsConnection
              isPending={release.input === id}
              aria-label={t('Sell online again: {places}', {
                places: `${describeHeldBack(places, units)}, ${reason}`,
              })}
              onClick={() => release.run(id)}
            >
              {t('Sell online again')}
            </Button>
          ),
        }))}
      />
    </>
  );
}
