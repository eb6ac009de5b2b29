import { type KeyboardEvent, type ReactNode, useId } from 'react';
import { isPageRightToLeft } from '#web/language/page-language.ts';
import { Stack } from './stack.tsx';
import styles from './tabs.module.css';

type TabsProps<Id extends string> = {
  /** The name of the tab list for screen readers. */
  label: string;
  tabs: readonly { id: Id; label: ReactNode }[];
  current: Id;
  onChange: (id: Id) => void;
  /** The content of the current tab. */
  children: ReactNode;
};

/** Views of the same thing. The arrow keys choose at once, so each view must render fast. */
export function Tabs<Id extends string>({ label, tabs, current, onChange, children }: TabsProps<Id>) {
  const ownId = useId();
  const tabId = (id: Id) => `${ownId}-${id}`;
  const panelId = `${ownId}-panel`;

  function handleKey(event: KeyboardEvent) {
    const index = tabs.findIndex(({ id }) => id === current);
    const [back, forward] = isPageRightToLeft() ? ['ArrowRight', 'ArrowLeft'] : ['ArrowLeft', 'ArrowRight'];
    const keys = {
      [forward]: (index + 1) % tabs.length,
      [back]: (index + tabs.length - 1) % tabs.length,
      Home: 0,
      End: tabs.length - 1,
    };
    const next = tabs[keys[event.key as keyof typeof keys] ?? -1];
    if (next === undefined) return;
    event.preventDefault();
    document.getElementById(tabId(next.id))?.focus();
    onChange(next.id);
  }

  return (
    <Stack>
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
      <Stack role="tabpanel" id={panelId} aria-labelledby={tabId(current)}>
        {children}
      </Stack>
    </Stack>
  );
}
