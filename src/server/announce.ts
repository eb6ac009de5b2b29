import { HOSTS } from '#contract/hosts.ts';
import { servedHosts } from '#contract/served-hosts.ts';
import type { Config } from './config.ts';
import type { Demo } from './demo/demo.ts';
import type { DemoStaff } from './demo/demo-staff.ts';

/** Prints the addresses of a started server, and data to try it with. */
export function announce(config: Config, demo: Demo | null, hasStandIn: boolean): void {
  const { origins } = config;
  const lines = [
    '',
    '  Gangway is running.',
    '',
    ...HOSTS.map((host) => `  ${servedHosts[host].label.padEnd(16)}  ${origins[host]}`),
    ...(hasStandIn ? [`  Card provider     ${origins.pay}  (test payments)`] : []),
    ...(config.smtpUrl ? [] : [`  Mail inbox        ${origins.mail}`]),
    ...(hasStandIn ? [`  Pushes            ${origins.push}`] : []),
    ...(config.sms?.isStandIn ? [`  Text messages     ${origins.sms}`] : []),
    ...(hasStandIn ? [`  All of them       ${origins.front}`] : []),
    ...(demo ? ['', `  Demo customer     ${demo.email}  password: ${demo.password}`] : []),
    ...describeStaff(demo?.staff ?? null),
    ...(hasStandIn
      ? [
          '',
          '  Test cards        4242 4242 4242 4242 pays · 4000 0000 0000 0002 is declined',
          '                    4000 0000 0000 3220 asks for 3-D Secure (any later date, any code)',
        ]
      : []),
    ...(demo && demo.tripCards.length > 0 ? [''] : []),
    ...(demo?.tripCards ?? []).map(
      ({ number, pin }, index) =>
        `  ${(index === 0 ? 'Plastic cards' : '').padEnd(18)}${number}  PIN: ${pin}`,
    ),
    '',
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

function describeStaff(staff: DemoStaff | null): string[] {
  if (staff === null) return [];
  const [first = '', ...others] = staff.emails;
  return [
    `  Demo staff        ${first}  password: ${staff.password}`,
    ...others.map((email) => `                    ${email}`),
    `                    code: npm run --silent staff -- code ${first}`,
    `                    or an authenticator app with the key ${staff.authenticatorKey}`,
  ];
}
