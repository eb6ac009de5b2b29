import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { t } from '#web/language/texts.ts';
import { errorText } from '#web/platform/api/api-error.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Cluster } from '#web/ui/layout/stack.tsx';

type StartFailureProps = {
  start: Pick<UseQueryResult, 'error' | 'isFetching' | 'refetch'>;
  canRetry: boolean;
  action?: ReactNode;
  children?: ReactNode;
};

/** The server refused to start a payment, or could not be asked. */
export function StartFailure({ start, canRetry, action, children }: StartFailureProps) {
  return (
    <Notice
      type="alert"
      role="alert"
      title={t('The payment could not be started')}
      action={
        <Cluster>
          {canRetry && (
            <Button isPending={start.isFetching} onClick={() => void start.refetch()}>
              {t('Try again')}
            </Button>
          )}
          {action}
        </Cluster>
      }
    >
      {errorText(start.error)} {children}
    </Notice>
  );
}
