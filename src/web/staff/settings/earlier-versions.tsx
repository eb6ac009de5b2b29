import { queryOptions, useQuery } from '@tanstack/react-query';
import {
  getSettingsVersion,
  listSettingsVersions,
  previewSettings,
} from '#contract/desk/settings/endpoints.ts';
import { Problem } from '#web/features/site/problem.tsx';
import { formatWhen, formatWhenCapitalized } from '#web/features/site/timestamp.tsx';
import { t } from '#web/language/texts.ts';
import { request } from '#web/platform/api/request.ts';
import type { SettingsVersions } from '#web/platform/api/types.ts';
import { useAction } from '#web/platform/forms/use-action.ts';
import { notify } from '#web/platform/notifications/notifications.ts';
import { type Column, Table } from '#web/ui/data/table.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Disclosure } from '#web/ui/layout/disclosure.tsx';
import type { SettingsPreview } from './preview-dialog.tsx';

export const versionsQuery = queryOptions({
  queryKey: ['staff-settings-versions'] as const,
  queryFn: ({ signal }) => request(listSettingsVersions, { signal }),
});

/** What was published before, to be looked at and published again. */
export function EarlierVersions({ onPreview }: { onPreview: (preview: SettingsPreview) => void }) {
  const query = useQuery(versionsQuery);
  const compare = useAction(previewVersion, {
    onDone: (preview) => {
      if (preview !== null) onPreview(preview);
      else notify(t('These are the current settings.'), { type: 'message' });
    },
  });
  if (query.data === undefined || query.data.length === 0) return null;
  const now = query.dataUpdatedAt;
  const columns: Column<SettingsVersions[number]>[] = [
    { id: 'at', header: t('Published|when'), cell: ({ at }) => formatWhenCapitalized(at, now) },
    { id: 'by', header: t('Who'), cell: ({ by }) => by ?? t('unknown|a person') },
    {
      id: 'again',
      header: t('Actions'),
      cell: ({ id, at }) => (
        <Button
          variant="secondary"
          size="small"
          needsConnection
          isPending={compare.input === id}
          pendingText={t('Checking…')}
          aria-label={t('Publish again what was published {when}', { when: formatWhen(at, now) })}
          onClick={() => compare.run(id)}
        >
          {t('Publish again')}
        </Button>
      ),
    },
  ];
  return (
    <Disclosure summary={t('Earlier versions')}>
      <Problem text={compare.problem} />
      <Table
        caption={t('Earlier versions')}
        isCaptionHidden
        columns={columns}
        rows={query.data}
        getKey={({ id }) => id}
      />
    </Disclosure>
  );
}

/** @returns null if nothing would change */
async function previewVersion(id: string): Promise<SettingsPreview | null> {
  const changes = await request(getSettingsVersion, { params: { id } });
  if (changes.length === 0) return null;
  return { changes, differences: await request(previewSettings, { body: { changes } }), isEarlier: true };
}
