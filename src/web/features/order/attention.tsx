import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { t } from '#web/language/texts.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import styles from './attention.module.css';
import { showAttention } from './attention-button.tsx';
import { ATTENTION } from './order-status.ts';
import type { TravelChoiceProps } from './rebook/choice-cards.tsx';
import { TravelChoice } from './rebook/travel-choice.tsx';

/** What is unusual about an order, and the choice that the passenger has. Takes the focus if the address names it. */
export function Attention({ order, queryKey }: TravelChoiceProps) {
  const section = useRef<HTMLElement>(null);
  const { hash } = useLocation();
  const { notice, needsAttention } = order;
  useEffect(() => {
    if (hash === `#${ATTENTION}`) showAttention(section.current);
  }, [hash]);
  return (
    <section
      ref={section}
      id={ATTENTION}
      tabIndex={-1}
      className={styles.section}
      aria-label={t('About your trip')}
    >
      <Stack>
        {notice && (
          <Notice type={needsAttention === null ? 'message' : 'warning'} role="status">
            {notice}
          </Notice>
        )}
        <TravelChoice order={order} queryKey={queryKey} />
      </Stack>
    </section>
  );
}
