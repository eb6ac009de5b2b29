import { createHash } from 'node:crypto';
import { open, realpath } from 'node:fs/promises';
import { extname, resolve, sep } from 'node:path';

export type StorageOptions = {
  /** Only its `public` folder is served. */
  directory: string;
  /** Origins whose pages may read it. */
  allowOrigins: readonly string[];
};

export type Storage = { fetch(request: Request): Promise<Response> };

/**
 * Content types by extension. Content is never served as an active page: HTML and SVG with scripts stay text or are
 * sandboxed.
 */
const types: Record<string, string> = {
  '.json': 'application/json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.csv': 'text/csv; charset=utf-8',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
  '.svg': 'image/svg+xml',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.css': 'text/css; charset=utf-8',
};

/**
 * Serves a folder as public object storage: `GET` and `HEAD` of `/public/…`, with an ETag of the content. Any other
 * path is 404, another method 405.
 */
export function createStorage(options: StorageOptions): Storage {
  return {
    async fetch(request) {
      const headers = corsHeaders(options, request);
      if (request.method === 'OPTIONS') return preflight(headers);
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        return plain(405, 'Only GET and HEAD.', { ...headers, allow: 'GET, HEAD, OPTIONS' });
      }
      const file = await readPublic(options.directory, new URL(request.url).pathname);
      if (!file) return plain(404, 'Not found.', headers);
      const etag = `"${createHash('sha256').update(file.content).digest('base64url').slice(0, 27)}"`;
      const described = {
        ...headers,
        etag,
        'last-modified': file.modified.toUTCString(),
        'cache-control': 'no-cache',
      };
      if (matches(request, etag)) return new Response(null, { status: 304, headers: described });
      return new Response(request.method === 'HEAD' ? null : file.content, {
        headers: { ...described, 'content-type': file.type, 'content-length': String(file.content.length) },
      });
    },
  };
}

type PublicFile = { content: Buffer<ArrayBuffer>; type: string; modified: Date };

async function readPublic(directory: string, pathname: string): Promise<PublicFile | null> {
  const path = safePath(pathname);
  if (path === null) return null;
  const root = await realpath(resolve(directory, 'public')).catch(() => null);
  if (root === null) return null;
  // After resolving symbolic links, which must not lead outside the folder.
  const real = await realpath(resolve(root, path)).catch(() => null);
  if (real === null || !real.startsWith(root + sep)) return null;
  const file = await open(real, 'r').catch(() => null);
  if (!file) return null;
  try {
    const { mtime, isFile } = await file
      .stat()
      .then((stat) => ({ mtime: stat.mtime, isFile: stat.isFile() }));
    if (!isFile) return null;
    const content = Buffer.from(await file.readFile());
    return {
      content,
      modified: mtime,
      type: types[extname(real).toLowerCase()] ?? 'application/octet-stream',
    };
  } finally {
    await file.close();
  }
}

/** The path below `/public/`, decoded once; null if it could refer to anything outside it. */
function safePath(pathname: string): string | null {
  if (!pathname.startsWith('/public/')) return null;
  let path: string;
  try {
    path = decodeURIComponent(pathname.slice('/public/'.length));
  } catch {
    return null;
  }
  const steps = path.split('/');
  const unsafe = steps.some(
    (step) => step === '' || step.startsWith('.') || step.includes('\\') || step.includes('\0'),
  );
  return unsafe ? null : path;
}

function matches(request: Request, etag: string): boolean {
  const given = request.headers.get('if-none-match');
  if (given === null) return false;
  return given === '*' || given.split(',').some((one) => one.trim().replace(/^W\//, '') === etag);
}

function corsHeaders({ allowOrigins }: StorageOptions, request: Request): Record<string, string> {
  const base = {
    vary: 'origin',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  };
  const origin = request.headers.get('origin');
  if (origin === null || !allowOrigins.includes(origin)) return base;
  return { ...base, 'access-control-allow-origin': origin, 'access-control-expose-headers': 'etag' };
}

function preflight(headers: Record<string, string>): Response {
  return new Response(null, {
    status: 204,
    headers: {
      ...headers,
      'access-control-allow-methods': 'GET, HEAD',
      'access-control-allow-headers': 'if-none-match',
      'access-control-max-age': '600',
    },
  });
}

function plain(status: number, text: string, headers: Record<string, string>): Response {
  return new Response(text, { status, headers: { ...headers, 'content-type': 'text/plain; charset=utf-8' } });
}
