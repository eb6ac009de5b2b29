import type { Order } from '#web/platform/api/types.ts';
import { DefinitionList } from '#web/ui/data/definition-list.tsx';
import { Card } from '#web/ui/layout/card.tsx';

type AssistanceCardProps = { assistance: NonNullable<Order['assistance']> };

/** What travelers asked assistance for, and for which departures it cannot be promised. */
export function AssistanceCard({ assistance: { travelers, notice } }: AssistanceCardProps) {
  return (
    <Card title="Assistance">
      <DefinitionList items={travelers.map(({ who, text }) => ({ term: who, details: text }))} />
      {notice !== '' && <p>{notice}</p>}
    </Card>
  );
}
