import { nameSetting } from '#sentences/settings/names.ts';
import { t } from '#web/language/texts.ts';
import type { SettingDifference, SettingValue, StaffSettings } from '#web/platform/api/types.ts';
import { Table } from '#web/ui/data/table.tsx';
import { showValue } from './setting-texts.ts';
import styles from './settings.module.css';

type DifferenceTableProps = {
  differences: readonly SettingDifference[];
  /** The settings that differ. */
  of: Pick<StaffSettings, 'settings' | 'currency'>;
};

/** What changes for customers, setting by setting. */
export function DifferenceTable({ differences, of: { settings, currency } }: DifferenceTableProps) {
  const show = (path: string, value: SettingValue) => {
    const { kind = 'text' } = settings.find((each) => each.path === path) ?? {};
    return <span className={styles.value}>{showValue({ kind, value }, currency)}</span>;
  };
  return (
    <Table
      caption={t('What changes')}
      isCaptionHidden
      columns={[
        { id: 'setting', header: t('Setting'), cell: ({ path }) => nameSetting(t, path) },
        {
          id: 'before',
          header: t('Now|a setting'),
          cell: ({ path, before }) => show(path, before),
        },
        { id: 'after', header: t('Then|a setting'), cell: ({ path, after }) => show(path, after) },
      ]}
      rows={differences}
      getKey={({ path }) => path}
    />
  );
}
