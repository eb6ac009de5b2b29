import { nameSetting } from '#sentences/settings/names.ts';
import { t } from '#web/language/texts.ts';
import type { SettingDifference } from '#web/platform/api/types.ts';
import { Table } from '#web/ui/data/table.tsx';
import { showValue } from './setting-texts.ts';
import styles from './settings.module.css';

/** What changes for customers, setting by setting. */
export function DifferenceTable({ differences }: { differences: readonly SettingDifference[] }) {
  return (
    <Table
      caption={t('What changes')}
      isCaptionHidden
      columns={[
        { id: 'setting', header: t('Setting'), cell: ({ path }) => nameSetting(t, path) },
        {
          id: 'before',
          header: t('Now|a setting'),
          cell: ({ before }) => <Value text={showValue(before)} />,
        },
        { id: 'after', header: t('Then|a setting'), cell: ({ after }) => <Value text={showValue(after)} /> },
      ]}
      rows={differences}
      getKey={({ path }) => path}
    />
  );
}

function Value({ text }: { text: string }) {
  return <span className={styles.value}>{text}</span>;
}
