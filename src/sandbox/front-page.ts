import { html } from 'hono/html';
import { HOSTS, type Host } from '#contract/hosts.ts';
import { servedHosts } from '#contract/served-hosts.ts';
import { type Html, page, table } from './page.ts';

export type FrontPageOptions = {
  /** `sms`: null if it is off. */
  origins: Record<Host | 'pay' | 'mail' | 'push' | 'storage', string> & { sms: string | null };
  /** An account to try the portal with, and plastic cards to add to it. */
  demo?: {
    email: string;
    password: string;
    tripCards: readonly { number: string; pin: string }[];
    staff: { emails: readonly string[]; password: string; authenticatorKey: string } | null;
  };
  testCards: readonly { number: string; effect: string }[];
};

const styles = `
main{max-width:44rem}
ul{list-style:none;margin:1.5rem 0;padding:0;display:grid;gap:.8rem}
li a{display:block;color:inherit;text-decoration:none}
li a:hover{border-color:var(--accent)}
li strong{display:block;font-size:1.1rem;color:var(--accent)}
dl{display:grid;grid-template-columns:auto 1fr;gap:.3rem 1.2rem;margin:0}
dt{color:var(--soft)}
dd{margin:0;overflow-wrap:anywhere}
td code{white-space:nowrap}
.wave{display:block;width:100%;height:28px;color:var(--accent)}
`;

/** Creates the start page of a default installation: the addresses, and data to try it with. */
export function createFrontPage(options: FrontPageOptions): { fetch(request: Request): Promise<Response> } {
  return {
    async fetch(request) {
      const { pathname } = new URL(request.url);
      if (request.method !== 'GET' && request.method !== 'HEAD')
        return new Response('Only GET.', { status: 405 });
      if (pathname !== '/') return page({ title: 'Not found', body: notFound(), status: 404 });
      return page({ title: 'Gangway', body: welcome(options), styles });
    },
  };
}

function notFound(): Html {
  return html`<main><h1>Not found</h1><p><a href="/">Start page</a></p></main>`;
}

function welcome({ origins, demo, testCards }: FrontPageOptions): Html {
  const hosts = [
    ...HOSTS.map((host) => [`${origins[host]}/`, servedHosts[host].label, servedHosts[host].about]),
    [`${origins.mail}/`, 'Mail', 'Every mail the product sent. Sign-in links arrive here.'],
    [`${origins.push}/`, 'Pushes', 'What browsers of the sandbox were told about late and canceled boats.'],
    ...(origins.sms === null
      ? []
      : [[`${origins.sms}/`, 'Text messages', 'What telephones were told about boats that leave soon.']]),
    [`${origins.pay}/`, 'Card provider', 'Test payments, webhooks, and knobs that make them misbehave.'],
    [`${origins.tickets}/departures`, 'Departures', 'Today’s boats of each port as they really run.'],
    [`${origins.tickets}/gtfs/timetable.zip`, 'GTFS', 'The timetable for trip planners.'],
    [
      `${origins.storage}/public/settings/web.json`,
      'Storage',
      'The settings of the operator, as browsers read them.',
    ],
  ];
  return html`<main>
<svg class="wave" viewBox="0 0 240 28" preserveAspectRatio="none" aria-hidden="true"><path d="M0 18q15-14 30 0t30 0 30 0 30 0 30 0 30 0 30 0 30 0" fill="none" stroke="currentColor" stroke-width="3"/></svg>
<h1>Gangway is running</h1>
<p class="soft">Everything on this page runs on this machine. No money moves, no mail leaves.</p>
<ul>${hosts.map(([href, name, about]) => html`<li><a class="card" href="${href}"><strong>${name}</strong>${about}</a></li>`)}</ul>
${demo ? demoAccount(demo) : ''}
${demo?.staff ? demoStaff(demo.staff) : ''}
<h2>Test cards</h2>
<p class="soft">Any expiry in the future, any security code.</p>
${table(
  'Test cards',
  ['Number', 'What it does'],
  testCards.map(({ number, effect }) => [html`<code>${number}</code>`, effect]),
)}
${demo && demo.tripCards.length > 0 ? plasticCards(demo.tripCards) : ''}
</main>`;
}

function demoAccount({ email, password }: { email: string; password: string }): Html {
  return html`<h2>Demo account</h2>
<div class="card"><dl><dt>Email</dt><dd><code>${email}</code></dd><dt>Password</dt><dd><code>${password}</code></dd></dl></div>`;
}

function demoStaff({
  emails,
  password,
  authenticatorKey,
}: NonNullable<NonNullable<FrontPageOptions['demo']>['staff']>): Html {
  return html`<h2>Demo staff</h2>
<p class="soft">They sign in with a password and a code: of an authenticator app with this key, or of <code>npm run --silent staff -- code EMAIL</code>.</p>
<div class="card"><dl><dt>Emails</dt><dd>${emails.map((email) => html`<code>${email}</code><br>`)}</dd><dt>Password</dt><dd><code>${password}</code></dd><dt>Key</dt><dd><code>${authenticatorKey}</code></dd></dl></div>`;
}

function plasticCards(cards: readonly { number: string; pin: string }[]): Html {
  return html`<h2>Plastic trip cards</h2>
<p class="soft">Each has money on it, and goes on one account: My account, Trip Cards, Add a plastic card.</p>
${table(
  'Plastic trip cards',
  ['Number', 'PIN'],
  cards.map(({ number, pin }) => [html`<code>${number}</code>`, html`<code>${pin}</code>`]),
)}`;
}
