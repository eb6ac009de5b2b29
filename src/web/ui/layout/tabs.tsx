import { type KeyboardEvent, type ReactNode, useId } from 'react';
import styles from './tabs.module.css';

export type Tab<Id extends string> = { id: Id; label: ReactNode };

export type TabsProps<Id extends string> = {
  /** What is chosen between, for those who cannot see it. */
  label: string;
  tabs: readonly Tab<Id>[];
  current: Id;
  onChange: (id: Id) => void;
  /** What the current tab shows. */
  children: ReactNode;
};

/** One of several views of the same thing. The arrow keys choose at once, so what they show must be cheap to show. */
export function Tabs<Id extends string>({ label, tabs, current, onChange, children }: TabsProps<Id>) {
  const ownId = useId();
  const tabId = (id: Id) => `${ownId}-${id}`;
  const panelId = `${ownId}-panel`;

  function handleKey(event: KeyboardEvent) {
    const next =
      tabs[
        placeForKey(
          event.key,
          tabs.findIndex(({ id }) => id === current),
          tabs.length,
        ) ?? -1
      ];
    if (next === undefined) return;
    event.preventDefault();
    document.getElementById(tabId(next.id))?.focus();
    onChange(next.id);
  }

  return (
    <div className={styles.tabs}>
      <div role="tablist" aria-label={label} className={styles.list}>
        {tabs.map((tab) => (
          <button
            key={tab.id}
            id={tabId(tab.id)}
            type="button"
            role="tab"
            className={styles.tab}
            aria-selected={tab.id === current}
            aria-controls={panelId}
            tabIndex={tab.id === current ? 0 : -1}
            onClick={() => onChange(tab.id)}
            onKeyDown={handleKey}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={panelId} aria-labelledby={tabId(current)} className={styles.panel}>
        {children}
      </div>
    </div>
  );
}

function placeForKey(key: string, at: number, count: number): number | undefined {
  return {
    ArrowRight: (at + 1) % count,
    ArrowLeft: (at + count - 1) % count,
    Home: 0,
    End: count - 1,
  }[key];
}
