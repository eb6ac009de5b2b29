import { type ReactNode, useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { t } from '#web/language/texts.ts';
import type { Order } from '#web/platform/api/types.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import styles from './attention.module.css';
import { showAttention } from './attention-button.tsx';
import { ATTENTION } from './order-status.ts';

type AttentionSectionProps = {
  order: Order;
  /** The choice that the passenger has. */
  children: ReactNode;
};

/** What is unusual about an order. Takes the focus if the address names it. */
export function AttentionSection({ order, children }: AttentionSectionProps) {
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
        {children}
      </Stack>
    </section>
  );
}
