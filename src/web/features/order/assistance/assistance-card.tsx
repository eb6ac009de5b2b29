import { t } from '#web/language/texts.ts';
import type { Order } from '#web/platform/api/types.ts';
import { DefinitionList } from '#web/ui/data/definition-list.tsx';
import { Fold } from '#web/ui/layout/fold.tsx';

type AssistanceCardProps = { assistance: NonNullable<Order['assistance']>; startsOpen: boolean };

/** What travelers asked assistance for, and for which departures it cannot be promised. */
export function AssistanceCard({ assistance: { travelers, notice }, startsOpen }: AssistanceCardProps) {
  return (
    <Fold title={t('Assistance')} startsOpen={startsOpen}>
      <DefinitionList items={travelers.map(({ who, text }) => ({ term: who, details: text }))} />
      {notice !== '' && <p>{notice}</p>}
    </Fold>
  );
}
