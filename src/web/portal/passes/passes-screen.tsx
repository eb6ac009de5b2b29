import { useQuery } from '@tanstack/react-query';
import { portalPages } from '#contract/paths.ts';
import { QueryFallback } from '#web/features/site/load-problem.tsx';
import { t } from '#web/language/texts.ts';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { ButtonLink } from '#web/ui/form/button.tsx';
import { PageHeader } from '#web/ui/layout/page.tsx';
import styles from '../parts/cards.module.css';
import { PassFlow } from './pass-flow.tsx';
import { passesQuery } from './queries.ts';

/** The passes on sale, with their purchase. */
export function PassesScreen() {
  const query = useQuery(passesQuery);
  const { data: passes } = query;
  return (
    <div className={styles.screen}>
      <PageHeader
        title={t('Buy a pass')}
        intro={t('Pay for several trips at once, and use them when you travel.')}
        back={{ to: portalPages.tripCards, label: t('Trip Cards') }}
      />
      {passes === undefined ? (
        <QueryFallback
          query={query}
          problem={t('The passes could not be loaded')}
          loading={t('Loading the passes…')}
        >
          <Skeleton height="5rem" lines={2} />
        </QueryFallback>
      ) : passes.length === 0 ? (
        <EmptyState
          icon="trip-card"
          title={t('No passes are on sale')}
          action={<ButtonLink to={portalPages.tripCards}>{t('Trip Cards')}</ButtonLink>}
        >
          {t('You can pay with a trip card with money instead.')}
        </EmptyState>
      ) : (
        <PassFlow passes={passes} title={t('Choose a pass')} />
      )}
    </div>
  );
}
