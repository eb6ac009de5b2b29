import { useRef, useState } from 'react';
import { t } from '#web/language/texts.ts';
import { serverNow } from '#web/platform/server-clock.ts';
import { closeDisclosure, Disclosure } from '#web/ui/layout/disclosure.tsx';
import { ChangeNamesForm, type ChangeNamesProps } from './change-names-form.tsx';
import { canChangeTravelers } from './travelers.ts';

/** Names can be changed until the first check-in closes. */
export function ChangeNames({ order, ...props }: ChangeNamesProps) {
  const details = useRef<HTMLDetailsElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  if (!canChangeTravelers(order, serverNow())) return null;
  return (
    <Disclosure
      ref={details}
      icon="ticket"
      summary={t(order.travelerNames?.some(Boolean) ? 'Change travelers’ names' : 'Add travelers’ names')}
      data-no-print=""
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
    >
      {isOpen && (
        <ChangeNamesForm order={order} {...props} onSaved={() => closeDisclosure(details.current)} />
      )}
    </Disclosure>
  );
}
