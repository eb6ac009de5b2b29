import { type KeyObject, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { parseArgs } from 'node:util';
import { parse } from 'csv-parse/sync';
import * as z from 'zod/mini';
import { type TicketKey, TicketKeySchema } from '#contract/orders/schemas.ts';
import { formatInstant } from '#domain/format/dates.ts';
import {
  type ParsedCode,
  type PartyFields,
  parseCode,
  type TicketFields,
} from '#domain/orders/ticket-code.ts';
import { COMMAND_LANGUAGE } from '#messages/text-locale.ts';
import { describeParty } from '#sentences/party.ts';
import { textsIn } from '#server/core/texts.ts';
import { readConfig } from '../config.ts';
import { readPublicKey } from '../core/ed25519.ts';

const USAGE = `Checks a ticket code with the operator's public keys alone, as a gate does, and says what the gate would show.

  npm run verify-ticket -- CODE [--key BASE64URL | --keys-file FILE | --keys-url URL] [--revoked FILE]

  CODE         the text of the QR code; spaces, dashes and lower case do not matter
  --key        a public key, as "key" in /api/keys
  --keys-file  what /api/keys answered, saved
  --keys-url   where /api/keys is; without any of these the server running on this machine is asked
  --revoked    a list of canceled and replaced tickets, as "npm run sailings -- revoked --csv" prints it

Exit code 0: the ticket is good. 1: it is not, or it could not be checked.
`;

/** The result of a check at the gate: its verdict first, then what the ticket admits. */
type Verdict = { isValid: boolean; lines: string[] };

/** Keys by id; '*' is a single key that is tried for every ticket. */
type Keys = ReadonlyMap<string, KeyObject>;

const REFUSALS = {
  not_a_ticket: 'This is not a ticket of this operator.',
  unknown_format: 'This ticket is of a newer kind. Update the reader.',
  damaged: 'The code is damaged or incomplete. Scan it again, or type the boarding code.',
};

const REVOKED = {
  ticket: 'Genuine, but canceled or replaced by another ticket.',
  party: 'Genuine, but tickets of this party were canceled or replaced since. Scan the single tickets.',
};

/** Whether a ticket was canceled or replaced since its code was signed. */
type RevokedCheck = (parsed: SignedCode) => boolean;
type SignedCode = Extract<ParsedCode, { ok: true }>;

/** Checks a code like an offline gate: the signature, whether it was canceled since, then the validity. */
export function checkTicket(
  code: string,
  keys: Keys,
  now: Date,
  isRevoked: RevokedCheck = () => false,
): Verdict {
  const parsed = parseCode(code);
  if (!parsed.ok) return rejectCode(REFUSALS[parsed.reason]);
  const key = keys.get(parsed.fields.keyId) ?? keys.get('*');
  if (!key)
    return rejectCode(`It names the key ${parsed.fields.keyId}, which is not among the operator's keys.`);
  if (!verify(null, parsed.signed, key, parsed.signature)) {
    return rejectCode('The signature does not match: forged or altered.');
  }
  if (isRevoked(parsed)) {
    return { isValid: false, lines: [`NOT VALID. ${REVOKED[parsed.type]}`, ...describe(parsed)] };
  }
  const isExpired = parsed.fields.validUntilMinute * 60_000 < now.getTime();
  const verdict = isExpired
    ? 'NO LONGER VALID. Genuine, but its time is over.'
    : 'VALID. The signature is genuine.';
  return { isValid: !isExpired, lines: [verdict, ...describe(parsed)] };
}

function rejectCode(reason: string): Verdict {
  return { isValid: false, lines: [`NOT VALID. ${reason}`] };
}

/** Parses the response of `/api/keys`, with or without its envelope. */
export function readKeys(json: unknown): Keys {
  const list = z.array(TicketKeySchema);
  const parsed = z.union([z.object({ data: list }), list]).parse(json);
  const keys: TicketKey[] = Array.isArray(parsed) ? parsed : parsed.data;
  return new Map(keys.map(({ key_id, key }) => [key_id, readPublicKey(key)]));
}

const COUNTS = ['passengers', 'vehicles', 'bicycles'] as const;

/**
 * Reads the list of revoked tickets. The code of a whole party is revoked if it admits more than its order still has on
 * the sailing.
 * @throws {Error} if the text is another file
 */
export function readRevoked(csv: string): RevokedCheck {
  const rows: Record<string, string>[] = parse(csv, { columns: true, skip_empty_lines: true });
  if (!csv.startsWith('ticket,')) throw new Error('The list of revoked tickets has another form.');
  const tickets = new Set(rows.map(({ ticket }) => ticket));
  const parties = new Map(rows.map((row) => [`${row.order} ${row.sailing}`, row]));
  return ({ type, fields }) => {
    if (type === 'ticket') return tickets.has(fields.ticketId);
    const left = parties.get(`${fields.reference} ${fields.sailingId}`);
    return left !== undefined && COUNTS.some((count) => fields[count] > Number(left[count]));
  };
}

function describe(parsed: SignedCode): string[] {
  return parsed.type === 'party' ? describePartyCode(parsed.fields) : describeTicket(parsed.fields);
}

function describePartyCode(fields: PartyFields): string[] {
  return [
    `  For        the whole party: ${describeParty(textsIn(COMMAND_LANGUAGE), fields)}${describeLength(fields)}`,
    ...describeSailing(fields),
    `  Code       of the order, version ${fields.version}, signed with key ${fields.keyId}`,
    '  Single tickets of this order that were already let aboard count against it.',
  ];
}

function describeTicket(fields: TicketFields): string[] {
  const type = fields.typeCode ? ` (${fields.typeCode})` : '';
  return [
    `  For        ${fields.kind}${type}${describeLength(fields)}`,
    `  Party      ${fields.partyIndex} of ${fields.partySize}`,
    ...describeSailing(fields),
    `  Ticket     ${fields.ticketId}, version ${fields.version}, signed with key ${fields.keyId}`,
  ];
}

function describeSailing(fields: TicketFields | PartyFields): string[] {
  return [
    `  Departs    ${formatMinute(fields.departsMinute)}`,
    `  Good until ${formatMinute(fields.validUntilMinute)}`,
    `  Sailing    ${fields.sailingId}`,
    `  Reference  ${fields.reference}`,
  ];
}

function describeLength({ lengthCm }: Pick<TicketFields, 'lengthCm'>): string {
  return lengthCm > 0 ? `, ${(lengthCm / 100).toFixed(2)} m long` : '';
}

function formatMinute(minute: number): string {
  return `${formatInstant('longDayAndClock', minute * 60_000, { language: COMMAND_LANGUAGE, zone: 'UTC' })} UTC`;
}

async function run(args: readonly string[]): Promise<Verdict> {
  const { values, positionals } = parseArgs({
    args: joinKey(args),
    allowPositionals: true,
    options: {
      key: { type: 'string' },
      'keys-file': { type: 'string' },
      'keys-url': { type: 'string' },
      revoked: { type: 'string' },
    },
  });
  const code = positionals.join('');
  if (!code) return { isValid: false, lines: [USAGE] };
  const { revoked } = values;
  const isRevoked = revoked === undefined ? undefined : readRevoked(readFileSync(revoked, 'utf8'));
  return checkTicket(code, await findKeys(values), new Date(), isRevoked);
}

/** Writes `--key KEY` as `--key=KEY`, because `parseArgs` takes a key that begins with a dash for an option. */
function joinKey(args: readonly string[]): string[] {
  const at = args.indexOf('--key');
  return at === -1 ? [...args] : args.toSpliced(at, 2, `--key=${args[at + 1] ?? ''}`);
}

async function findKeys(from: { key?: string; 'keys-file'?: string; 'keys-url'?: string }): Promise<Keys> {
  if (from.key) return new Map([['*', readPublicKey(from.key)]]);
  if (from['keys-file']) return readKeys(JSON.parse(readFileSync(from['keys-file'], 'utf8')));
  return readKeys(JSON.parse(await fetchKeys(from['keys-url'])));
}

/**
 * Node does not resolve names below `.localhost` to this machine as browsers do, so the Host header carries the name.
 */
function fetchKeys(keysUrl: string | undefined): Promise<string> {
  const url = new URL(keysUrl ?? `${readConfig().origins.tickets}/api/keys`);
  if (url.protocol === 'https:') return fetch(url).then((response) => response.text());
  const host = url.hostname.endsWith('.localhost') ? '127.0.0.1' : url.hostname;
  const port = keysUrl ? url.port || 80 : readConfig().port;
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { host, port, path: url.pathname + url.search, headers: { host: url.host }, timeout: 10_000 },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (part: string) => {
          text += part;
        });
        response.on('end', () => resolve(text));
      },
    );
    outgoing.on('timeout', () => outgoing.destroy(new Error('no answer')));
    outgoing.on('error', reject);
    outgoing.end();
  });
}

if (import.meta.main) {
  const verdict = await run(process.argv.slice(2)).catch(
    (error: unknown): Verdict => ({
      isValid: false,
      lines: [`Could not check: ${error instanceof Error ? error.message : String(error)}`, '', USAGE],
    }),
  );
  process.stdout.write(`${verdict.lines.join('\n')}\n`);
  process.exitCode = verdict.isValid ? 0 : 1;
}
