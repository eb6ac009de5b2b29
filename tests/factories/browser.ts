import type { RequestOptions, TestReply, TestServer } from '#tests/setup/server.ts';

export type Browser = {
  /** Cookies it keeps, by name. Delete one, and the browser has lost it. */
  cookies: Map<string, string>;
  send(method: string, path: string, options?: RequestOptions): Promise<TestReply>;
};

/** What a browser adds to a request by itself: where the page is from, and the cookies it was given. */
export function openBrowser(
  server: Pick<TestServer, 'request' | 'deps'>,
  { from, agent }: { from?: string; agent?: string } = {},
): Browser {
  const cookies = new Map<string, string>();
  return {
    cookies,
    async send(method, path, options = {}) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const reply = await server.request(method, path, {
        ...(from === undefined ? {} : { from }),
        ...options,
        headers: {
          'sec-fetch-site': 'same-origin',
          ...(method === 'GET' ? {} : { origin: server.deps.config.origins.portal }),
          ...(agent === undefined ? {} : { 'user-agent': agent }),
          ...(cookie === '' ? {} : { cookie }),
          ...options.headers,
        },
      });
      for (const line of reply.headers.getSetCookie()) keep(cookies, line);
      return reply;
    },
  };
}

function keep(cookies: Map<string, string>, line: string): void {
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
  if (/; Max-Age=0(;|$)/.test(line)) cookies.delete(name);
  else cookies.set(name, value);
}
