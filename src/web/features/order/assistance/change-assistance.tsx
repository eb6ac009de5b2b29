import { type QueryKey, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { TravelerAssistance } from '#domain/orders/assistance.ts';
import { t } from '#web/language/texts.ts';
import type { Order } from '#web/platform/api/types.ts';
import { catalogueQuery } from '#web/platform/query/queries.ts';
import { serverNow } from '#web/platform/server-clock.ts';
import { closeDisclosure, Disclosure } from '#web/ui/layout/disclosure.tsx';
import { canChangeTravelers } from '../traveler-names/travelers.ts';
import { readAsked } from './asked-assistance.ts';
import { ChangeAssistanceForm } from './change-assistance-form.tsx';

type ChangeAssistanceProps = {
  order: Order;
  /** The query with which the screen loads the order. */
  queryKey: QueryKey;
  /** For the buyer of a guest's order: what was asked for, and what proves the buyer. */
  own?: { assistance: readonly TravelerAssistance[]; buyerSecret: string | null };
  onSaved?: (asked: TravelerAssistance[]) => void;
};

/** Assistance can be changed until the first check-in closes, where the operator takes requests online. */
export function ChangeAssistance(props: ChangeAssistanceProps) {
  return canChangeTravelers(props.order, serverNow()) ? <OpenChange {...props} /> : null;
}

function OpenChange({ order, queryKey, own, onSaved }: ChangeAssistanceProps) {
  const details = useRef<HTMLDetailsElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const noticeHours = useQuery(catalogueQuery()).data?.assistanceNoticeHours;
  const saved = readAsked(order, own?.assistance);
  if (noticeHours === undefined || saved === null) return null;
  return (
    <Disclosure
      ref={details}
      icon="info"
      summary={t(saved.length > 0 ? 'Change request for assistance' : 'Ask for assistance')}
      data-no-print=""
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
    >
      {isOpen && (
        <ChangeAssistanceForm
          {...{ order, queryKey, noticeHours, saved }}
          buyerSecret={own?.buyerSecret ?? null}
          onSaved={(asked) => {
            onSaved?.(asked);
            closeDisclosure(details.current);
          }}
        />
      )}
    </Disclosure>
  );
}
