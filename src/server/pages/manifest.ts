import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { PageConfig, WebSettings } from '#contract/settings.ts';

type Manifest = {
  name: string;
  short_name: string;
  description: string;
  start_url: string;
  shortcuts?: unknown[];
};

const source = fileURLToPath(new URL('../../../manifest.webmanifest', import.meta.url));
const portalManifest: Manifest = JSON.parse(readFileSync(source, 'utf8'));

/** The install manifest of a host under the operator's name: the portal's file, or the ticket host's made from it. */
export function composeManifest(host: PageConfig['host'], { brand }: WebSettings): string {
  const { shortcuts, ...common } = portalManifest;
  const manifest: Manifest =
    host === 'portal'
      ? { ...portalManifest, name: `${brand.name} account`, short_name: brand.name }
      : {
          ...common,
          name: `${brand.name} tickets`,
          short_name: brand.name,
          description: brand.tagline,
          start_url: '/',
        };
  return JSON.stringify(manifest);
}
