import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { t } from '#web/language/texts.ts';
import { Button } from '#web/ui/form/button.tsx';

type ShowMoreProps = {
  query: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>;
  label?: string;
  onShow?: () => void;
};

/** Fetches the next page of a list. */
export function ShowMore({ query, label = t('Show more'), onShow }: ShowMoreProps) {
  if (!query.hasNextPage) return null;
  return (
    <Button
      variant="secondary"
      needsConnection
      isPending={query.isFetchingNextPage}
      pendingText={t('Loading…')}
      onClick={() => {
        onShow?.();
        void query.fetchNextPage();
      }}
    >
      {label}
    </Button>
  );
}

/**
 * Moves the focus to the first new item after `expectMore`, because the button may be gone by then.
 * @param targets selects the element of each item that takes the focus
 */
export function useFocusOnMore<Box extends HTMLElement>(count: number, targets: string) {
  const box = useRef<Box>(null);
  const expectedAt = useRef<number | null>(null);
  useEffect(() => {
    const at = expectedAt.current;
    if (at === null || count <= at) return;
    expectedAt.current = null;
    box.current?.querySelectorAll<HTMLElement>(targets)[at]?.focus();
  }, [count, targets]);
  return {
    box,
    expectMore: () => {
      expectedAt.current = count;
    },
  };
}
