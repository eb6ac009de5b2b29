import { t } from '#web/language/texts.ts';
import styles from './gate-tabs.module.css';

export type GateTab = 'scan' | 'search' | 'queue' | 'count';

type GateTabsProps = { current: GateTab; onChange: (tab: GateTab) => void };

/** What a gate does, as buttons that cold fingers hit. */
export function GateTabs({ current, onChange }: GateTabsProps) {
  const tabs: { id: GateTab; label: string }[] = [
    { id: 'scan', label: t('Scan') },
    { id: 'search', label: t('Search') },
    { id: 'queue', label: t('Queue') },
    { id: 'count', label: t('Count') },
  ];
  return (
    <nav className={styles.tabs} aria-label={t('Gate')}>
      {tabs.map(({ id, label }) => (
        <button
          key={id}
          type="button"
          className={styles.tab}
          aria-current={id === current ? 'true' : undefined}
          onClick={() => onChange(id)}
        >
          {label}
        </button>
      ))}
    </nav>
  );
}
