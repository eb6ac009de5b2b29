import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { rich } from '#web/language/rich.ts';
import { t } from '#web/language/texts.ts';
import type { Provider } from '#web/platform/card-provider/types.ts';
import { pageConfig } from '#web/platform/page-config.ts';
import { handleError } from '#web/platform/updates/error-handlers.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import styles from './card-provider.module.css';
import { importProvider } from './provider.ts';

/** Renders its children once the card provider's script is loaded. */
export function CardProvider({ children }: { children: (stripe: Provider) => ReactNode }) {
  const provider = useCardProvider();
  const { error } = provider;
  const [isGivenUp, setIsGivenUp] = useState(false);
  // A reload helps more often than a retry. It happens at most once, and never without a connection.
  useEffect(() => {
    if (error !== null && !handleError(error)) setIsGivenUp(true);
  }, [error]);
  return (
    <Stack>
      {pageConfig().provider.is_test && <TestCardHint />}
      {provider.data ? (
        children(provider.data)
      ) : provider.isError && isGivenUp ? (
        <Notice
          type="alert"
          role="alert"
          title={t('The card form could not load')}
          action={
            <Button isPending={provider.isFetching} onClick={() => void provider.refetch()}>
              {t('Try again')}
            </Button>
          }
        >
          {t('Nothing was charged. A blocker in the browser may be in the way.')}
        </Notice>
      ) : (
        <CardFormSkeleton />
      )}
    </Stack>
  );
}

export function useCardProvider() {
  return useQuery({
    queryKey: ['card-provider'],
    queryFn: importProvider,
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
    retry: false,
  });
}

export function CardFormSkeleton() {
  return (
    <output>
      <span className="visually-hidden">{t('Loading the card form…')}</span>
      <Skeleton height="3rem" lines={3} />
    </output>
  );
}

function TestCardHint() {
  return (
    <Notice title={t('Test payments')}>
      {rich(
        'No money moves. Use card <number>4242 4242 4242 4242</number> with any later date and any code.',
        {
          number: (digits) => (
            <strong className={styles.number} translate="no">
              {digits}
            </strong>
          ),
        },
      )}
    </Notice>
  );
}
