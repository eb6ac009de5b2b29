import { useNavigate } from 'react-router';
import { formatClock, formatShortDay, localDay } from '#web/features/site/local-time.ts';
import { t } from '#web/language/texts.ts';
import type { Work } from '#web/platform/api/types.ts';
import { Select } from '#web/ui/form/select.tsx';
import { FilterFields } from '../filter-fields.tsx';
import { ALL_KINDS, readKind, type WorkFilters, workPath } from './work-filters.ts';

type WorkFilterFieldsProps = { filters: WorkFilters; boats: Work['boats'] };

/** Each choice is an address, so that it can be sent to others. */
export function WorkFilterFields({ filters, boats }: WorkFilterFieldsProps) {
  const navigate = useNavigate();
  const show = (change: Partial<WorkFilters>) =>
    void navigate(workPath({ ...filters, ...change }), { preventScrollReset: true });
  return (
    <FilterFields>
      <Select
        label={t('What|to be done')}
        value={filters.kind}
        onChange={({ target }) => show({ kind: readKind(target.value) })}
        options={[
          { value: '', label: t('Everything') },
          ...ALL_KINDS.map(({ kind, title }) => ({ value: kind, label: t(title) })),
        ]}
      />
      <Select
        label={t('Boat|that leaves')}
        value={filters.boat}
        onChange={({ target }) => show({ boat: target.value })}
        options={[
          { value: '', label: t('All boats') },
          ...boats.map((boat) => ({ value: boat.sailingId, label: describeBoat(boat) })),
        ]}
      />
    </FilterFields>
  );
}

/** "Mon, Jun 1, 9:00 AM: Port Madrona to Heron Island" */
function describeBoat({ departsLocal, origin, destination }: Work['boats'][number]): string {
  return t('{day}, {time}: {origin} to {destination}', {
    ...{ day: formatShortDay(localDay(departsLocal)), time: formatClock(departsLocal), origin, destination },
  });
}
