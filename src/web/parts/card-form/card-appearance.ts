import type { ProviderAppearance } from '#web/platform/card-provider/types.ts';

/** The card form lives in the provider's frame, which knows no custom properties: our colours, worked out. */
export function cardAppearance(): ProviderAppearance {
  const color = colorReader();
  const isDark = window.matchMedia('(prefers-color-scheme: dark)').matches;
  return {
    theme: isDark ? 'night' : 'stripe',
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

/** Any CSS colour, `light-dark()` and `oklch()` included, as the plain notation every frame understands. */
function colorReader(): (property: string) => string {
  const probe = document.createElement('span');
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  return (property) => {
    probe.style.color = `var(${property})`;
    document.body.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    if (!context || color === '') return '#000000';
    context.fillStyle = color;
    context.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
    return `#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`;
  };
}
