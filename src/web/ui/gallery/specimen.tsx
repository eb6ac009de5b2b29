import { type ComponentType, createElement, type ReactNode, useEffect, useRef } from 'react';
import styles from './gallery.module.css';

type Shown = {
  /** A state that needs a pointer or the keyboard, shown on the control inside. */
  shown?: 'hover' | 'focus' | 'active';
  /** Selects the control, where it is not the first. */
  on?: string;
};

/** One component in all its states side by side: the props of `all`, and what differs in each state by its name. */
export function specimens<Props extends object>(
  title: string,
  component: ComponentType<Props>,
  { all, ...states }: { all: NoInfer<Props> } & Record<string, Partial<NoInfer<Props>> & Shown>,
) {
  return (
    <section key={title} className={styles.specimens}>
      <h3>{title}</h3>
      <div className={styles.specimenGrid}>
        {Object.entries(states).map(([name, { shown, on, ...changes }]) => (
          <Specimen key={name} name={name} shown={shown} on={on}>
            {createElement(component, { ...all, ...changes })}
          </Specimen>
        ))}
      </div>
    </section>
  );
}

type SpecimenProps = { name: string; shown: Shown['shown']; on: Shown['on']; children: ReactNode };

function Specimen({ name, shown, on = 'button, a, input, select', children }: SpecimenProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const control = box.current?.querySelector<HTMLElement>(on);
    if (shown && control) control.dataset.shown = shown;
  }, [shown, on]);
  return (
    <div className={styles.specimen}>
      <p className={styles.state}>{name}</p>
      <div ref={box}>{children}</div>
    </div>
  );
}

const STATES = { ':hover': 'hover', ':focus-visible': 'focus', ':active': 'active' } as const;

/** Copies every rule for `:hover`, `:focus-visible` or `:active` so that it also holds for `data-shown`. */
export function showPseudoStates(): void {
  for (const sheet of document.styleSheets) copyRules(sheet);
}

function copyRules(parent: CSSStyleSheet | CSSGroupingRule): void {
  // From the last to the first, because an inserted rule moves those after it.
  for (let index = parent.cssRules.length - 1; index >= 0; index--) {
    const rule = parent.cssRules[index];
    if (rule instanceof CSSGroupingRule) copyRules(rule);
    else if (rule instanceof CSSStyleRule && /:hover|:focus-visible|:active/.test(rule.selectorText)) {
      const selector = rule.selectorText.replace(
        /:hover|:focus-visible|:active/g,
        (state) => `[data-shown="${STATES[state as keyof typeof STATES]}"]`,
      );
      parent.insertRule(`${selector} { ${rule.style.cssText} }`, index + 1);
    }
  }
}
