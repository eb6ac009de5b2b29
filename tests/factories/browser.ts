import type { RequestOptions, TestReply, TestServer } from '#tests/setup/server.ts';

export type Browser = {
  /** The browser's cookies by name; delete one to simulate its loss. */
  cookies: Map<string, string>;
  send(method: string, path: string, options?: RequestOptions): Promise<TestReply>;
};

/** Adds what a browser sends with every request: the page's origin and its cookies. */
export function openBrowser(
  server: Pick<TestServer, 'request' | 'context'>,
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
          ...(method === 'GET' ? {} : { origin: server.context.config.origins.portal }),
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
