import { useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import { saveTraveler } from '#contract/saved-party/endpoints.ts';
import type { Traveler } from '#web/features/order/traveler-names/travelers.ts';
import { savedPartyQuery, useSavedParty } from '#web/features/saved-party/saved-party.ts';
import { t } from '#web/language/texts.ts';
import { request } from '#web/platform/api/request.ts';
import type { Catalogue, SavedTraveler } from '#web/platform/api/types.ts';
import { useAction } from '#web/platform/forms/use-action.ts';
import { Problem } from '#web/ui/feedback/notice.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Cluster, Stack } from '#web/ui/layout/stack.tsx';

type SavedTravelersProps = {
  catalogue: Catalogue;
  travelers: readonly Traveler[];
  /** What is typed for a traveler. */
  readName: (index: number) => string;
  onChoose: (index: number, name: string) => void;
};

/** The people whom the customer saved; one press enters a name. Typed names can be saved. */
export function SavedTravelers({ catalogue, travelers, readName, onChoose }: SavedTravelersProps) {
  const client = useQueryClient();
  const labelId = useId();
  const saved = useSavedParty()?.travelers;
  const save = useAction(
    async (people: { name: string; type: string }[]) => {
      for (const body of people) await request(saveTraveler, { body });
    },
    { onSettled: () => void client.invalidateQueries(savedPartyQuery) },
  );
  if (saved === undefined) return null;
  const typed = travelers.map((traveler) => ({
    ...traveler,
    name: readName(traveler.index).trim(),
    type: findType(catalogue, traveler),
  }));
  const offered = saved.filter(
    (person) => typed.every(({ name }) => name !== person.name) && findPlace(typed, person) !== undefined,
  );
  const unsaved = typed.flatMap(({ name, type }) =>
    type !== undefined && name !== '' && saved.every((person) => person.name !== name)
      ? [{ name, type }]
      : [],
  );
  return (
    <Stack gap="xs">
      {offered.length > 0 && (
        <Stack gap="xs" role="group" aria-labelledby={labelId}>
          <p id={labelId} className="note">
            {t('Your saved travelers')}
          </p>
          <Cluster>
            {offered.map((person) => (
              <Button
                key={person.id}
                variant="secondary"
                size="small"
                onClick={() => {
                  const place = findPlace(typed, person);
                  if (place) onChoose(place.index, person.name);
                }}
              >
                <span translate="no">{person.name}</span>
              </Button>
            ))}
          </Cluster>
        </Stack>
      )}
      {unsaved.length > 0 && (
        <div>
          <Button
            variant="quiet"
            size="small"
            icon="plus"
            isPending={save.isPending}
            pendingText={t('Saving…')}
            onClick={() => save.run(unsaved)}
          >
            {t('Save these names in your account')}
          </Button>
          <Problem text={save.problem} />
        </div>
      )}
    </Stack>
  );
}

type NamedTraveler = Traveler & { name: string; type: string | undefined };

/** The first traveler of the person's type without a name. */
function findPlace(travelers: readonly NamedTraveler[], { type }: SavedTraveler): NamedTraveler | undefined {
  return travelers.find((traveler) => traveler.name === '' && traveler.type === type);
}

/** The passenger type of a fare line, whose label begins with the type's name: "Adult, driver", "Adult 2". */
function findType({ passengerTypes }: Catalogue, { label }: Traveler): string | undefined {
  const matches = passengerTypes.filter(({ name }) => label.startsWith(name));
  return matches.toSorted((a, b) => b.name.length - a.name.length)[0]?.code;
}
