import { Suspense } from 'react';
import { lazyComponent } from '#web/platform/updates/missing-chunk.ts';
import { Badge } from '#web/ui/feedback/badge.tsx';
import styles from './status-badge.module.css';
import type { StatusExplanationProps } from './status-explanation.tsx';

/** Loaded later: until then, and without a connection, only the status is shown. */
const StatusExplanation = lazyComponent(
  async () => (await import('./status-explanation.tsx')).StatusExplanation,
);

export function StatusBadge(props: StatusExplanationProps) {
  return (
    <Suspense
      fallback={
        <span className={styles.waiting}>
          <Badge tone={props.tone} icon="info">
            {props.label}
          </Badge>
        </span>
      }
    >
      <StatusExplanation {...props} />
    </Suspense>
  );
}
