import { LRUCache } from 'lru-cache';
import type { Context } from '#server/context.ts';
import { escapeHtml } from '#server/core/markup.ts';
import type { PictureColumns } from '#server/sailings/pictures/picture-files.ts';
import { findPicture } from '#server/sailings/pictures/store-pictures.ts';
import { type Asset, createAsset, PICTURE_FOLDER } from '../assets.ts';

/** Of a boat or a terminal, with the operator's text for people who do not see it; empty: it is decoration. */
export type ShownPicture = { path: string; width: number; height: number; alt: string };

const FILE = new RegExp(`^${PICTURE_FOLDER}([\\w-]+\\.(?:avif|webp|jpg))$`);

/** All pictures of most operators; the largest has 300 KB. */
const MAX_CACHED = 60;

/** Finds the operator's pictures by their paths on the ticket host; null for other paths. */
export function createPictures({ db }: Pick<Context, 'db'>): (pathname: string) => Promise<Asset | null> {
  const cache = new LRUCache<string, Asset>({ max: MAX_CACHED });
  return async (pathname) => {
    const [, file] = FILE.exec(pathname) ?? [];
    if (file === undefined) return null;
    const cached = cache.get(file);
    if (cached) return cached;
    const content = await findPicture(db, file);
    if (content === null) return null;
    const asset = createAsset(pathname, content);
    cache.set(file, asset);
    return asset;
  };
}

/** The picture of a row whose texts are translated; null if it has none. */
export function findShownPicture({ picture, pictureAlt }: PictureColumns): ShownPicture | null {
  if (picture === null) return null;
  const { file, width, height } = picture;
  return { path: PICTURE_FOLDER + file, width, height, alt: pictureAlt };
}

/** `isFirst`: stands so high on the page that it must not wait until the reader scrolls. */
export function pictureHtml(
  { path, width, height, alt }: ShownPicture,
  { isFirst }: { isFirst: boolean },
): string {
  const loading = isFirst ? '' : ' loading="lazy"';
  return `<img class="site-picture" src="${escapeHtml(path)}" alt="${escapeHtml(alt)}" width="${width}" height="${height}" decoding="async"${loading} />`;
}
