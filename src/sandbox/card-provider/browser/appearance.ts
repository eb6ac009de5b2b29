import type { Appearance } from './messages.ts';

const themes: Record<string, Record<string, string>> = {
  stripe: {},
  flat: { '--pay-ground': '#f1f1f3', '--pay-border': '#878b94' },
  night: {
    '--pay-text': '#e4e9ef',
    '--pay-ground': '#21262e',
    '--pay-primary': '#85d996',
    '--pay-danger': '#fe87a1',
    '--pay-soft': '#a4adb9',
    '--pay-placeholder': '#98a2af',
    '--pay-border': '#6f7a87',
  },
};

const variables: Record<string, string> = {
  colorPrimary: '--pay-primary',
  colorBackground: '--pay-ground',
  colorText: '--pay-text',
  colorDanger: '--pay-danger',
  colorTextSecondary: '--pay-soft',
  colorTextPlaceholder: '--pay-placeholder',
  inputColorBorder: '--pay-border',
  borderRadius: '--pay-radius',
  fontFamily: '--pay-font',
  fontSizeBase: '--pay-size',
  gridRowSpacing: '--pay-gap',
};

/** Applies the merchant's colors, corners and fonts to the frame. Unsafe values are ignored. */
export function applyAppearance(appearance: Appearance): void {
  const root = document.documentElement;
  const night = appearance.theme === 'night';
  root.style.colorScheme = night ? 'dark' : 'light';
  for (const name of Object.values(variables)) root.style.removeProperty(name);
  for (const [name, value] of Object.entries(themes[appearance.theme ?? 'stripe'] ?? {}))
    root.style.setProperty(name, value);
  for (const [name, value] of Object.entries(appearance.variables ?? {})) {
    const property = variables[name];
    if (property && typeof value === 'string' && /^[^;{}]{1,200}$/.test(value) && !/url\(/i.test(value)) {
      root.style.setProperty(property, value);
    }
  }
}

/** An element with properties. */
export function build<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]> = {},
): HTMLElementTagNameMap[Tag] {
  return Object.assign(document.createElement(tag), properties);
}
