import { t } from '#web/language/texts.ts';
import { Stack } from '../layout/stack.tsx';
import styles from './skeleton.module.css';

type SkeletonProps = {
  width?: string | undefined;
  height?: string | undefined;
  lines?: number | undefined;
};

/** The placeholder of content that is loading. Screen readers need a text beside it. */
export function Skeleton({ width, height, lines = 1 }: SkeletonProps) {
  return (
    <Stack as="span" gap="sm" aria-hidden="true" data-on-its-way="">
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all alike and never move
        <span key={line} className={styles.line} style={{ width, height }} />
      ))}
    </Stack>
  );
}

/** Skeletons with a text for screen readers. */
export function Loading({ text = t('Loading…'), ...skeleton }: SkeletonProps & { text?: string }) {
  return (
    <output>
      <span className="visually-hidden">{text}</span>
      <Skeleton {...skeleton} />
    </output>
  );
}
