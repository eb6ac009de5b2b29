import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib';

/** A file of the web build in each encoding. */
export type Asset = {
  type: string;
  etag: string;
  /** Its name contains a content hash, so it can be cached indefinitely. */
  isImmutable: boolean;
  plain: Uint8Array<ArrayBuffer>;
  brotli: Uint8Array<ArrayBuffer> | null;
  /** Compressed on first use: almost every browser accepts Brotli. */
  readonly gzip: Uint8Array<ArrayBuffer> | null;
};

const TYPES: Record<string, string> = {
  '.avif': 'image/avif',
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};

const COMPRESSED = '.br';

/** Of the operator's pictures on the ticket host. */
export const PICTURE_FOLDER = '/pictures/';

/** Files in them have their content's hash in their names. */
const IMMUTABLE_FOLDERS = ['/assets/', PICTURE_FOLDER];

/**
 * Reads a folder of the build into memory, including precompressed files. Keys are URL paths (`/assets/main-1a2b.js`).
 */
export function loadAssets(folder: string): Map<string, Asset> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && !entry.name.endsWith(COMPRESSED),
  );
  return new Map(
    files.map((entry) => {
      const file = join(entry.parentPath, entry.name);
      const path = `/${relative(folder, file).split(sep).join('/')}`;
      const compressed = file + COMPRESSED;
      return [
        path,
        createAsset(path, readFileSync(file), existsSync(compressed) ? readFileSync(compressed) : undefined),
      ];
    }),
  );
}

/**
 * Creates an asset from text or a file; small files and compressed formats stay uncompressed.
 * @param brotli the Brotli-compressed content, if it exists
 * @param identity what the tag is made from, if that is less than the content
 */
export function createAsset(
  path: string,
  content: Uint8Array | string,
  brotli?: Uint8Array,
  identity: Uint8Array | string = content,
): Asset {
  const plain = new Uint8Array(typeof content === 'string' ? Buffer.from(content) : content);
  const type = TYPES[extname(path)] ?? 'application/octet-stream';
  const isWorthCompressing =
    plain.length > 512 && /^(text|application\/(json|manifest|wasm)|image\/svg)/.test(type);
  let gzip: Uint8Array<ArrayBuffer> | null = null;
  return {
    type,
    // Weak, because it is the same for each encoding.
    etag: `W/"${createHash('sha256').update(identity).digest('base64url').slice(0, 16)}"`,
    isImmutable: IMMUTABLE_FOLDERS.some((folder) => path.startsWith(folder)),
    plain,
    brotli: isWorthCompressing
      ? new Uint8Array(brotli ?? brotliCompressSync(plain, { params: quality(5) }))
      : null,
    get gzip() {
      if (isWorthCompressing) gzip ??= new Uint8Array(gzipSync(plain));
      return gzip;
    },
  };
}

/** Responds to a GET or HEAD for an asset: encoding by Accept-Encoding, 304 if the client has it. */
export function sendAsset(request: Request, asset: Asset, headers: Record<string, string> = {}): Response {
  const common = {
    'Content-Type': asset.type,
    'Cache-Control': asset.isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    'X-Content-Type-Options': 'nosniff',
    ETag: asset.etag,
    Vary: 'Accept-Encoding',
    ...headers,
  };
  if (matchesTag(request.headers.get('if-none-match') ?? '', asset.etag))
    return new Response(null, { status: 304, headers: common });
  const accepted = request.headers.get('accept-encoding') ?? '';
  const [encoding, body] = chooseEncoding(asset, accepted);
  return new Response(request.method === 'HEAD' ? null : body, {
    headers: encoding ? { ...common, 'Content-Encoding': encoding } : common,
  });
}

/** Takes twenty times as long as `createAsset`, for a tenth less: for a page that must arrive in the first round trip. */
export function compressClosely(text: string): Promise<Uint8Array> {
  return promisify(brotliCompress)(Buffer.from(text), { params: quality(11) });
}

/** Responds to a GET or HEAD with a personal page: not cacheable, and compressed in one encoding only. */
export async function sendPrivate(
  request: Request,
  html: string,
  headers: Record<string, string>,
): Promise<Response> {
  const accepted = request.headers.get('accept-encoding') ?? '';
  const encoding = ['br', 'gzip'].find((name) => acceptsEncoding(accepted, name));
  const plain = Buffer.from(html);
  let body = plain;
  if (encoding === 'br') body = await promisify(brotliCompress)(plain, { params: quality(4) });
  if (encoding === 'gzip') body = await promisify(gzip)(plain);
  return new Response(request.method === 'HEAD' ? null : new Uint8Array(body), {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'private, no-store',
      'X-Content-Type-Options': 'nosniff',
      Vary: 'Accept-Encoding',
      ...headers,
      ...(encoding ? { 'Content-Encoding': encoding } : {}),
    },
  });
}

function chooseEncoding(asset: Asset, accepted: string): [string | null, Uint8Array<ArrayBuffer>] {
  if (asset.brotli && acceptsEncoding(accepted, 'br')) return ['br', asset.brotli];
  if (asset.gzip && acceptsEncoding(accepted, 'gzip')) return ['gzip', asset.gzip];
  return [null, asset.plain];
}

/** A weight of 0 means that the encoding is refused. */
function acceptsEncoding(accepted: string, encoding: string): boolean {
  const named = accepted.split(',').map((each) =>
    each
      .trim()
      .toLowerCase()
      .split(/\s*;\s*q=/, 2),
  );
  return named.some(([name, weight]) => name === encoding && (weight === undefined || Number(weight) > 0));
}

/** Tags are compared without their weakness, and a client may send several. */
function matchesTag(tags: string, etag: string): boolean {
  const value = etag.replace(/^W\//, '');
  return tags.split(',').some((tag) => tag.trim().replace(/^W\//, '') === value);
}

function quality(level: 4 | 5 | 11): Record<number, number> {
  return { [constants.BROTLI_PARAM_QUALITY]: level };
}
