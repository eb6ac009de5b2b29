import { useDeferredValue, useMemo, useState } from 'react';
import type { GateParty } from '#contract/gate/schemas.ts';
import type { GateList } from '#domain/boarding/gate-list.ts';
import {
  findPartiesOfOrder,
  indexParties,
  SEARCH_LENGTH,
  searchParties,
} from '#domain/boarding/search-parties.ts';
import { t } from '#web/language/texts.ts';
import { ReferenceField } from '#web/ui/form/field.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import type { Answers } from './answer/answers.ts';
import type { Boat } from './boats.ts';
import { PartyList } from './party-list.tsx';

type SearchViewProps = {
  list: GateList;
  boat: Boat;
  answers: Answers;
  /** Opens with the order of this reference; null: with an empty search. */
  reference: string | null;
};

const LIMIT = 20;

/** Nothing is listed before a search, because the device may be in a pocket or in other hands. */
export function SearchView({ list, boat, answers, reference }: SearchViewProps) {
  const [text, setText] = useState(reference ?? '');
  const [opened] = useState(() => findOnly(list, boat, reference ?? ''));
  const searched = useDeferredValue(text);
  const index = useMemo(() => indexParties(list.parties.values()), [list]);
  const matches = useMemo(() => searchParties(index, searched, LIMIT + 1), [index, searched]);
  const isTooShort = searched.trim().length < SEARCH_LENGTH;
  return (
    <Stack>
      <ReferenceField
        label={t('License plate, name, reference, phone or letters below the code')}
        type="search"
        autoCapitalize="none"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <output className="note">
        {isTooShort
          ? t('Type at least {count} letters or digits.', { count: SEARCH_LENGTH })
          : describeCount(matches.length)}
      </output>
      <PartyList
        parties={sortByBoat(matches.slice(0, LIMIT), boat)}
        list={list}
        answers={answers}
        startsOpen={opened}
      />
    </Stack>
  );
}

function describeCount(count: number): string {
  if (count > LIMIT) return t('More than {count} results. Type more of it.', { count: LIMIT });
  return t('{count, plural, =0 {No results} one {# result} other {# results}}', { count });
}

/** The only party of the order on this boat; null: none or several. */
function findOnly(list: GateList, boat: Boat, reference: string): GateParty | null {
  const parties = findPartiesOfOrder(list.parties.values(), reference);
  const [only = null, ...others] = parties.filter((party) => isOfBoat(party, boat));
  return others.length === 0 ? only : null;
}

/** Those of this boat first. */
function sortByBoat(parties: readonly GateParty[], boat: Boat): GateParty[] {
  return parties.toSorted((a, b) => Number(isOfBoat(b, boat)) - Number(isOfBoat(a, boat)));
}

function isOfBoat({ sailing_id }: GateParty, { sailings }: Boat): boolean {
  return sailings.some(({ id }) => id === sailing_id);
}
