import type { WebSettings } from '#contract/settings/schemas.ts';
import type { Context } from '#server/context.ts';
import { loadWebSettings } from '#server/settings/web-settings.ts';
import type { Finding, Outside } from './finding.ts';

const ICON_SIDE = 512;
const PNG_SIGNATURE = '\x89PNG\r\n\x1a\n';
/** Signature, the header's length and type, width and height. */
const PNG_HEADER_BYTES = 24;

/** Whether the operator's logo and icons answer as pictures, and the icons in the size that the manifest states. */
export async function inspectPictures(
  { config, db }: Pick<Context, 'config' | 'db'>,
  { fetch }: Pick<Outside, 'fetch'>,
): Promise<Finding[]> {
  const { brand } = await loadWebSettings({ db });
  const load = async (address: string) => {
    const answer = await fetch(new URL(address, config.origins.tickets).href).catch(() => null);
    return answer?.ok ? answer : null;
  };
  const findings = await Promise.all([
    inspectLogo(brand, load),
    inspectIcon('icon_url', brand, load),
    inspectIcon('maskable_icon_url', brand, load),
  ]);
  return [...findMissingIcons(brand), ...findings.flat()];
}

type Load = (address: string) => Promise<Response | null>;

function findMissingIcons(brand: WebSettings['brand']): Finding[] {
  const missing = (['icon_url', 'maskable_icon_url'] as const).filter((name) => brand[name] === null);
  if (missing.length === 0) return [];
  return [
    {
      severity: 'warning',
      problem:
        brand.icon_url === null
          ? 'The installed app and browser tabs show a ferry instead of your icon.'
          : 'Android shows your icon small on a white circle.',
      remedy: `Set ${missing.map((name) => `brand.${name}`).join(' and ')} in the settings.`,
    },
  ];
}

async function inspectLogo({ logo_url }: WebSettings['brand'], load: Load): Promise<Finding[]> {
  if (logo_url === null) return [];
  const type = (await load(logo_url))?.headers.get('content-type') ?? '';
  return type.startsWith('image/') ? [] : [isNoPicture('logo_url', logo_url)];
}

async function inspectIcon(
  name: 'icon_url' | 'maskable_icon_url',
  brand: WebSettings['brand'],
  load: Load,
): Promise<Finding[]> {
  const address = brand[name];
  if (address === null) return [];
  const answer = await load(address);
  if (answer === null) return [isNoPicture(name, address)];
  const size = readPngSize(Buffer.from(await answer.arrayBuffer()));
  if (size === null || answer.headers.get('content-type') !== 'image/png')
    return [isNoPicture(name, address)];
  if (size.width === ICON_SIDE && size.height === ICON_SIDE) return [];
  return [
    {
      severity: 'error',
      problem: `brand.${name} has ${size.width} x ${size.height} pixels, so browsers may not offer to install the app.`,
      remedy: `Make it ${ICON_SIDE} x ${ICON_SIDE}.`,
    },
  ];
}

function isNoPicture(name: string, address: string): Finding {
  const kind = name === 'logo_url' ? 'a picture' : 'a PNG (image/png)';
  return {
    severity: 'error',
    problem: `brand.${name} does not answer with ${kind}: ${address}.`,
    remedy: 'Correct the address in the settings, or the server that has it.',
  };
}

function readPngSize(bytes: Buffer): { width: number; height: number } | null {
  const isPng = bytes.length >= PNG_HEADER_BYTES && bytes.toString('latin1', 0, 8) === PNG_SIGNATURE;
  return isPng ? { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) } : null;
}
