const ICON = '/icon-512.png';
/** Of the header, as the page's theme colour. */
const GROUND = '#072d46';
const ORIENTATIONS = ['portrait', 'landscape'] as const;
/** Of the screen's shorter side. */
const ICON_SHARE = 0.3;

/**
 * What the installed app shows on iOS while it starts, which would be a blank page: that system takes it from the page
 * that was installed, as a picture of exactly its screen's size, and only where the old word for an app stands too.
 */
export async function provideSplash(): Promise<void> {
  const icon = await createImageBitmap(await (await fetch(ICON)).blob());
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

/** As a data address: a picture that only this screen can use is made here, not fetched. */
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
