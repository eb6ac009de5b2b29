import { createHash } from 'node:crypto';
import type { Row } from '#server/csv/table.ts';
import type { Picture } from '#server/database/schema/timetable.ts';
import { readPictureFormat } from './picture-format.ts';

/** Enough for a photograph that fills a laptop's screen. */
const MAX_KB = 300;

/** The folder beside the tables of a feed in which pictures may be. */
export const PICTURE_FOLDER = 'pictures';

const PICTURE_NAME = /^[^/\\]+\.(avif|webp|jpe?g)$/i;

type Files = ReadonlyMap<string, Uint8Array>;

/** A picture under the name with which it is published. */
export type PictureFile = { file: string; content: Uint8Array };

/** What the columns `picture` and `picture_alt` say. */
export type PictureColumns = { picture: Picture | null; pictureAlt: string };

/** Whether an import reads a file of this name as a picture. */
export function isPictureName(name: string): boolean {
  return PICTURE_NAME.test(name);
}

/** The picture that a row names, after checking the file. */
export function readPictureColumns(row: Row, files: Files): PictureColumns {
  return { picture: readPicture(row, files), pictureAlt: row.text('picture_alt') };
}

/** The pictures that rows of a plan have, to be stored. */
export function listPictures(
  files: Files,
  rows: readonly Pick<PictureColumns, 'picture'>[],
): { used: PictureFile[]; unused: string[] } {
  const published = new Set(rows.flatMap(({ picture }) => picture?.file ?? []));
  const used = new Map<string, Uint8Array>();
  const unused: string[] = [];
  for (const [name, content] of files) {
    if (!isPictureName(name)) continue;
    const file = describePicture(content)?.file ?? '';
    if (published.has(file)) used.set(file, content);
    else unused.push(name);
  }
  return { used: [...used].map(([file, content]) => ({ file, content })), unused };
}

function readPicture(row: Row, files: Files): Picture | null {
  const name = row.text('picture');
  if (name === '') return null;
  const refuse = (message: string) => {
    row.problem('picture', message);
    return null;
  };
  if (!isPictureName(name))
    return refuse(
      `"${name}" is not the name of a picture. Name a file without its folder, ending in .avif, .webp or .jpg.`,
    );
  const content = files.get(name);
  if (!content) return refuse(`There is no file ${name} beside this one or in its folder ${PICTURE_FOLDER}.`);
  if (content.length > MAX_KB * 1024)
    return refuse(`${name} has ${Math.ceil(content.length / 1024)} KB; ${MAX_KB} KB are allowed.`);
  const picture = describePicture(content);
  const ending = name.replace(/^.*\./, '').toLowerCase().replace('jpeg', 'jpg');
  return picture?.file.endsWith(`.${ending}`)
    ? picture
    : refuse(`The content of ${name} is not a picture of the type that its name says.`);
}

/** Named after its content, so that browsers may cache it without asking again. */
function describePicture(content: Uint8Array): Picture | null {
  const format = readPictureFormat(content);
  if (!format) return null;
  const { type, width, height } = format;
  const hash = createHash('sha256').update(content).digest('base64url').slice(0, 22);
  return { file: `${hash}.${type}`, width, height };
}
