import { eq, notInArray } from 'drizzle-orm';
import type { Database } from '#server/database/database.ts';
import { pictures } from '#server/database/schema/timetable.ts';
import type { PictureFile } from './picture-files.ts';

/** Stores the pictures of a feed and removes all others. */
export async function writePictures(db: Database, files: readonly PictureFile[]): Promise<void> {
  const names = files.map(({ file }) => file);
  await db.delete(pictures).where(names.length > 0 ? notInArray(pictures.file, names) : undefined);
  // One by one, so that no statement has many megabytes.
  for (const each of files) await db.insert(pictures).values(each).onConflictDoNothing();
}

/** The content of a picture; null if no boat or terminal has it. */
export async function findPicture(db: Database, file: string): Promise<Uint8Array | null> {
  const [stored] = await db
    .select({ content: pictures.content })
    .from(pictures)
    .where(eq(pictures.file, file));
  return stored?.content ?? null;
}
