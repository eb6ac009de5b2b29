/** Hosts of many mailboxes, and real hosts that are spelled much like one of them. */
const HOSTS =
  'gmail.com googlemail.com ymail.com mail.com email.com yahoo.com yahoo.fr yahoo.de yahoo.ca yahoo.co.uk ' +
  'hotmail.com hotmail.fr hotmail.de hotmail.no hotmail.co.uk outlook.com outlook.fr outlook.de icloud.com ' +
  'live.com live.fr live.no live.ca msn.com aol.com proton.me protonmail.com comcast.net verizon.net ' +
  't-online.de freenet.de gmx.net gmx.com laposte.net wanadoo.fr orange.fr online.no fastmail.com';
const KNOWN = HOSTS.split(' ');
/** In shorter names one letter makes too much of a difference. */
const SHORTEST = 8;

/** The address that was probably meant, if one letter of a well-known host is missing, added, wrong or swapped. */
export function suggestEmail(email: string): string | null {
  const at = email.lastIndexOf('@');
  const host = email
    .slice(at + 1)
    .trim()
    .toLowerCase();
  if (at < 1 || KNOWN.includes(host)) return null;
  const meant = KNOWN.find((known) => known.length >= SHORTEST && isOneSlipAway(host, known));
  return meant === undefined ? null : `${email.slice(0, at).trim()}@${meant}`;
}

function isOneSlipAway(typed: string, known: string): boolean {
  let start = 0;
  while (start < typed.length && typed[start] === known[start]) start += 1;
  const [rest, knownRest] = [typed.slice(start), known.slice(start)];
  const isSwapped =
    rest[0] === knownRest[1] && rest[1] === knownRest[0] && rest.slice(2) === knownRest.slice(2);
  return (
    isSwapped ||
    rest.slice(1) === knownRest ||
    rest === knownRest.slice(1) ||
    rest.slice(1) === knownRest.slice(1)
  );
}
