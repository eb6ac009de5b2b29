import { useQuery } from '@tanstack/react-query';
import { QueryFallback } from '#web/features/site/load-problem.tsx';
import { t } from '#web/language/texts.ts';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { PageHeader } from '#web/ui/layout/page.tsx';
import { Permitted } from '../session/permitted.tsx';
import { SettingsForm } from './settings-form.tsx';
import { settingsQuery } from './settings-query.ts';

/** The operator's settings, to be read and changed by managers. */
export function SettingsScreen() {
  return (
    <Permitted permission="change_settings">
      <PageHeader
        title={t('Settings')}
        intro={t('They apply to all customers as soon as you publish them. The audit log has every change.')}
      />
      <Settings />
    </Permitted>
  );
}

function Settings() {
  const query = useQuery(settingsQuery);
  if (query.data !== undefined) return <SettingsForm initial={query.data} now={query.dataUpdatedAt} />;
  return (
    <QueryFallback query={query} problem={t('We could not load the settings')} loading={t('Loading…')}>
      <Skeleton height="32rem" />
    </QueryFallback>
  );
}
