import { useQueryClient } from '@tanstack/react-query';
import { saveVehicle } from '#contract/saved-party/endpoints.ts';
import { savedPartyQuery, useSavedParty } from '#web/features/saved-party/saved-party.ts';
import { t } from '#web/language/texts.ts';
import { request } from '#web/platform/api/request.ts';
import type { Catalogue, Vehicle } from '#web/platform/api/types.ts';
import { useAction } from '#web/platform/forms/use-action.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { Problem } from '#web/ui/feedback/notice.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { useDraft } from '../purchase.ts';
import { buildVehicle } from '../trip/trip-search.ts';

type SaveVehicleProps = { catalogue: Catalogue; plate: string };

/** Keeps the vehicle of the purchase in the account. Nothing for one that is saved. */
export function SaveVehicle({ catalogue, plate: typed }: SaveVehicleProps) {
  const { units } = useSettings();
  const { trip } = useDraft();
  const client = useQueryClient();
  const saved = useSavedParty()?.vehicles;
  const plate = typed.trim().toUpperCase().replaceAll(/\s+/g, ' ') || null;
  const vehicle = trip && buildVehicle(catalogue, trip, units);
  const save = useAction(
    (body: { vehicle: Vehicle; plate: string | null }) => request(saveVehicle, { body }),
    {
      onDone: () => client.invalidateQueries(savedPartyQuery),
    },
  );
  if (!vehicle || saved === undefined) return null;
  if (saved.some((each) => each.plate === plate && isSameVehicle(each.vehicle, vehicle))) {
    return save.isDone ? <p role="status">{t('The vehicle is saved in your account.')}</p> : null;
  }
  return (
    <div>
      <Button
        variant="quiet"
        size="small"
        icon="plus"
        isPending={save.isPending}
        pendingText={t('Saving…')}
        onClick={() => save.run({ vehicle, plate })}
      >
        {t('Save this vehicle')}
      </Button>
      <Problem text={save.problem} />
    </div>
  );
}

function isSameVehicle(one: Vehicle, other: Vehicle): boolean {
  return (['type', 'lengthCm', 'heightCm', 'trailerCm'] as const).every((key) => one[key] === other[key]);
}
