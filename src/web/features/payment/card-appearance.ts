import type { ProviderAppearance } from '#web/platform/card-provider/types.ts';
import { createHexReader } from '#web/platform/hex-reader.ts';

/** Our colours as plain values: the provider's frame does not know our custom properties. */
export function cardAppearance(): ProviderAppearance {
  const color = colorReader();
  return {
    theme: isDark() ? 'night' : 'stripe',
    variables: {
      colorPrimary: color('--accent-ink'),
      colorBackground: color('--surface'),
      colorText: color('--ink'),
      colorTextSecondary: color('--muted'),
      colorTextPlaceholder: color('--muted'),
      colorDanger: color('--danger'),
      borderRadius: '12px',
      fontFamily: 'system-ui, sans-serif',
      fontSizeBase: '17px',
      spacingUnit: '5px',
    },
    rules: {
      '.Input': { border: `1.5px solid ${color('--control-line')}`, boxShadow: 'none' },
      '.Input:focus': { outline: `3px solid ${color('--focus')}`, boxShadow: 'none' },
      '.Label': { fontWeight: '650' },
    },
  };
}

/** Wallet buttons have fixed colours; only light or dark can be chosen. */
export function walletAppearance() {
  const theme = isDark() ? 'white' : 'black';
  return { buttonHeight: 52, buttonTheme: { applePay: theme, googlePay: theme } } as const;
}

function isDark(): boolean {
  return window.matchMedia('(prefers-color-scheme: dark)').matches;
}

/** Reads custom properties as hexadecimal colours. */
function colorReader(): (property: string) => string {
  const probe = document.createElement('span');
  const toHex = createHexReader();
  return (property) => {
    probe.style.color = `var(${property})`;
    document.body.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    return toHex(color);
  };
}
