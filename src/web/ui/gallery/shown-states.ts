const STATES = { ':hover': 'hover', ':focus-visible': 'focus', ':active': 'active' } as const;

/**
 * Copies every rule for a pointer over a control, the focus on it or a press so that it also holds for
 * `data-shown="hover"`, `"focus"` or `"active"`: each state can be looked at, by as many as like, without a hand.
 */
export function showPseudoStates(): void {
  for (const sheet of document.styleSheets) copyRules(sheet);
}

function copyRules(parent: CSSStyleSheet | CSSGroupingRule): void {
  // From the last to the first: what is put in behind a rule moves only those already seen.
  for (let index = parent.cssRules.length - 1; index >= 0; index--) {
    const rule = parent.cssRules[index];
    if (rule instanceof CSSGroupingRule) copyRules(rule);
    else if (rule instanceof CSSStyleRule && /:hover|:focus-visible|:active/.test(rule.selectorText)) {
      parent.insertRule(`${shownSelector(rule.selectorText)} { ${rule.style.cssText} }`, index + 1);
    }
  }
}

function shownSelector(selector: string): string {
  return selector.replace(
    /:hover|:focus-visible|:active/g,
    (state) => `[data-shown="${STATES[state as keyof typeof STATES]}"]`,
  );
}
