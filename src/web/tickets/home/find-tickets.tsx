import { Suspense, useState } from 'react';
import { useSearchParams } from 'react-router';
import { lazyPart } from '#web/platform/updates/missing-part.ts';
import { Disclosure } from '#web/ui/layout/disclosure.tsx';
import { useHydrated } from '../use-hydrated.ts';
import styles from './find-tickets.module.css';

const FindTicketsForm = lazyPart(async () => (await import('./find-tickets-form.tsx')).FindTicketsForm);

/** Lost mails happen; `?find=1` opens it, for links from elsewhere. */
export function FindTickets() {
  const [search] = useSearchParams();
  const isAskedFor = useHydrated() && search.has('find');
  const [isToggled, setIsToggled] = useState<boolean | null>(null);
  const isOpen = isToggled ?? isAskedFor;
  return (
    <Disclosure
      className={styles.find}
      icon="ticket"
      summary="Already have an order? Find my tickets"
      open={isOpen}
      onToggle={(event) => {
        const { open } = event.currentTarget;
        if (open !== isOpen) setIsToggled(open);
      }}
    >
      {isOpen && (
        <Suspense fallback={null}>
          <FindTicketsForm />
        </Suspense>
      )}
    </Disclosure>
  );
}
