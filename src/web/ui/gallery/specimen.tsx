import { type ComponentType, createElement, useEffect, useRef } from 'react';
import styles from './gallery.module.css';

type State<Props> = {
  name: string;
  /** A state that needs a pointer or the keyboard, shown on the control inside. */
  shown?: 'hover' | 'focus' | 'active';
  /** Selects the control, where it is not the first. */
  on?: string;
  /** What differs from the props of all states. */
  props?: Partial<Props>;
};

type SpecimensProps<Props> = {
  title: string;
  of: ComponentType<Props>;
  props: NoInfer<Props>;
  states: State<NoInfer<Props>>[];
};

/** One component in all its states side by side. */
export function Specimens<Props extends object>({ title, of, props, states }: SpecimensProps<Props>) {
  return (
    <section className={styles.specimens}>
      <h3>{title}</h3>
      <div className={styles.specimenGrid}>
        {states.map((state) => (
          <Specimen key={state.name} of={of} {...state} props={{ ...props, ...state.props }} />
        ))}
      </div>
    </section>
  );
}

type SpecimenProps<Props> = Omit<State<Props>, 'props'> & Pick<SpecimensProps<Props>, 'of' | 'props'>;

function Specimen<Props extends object>({
  of,
  name,
  shown,
  on = 'button, a, input, select',
  props,
}: SpecimenProps<Props>) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const control = box.current?.querySelector<HTMLElement>(on);
    if (shown && control) control.dataset.shown = shown;
  }, [shown, on]);
  return (
    <div className={styles.specimen}>
      <p className={styles.state}>{name}</p>
      <div ref={box}>{createElement(of, props)}</div>
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
