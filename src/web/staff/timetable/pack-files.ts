import { UPLOAD_LIMIT_BYTES } from '#contract/desk/timetable/limits.ts';

/** Why chosen files cannot be sent. */
export class PackingError extends Error {
  override readonly name = 'PackingError';
  readonly reason: 'too_large' | 'several_archives' | 'unreadable';

  constructor(reason: PackingError['reason']) {
    super(reason);
    this.reason = reason;
  }
}

/**
 * Packs the chosen files, or takes the one archive as it is.
 * @returns the archive in base64
 * @throws {PackingError}
 */
export async function packFiles(files: readonly File[]): Promise<string> {
  const [first] = files;
  const isArchive = files.some(({ name }) => /\.zip$/i.test(name));
  if (isArchive && files.length > 1) throw new PackingError('several_archives');
  const archive = isArchive && first ? await readBytes(first) : await zipFiles(files);
  if (archive.byteLength > UPLOAD_LIMIT_BYTES) throw new PackingError('too_large');
  return toBase64(archive);
}

async function zipFiles(files: readonly File[]): Promise<Uint8Array<ArrayBuffer>> {
  const { zipSync } = await import('fflate');
  const entries = await Promise.all(
    files.map(async (file) => [withoutCopyNumber(file.name), await readBytes(file)] as const),
  );
  return zipSync(Object.fromEntries(entries)) as Uint8Array<ArrayBuffer>;
}

/** A browser names the second download of a file `fares (1).csv`. */
function withoutCopyNumber(name: string): string {
  return name.replace(/ ?\(\d+\)(?=\.\w+$)/, '');
}

/** A browser does not read a file that another program has changed since it was chosen. */
async function readBytes(file: File): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return new Uint8Array(await file.arrayBuffer());
  } catch {
    throw new PackingError('unreadable');
  }
}

function toBase64(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(new Blob([bytes]));
  });
}
