import type { Plugin } from 'postcss';

/** `oklch(0.3 0.05 245 / 0.1)`; a relative color, which names its origin first, does not match. */
const OKLCH = /oklch\(\s*([\d.]+)\s+([\d.]+)\s+([\d.]+)\s*(?:\/\s*([\d.]+)\s*)?\)/g;
/** How far a channel may lie outside of 0 to 1: less than one step of eight bits. */
const ROUNDING = 0.002;

/**
 * Writes every `oklch()` color as sRGB hex, for browsers without `oklch()`.
 */
export function srgbColors(): Plugin {
  return {
    postcssPlugin: 'srgb-colors',
    Declaration(declaration) {
      if (declaration.value.includes('oklch('))
        declaration.value = declaration.value.replace(OKLCH, (literal, l, c, h, alpha = '1') =>
          toHex(literal, [Number(l), Number(c), Number(h)], Number(alpha)),
        );
    },
  };
}

/** @throws {Error} for a color outside of sRGB, which would differ between browsers */
function toHex(literal: string, [l, c, h]: [number, number, number], alpha: number): string {
  const channels = linearRgb(l, c, (h * Math.PI) / 180).map(gammaEncoded);
  if (channels.some((channel) => channel < -ROUNDING || channel > 1 + ROUNDING))
    throw new Error(`${literal} is outside of sRGB; choose a lower chroma.`);
  return `#${[...channels, ...(alpha < 1 ? [alpha] : [])].map(toByte).join('')}`;
}

/** The matrices of CSS Color 4, section "Sample code for color conversions": OKLab to LMS, LMS to linear sRGB. */
function linearRgb(lightness: number, chroma: number, hue: number): [number, number, number] {
  const a = chroma * Math.cos(hue);
  const b = chroma * Math.sin(hue);
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ];
}

function gammaEncoded(linear: number): number {
  return linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055;
}

function toByte(channel: number): string {
  const byte = Math.round(Math.min(1, Math.max(0, channel)) * 255);
  return byte.toString(16).padStart(2, '0');
}
