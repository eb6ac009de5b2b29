import { open, realpath } from 'node:fs/promises';
import { extname, resolve, sep } from 'node:path';
import { Hono } from 'hono';
import { cors } from 'hono/cors';
import { etag } from 'hono/etag';

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
export function createStorage({ directory, allowOrigins }: StorageOptions): Storage {
  const origin = [...allowOrigins];
  const app = new Hono();
  app.use(
    cors({
      origin,
      allowMethods: ['GET', 'HEAD'],
      allowHeaders: ['if-none-match'],
      exposeHeaders: ['etag'],
      maxAge: 600,
    }),
    async (context, next) => {
      await next();
      context.header('x-content-type-options', 'nosniff');
      context.header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox");
    },
    etag({ retainedHeaders: ['etag', 'last-modified', 'cache-control'] }),
  );
  app.get('*', async (context) => {
    const file = await readPublic(directory, new URL(context.req.url).pathname);
    if (!file) return context.text('Not found.', 404);
    return context.body(file.content, 200, {
      'content-type': file.type,
      'content-length': String(file.content.length),
      'last-modified': file.modified.toUTCString(),
      'cache-control': 'no-cache',
    });
  });
  app.all('*', (context) => context.text('Only GET and HEAD.', 405, { allow: 'GET, HEAD, OPTIONS' }));
  return { fetch: async (request) => app.fetch(request) };
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
    const stat = await file.stat();
    if (!stat.isFile()) return null;
    const type = types[extname(real).toLowerCase()] ?? 'application/octet-stream';
    return { content: Buffer.from(await file.readFile()), modified: stat.mtime, type };
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
