import { useEffect, useRef } from 'react';
import { storeDecision } from '#web/platform/analytics/consent.ts';
import {
  type ConsentDecision,
  findDecision,
  objectsToTracking,
} from '#web/platform/analytics/consent-decision.ts';
import { documentKind } from '#web/platform/analytics/outside-scripts.ts';
import { useStore } from '#web/platform/create-store.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { reloadPage } from '#web/platform/updates/reload.ts';
import { Button } from '#web/ui/form/button.tsx';
import { useDockHeight } from '#web/ui/popup/use-dock-height.ts';
import styles from './consent-card.module.css';

type ConsentCardProps = {
  /** The visitor opened it from the footer. */
  isRequested: boolean;
  /** Null: closed without a decision. */
  onDecided: (decision: ConsentDecision | null) => void;
};

export function ConsentCard({ isRequested, onDecided }: ConsentCardProps) {
  const { legal } = useSettings();
  const kind = useStore(documentKind);
  const card = useRef<HTMLElement>(null);
  useDockHeight(card);
  useEffect(() => {
    if (isRequested) card.current?.focus();
  }, [isRequested]);

  function decide(decision: ConsentDecision) {
    storeDecision(decision);
    onDecided(decision);
    // Scripts that run cannot be stopped.
    if (decision === 'refused' && kind === 'shared') reloadPage();
  }

  // Nothing is measured on private pages, where tickets are shown and paid for.
  if (!isRequested && kind === 'private') return null;
  return (
    <section ref={card} tabIndex={-1} className={styles.card} aria-labelledby="consent-title">
      <h2 id="consent-title" className={styles.title}>
        May we measure how this site is used?
      </h2>
      {objectsToTracking() ? (
        <>
          <p>Your browser refuses tracking (Global Privacy Control). Analytics are off.</p>
          <div className={styles.actions}>
            <Button variant="secondary" onClick={() => onDecided(null)}>
              Close
            </Button>
          </div>
        </>
      ) : (
        <>
          <p>
            Analytics services would receive the pages you open and set cookies. Everything works the same
            without. {isRequested && STATES[findDecision() ?? 'open']}{' '}
            {legal.privacy_url !== null && <a href={legal.privacy_url}>Privacy</a>}
          </p>
          <div className={styles.actions}>
            <Button variant="secondary" onClick={() => decide('refused')}>
              Refuse
            </Button>
            <Button variant="secondary" onClick={() => decide('given')}>
              Allow
            </Button>
          </div>
        </>
      )}
    </section>
  );
}

const STATES = {
  given: 'You allow it at the moment.',
  refused: 'You refuse it at the moment.',
  open: '',
};
