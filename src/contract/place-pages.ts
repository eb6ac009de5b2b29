import { fillPath } from './paths.ts';

/** Paths of the ticket host's pages of a boat and of a port, which the server renders without the app. */
export const placePages = { vessel: '/vessels/{slug}', terminal: '/terminals/{code}' } as const;

/** `/vessels/mv-tidewater`, from the boat's name in any language. */
export function vesselAddress(name: string): string {
  const slug = name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '');
  return fillPath(placePages.vessel, { slug });
}

/** `/terminals/MAD`. */
export function terminalAddress(code: string): string {
  return fillPath(placePages.terminal, { code });
}
