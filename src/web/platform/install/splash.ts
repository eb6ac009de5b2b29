import { pageConfig } from '../page-config.ts';

const ICON = '/icon-512.png';
/** The header's color, like the page's theme color. */
const GROUND = '#072d46';
const ORIENTATIONS = ['portrait', 'landscape'] as const;
/** Relative to the shorter side of the screen. */
const ICON_SHARE = 0.3;

/**
 * Adds the splash images that iOS shows while the installed app starts, instead of a blank page. iOS takes them from
 * the installed page, in exactly the screen's size, and only with the old meta tag beside them.
 */
export async function provideSplash(): Promise<void> {
  const { origins, settings } = pageConfig();
  const address = new URL(settings.brand.icon_url ?? ICON, window.location.href);
  // The page's policy allows no request to other servers.
  if (![window.location.origin, origins.storage].includes(address.origin)) return;
  const icon = await createImageBitmap(await (await fetch(address)).blob());
  const capable = document.createElement('meta');
  capable.name = 'apple-mobile-web-app-capable';
  capable.content = 'yes';
  const splashes = ORIENTATIONS.map((orientation) => {
    const link = document.createElement('link');
    link.rel = 'apple-touch-startup-image';
    link.media = `(orientation: ${orientation})`;
    link.href = draw(icon, orientation);
    return link;
  });
  document.head.append(capable, ...splashes);
}

/** A data URL, because the image fits this screen only. */
function draw(icon: ImageBitmap, orientation: (typeof ORIENTATIONS)[number]): string {
  const sides = [window.screen.width, window.screen.height].map((side) => side * window.devicePixelRatio);
  const [short, long] = [Math.min(...sides), Math.max(...sides)];
  const canvas = document.createElement('canvas');
  canvas.width = orientation === 'portrait' ? short : long;
  canvas.height = orientation === 'portrait' ? long : short;
  const context = canvas.getContext('2d');
  if (context === null) return '';
  context.fillStyle = GROUND;
  context.fillRect(0, 0, canvas.width, canvas.height);
  const side = short * ICON_SHARE;
  context.drawImage(icon, (canvas.width - side) / 2, (canvas.height - side) / 2, side, side);
  return canvas.toDataURL('image/png');
}
