import { Suspense } from 'react';
import { lazyPart } from '#web/platform/updates/missing-part.ts';
import { Badge } from '#web/ui/feedback/badge.tsx';
import styles from './status-badge.module.css';
import type { StatusExplanationProps } from './status-explanation.tsx';

/** Not in the first bundle: until it is there, and without a connection, the status alone is shown. */
const StatusExplanation = lazyPart(async () => (await import('./status-explanation.tsx')).StatusExplanation);

export function StatusBadge(props: StatusExplanationProps) {
  const { tone, label } = props.look;
  return (
    <Suspense
      fallback={
        <span className={styles.waiting}>
          <Badge tone={tone} icon="info">
            {label}
          </Badge>
        </span>
      }
    >
      <StatusExplanation {...props} />
    </Suspense>
  );
}
