import { useId } from 'react';
import { useSavedParty } from '#web/features/saved-party/saved-party.ts';
import { t } from '#web/language/texts.ts';
import type { Catalogue, SavedVehicle } from '#web/platform/api/types.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { Button } from '#web/ui/form/button.tsx';
import { Cluster, Stack } from '#web/ui/layout/stack.tsx';
import { usePurchase } from '../purchase.ts';
import { fillVehicle } from '../trip/linked-party.ts';
import type { TripSearch } from '../trip/trip-search.ts';

type SavedVehiclesProps = { catalogue: Catalogue; onChange: (fields: Partial<TripSearch>) => void };

/** The customer's saved vehicles; one press fills in the vehicle, its sizes and its plate. */
export function SavedVehicles({ catalogue, onChange }: SavedVehiclesProps) {
  const { units } = useSettings();
  const { change } = usePurchase();
  const labelId = useId();
  const sold = (useSavedParty()?.vehicles ?? []).filter(({ vehicle }) =>
    catalogue.vehicleTypes.some(({ code }) => code === vehicle.type),
  );
  if (sold.length === 0) return null;

  function choose({ vehicle, plate }: SavedVehicle) {
    onChange(fillVehicle(catalogue, vehicle, units));
    change({ plate: plate ?? '', isRental: false });
  }

  return (
    <Stack gap="xs" role="group" aria-labelledby={labelId}>
      <p id={labelId} className="note">
        {t('Your saved vehicles')}
      </p>
      <Cluster>
        {sold.map((saved) => (
          <Button key={saved.id} variant="secondary" size="small" onClick={() => choose(saved)}>
            <span translate="no">{nameVehicle(catalogue, saved)}</span>
          </Button>
        ))}
      </Cluster>
    </Stack>
  );
}

/** The customer's own name, or the type with its plate. */
function nameVehicle({ vehicleTypes }: Catalogue, { name, plate, vehicle }: SavedVehicle): string {
  const type = vehicleTypes.find(({ code }) => code === vehicle.type)?.name;
  return name || [type, plate].filter(Boolean).join(' · ');
}
