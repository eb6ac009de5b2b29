import { useEffect, useRef } from 'react';
import { message } from '#messages/translate.ts';
import { t } from '#web/language/texts.ts';
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

  const decision = findDecision();

  function decide(chosen: ConsentDecision) {
    storeDecision(chosen);
    onDecided(chosen);
    // Scripts that run cannot be stopped.
    if (chosen === 'refused' && kind === 'shared') reloadPage();
  }

  // Nothing is measured on private pages, where tickets are shown and paid for.
  if (!isRequested && kind === 'private') return null;
  return (
    <section ref={card} tabIndex={-1} className={styles.card} aria-labelledby="consent-title">
      <h2 id="consent-title" className={styles.title}>
        {t('May we measure how this site is used?')}
      </h2>
      {objectsToTracking() ? (
        <>
          <p>{t('Your browser refuses tracking (Global Privacy Control). Analytics are off.')}</p>
          <div className={styles.actions}>
            <Button variant="secondary" onClick={() => onDecided(null)}>
              {t('Close')}
            </Button>
          </div>
        </>
      ) : (
        <>
          <p>
            {t(
              'Analytics services would receive the pages you open and set cookies. Everything works the same without.',
            )}{' '}
            {isRequested && decision !== null && t(STATES[decision])}{' '}
            {legal.privacy_url !== null && <a href={legal.privacy_url}>{t('Privacy')}</a>}
          </p>
          <div className={styles.actions}>
            <Button variant="secondary" onClick={() => decide('refused')}>
              {t('Refuse')}
            </Button>
            <Button variant="secondary" onClick={() => decide('given')}>
              {t('Allow')}
            </Button>
          </div>
        </>
      )}
    </section>
  );
}

const STATES = {
  given: message('You allow it at the moment.'),
  refused: message('You refuse it at the moment.'),
};
