import { execFile } from 'node:child_process';
import { generateKeyPairSync, sign } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  buildParty,
  formatTicketCode,
  parseCode,
  partyFormat,
  type TicketFields,
} from '#domain/orders/ticket-code.ts';
import { issueOne } from '#tests/factories/confirmed-order.ts';

const { privateKey, key } = generateKey();
const clock = { now: () => new Date() };
const ticketSigner = {
  keyId: 'k1',
  sign: (message: Uint8Array) => new Uint8Array(sign(null, message, privateKey)),
};
const keys = {
  success: true,
  data: [
    { key_id: 'k1', algorithm: 'Ed25519', key, not_before: '2026-06-01T15:00:00.000Z', not_after: null },
  ],
};
const folder = mkdtempSync(join(tmpdir(), 'gangway-verify-'));
const keysFile = join(folder, 'keys.json');
const tomorrow = new Date(Date.now() + 86_400_000);
const code = issueOne({ clock, ticketSigner }, { departsAt: tomorrow });
let api: Server;
let askedHost: string | undefined;

beforeAll(async () => {
  writeFileSync(keysFile, JSON.stringify(keys));
  api = createServer((request, response) => {
    askedHost = request.headers.host;
    response.end(JSON.stringify(keys));
  });
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  api.close();
  rmSync(folder, { recursive: true });
});

describe('the command that verifies a ticket', () => {
  it('accepts a genuine ticket, with a key, a file of keys or the address of the keys', async () => {
    const { port } = api.address() as AddressInfo;
    for (const from of [
      ['--key', key],
      ['--keys-file', keysFile],
      ['--keys-url', `http://tickets.ferry.localhost:${port}/api/keys`],
    ]) {
      const { status, output } = await run([code, ...from]);
      expect(output).toMatch(/^VALID\. [\s\S]*passenger \(adult\)[\s\S]*1 of 1[\s\S]*K7M4-QXP8/);
      expect(status).toBe(0);
    }
    expect(askedHost).toBe(`tickets.ferry.localhost:${port}`);
  });

  it('accepts a code that the scanner sent twice', async () => {
    for (const sent of [[`${code}${code}`], [code, code], [`${code}\n${code}\n`]]) {
      const { status, output } = await run([...sent, '--key', key]);
      expect(output).toMatch(/^VALID\./);
      expect(status).toBe(0);
    }
  });

  it('asks the server on this machine when no key is given', async () => {
    const { port } = api.address() as AddressInfo;
    const { status } = await run([code], { PORT: String(port) });
    expect(status).toBe(0);
    expect(askedHost).toBe(`tickets.ferry.localhost:${port}`);
  });

  it('accepts the code of a whole party, and lists whom it admits', async () => {
    const singles = [code, issueOne({ clock, ticketSigner }, { departsAt: tomorrow })].map(readTicket);
    const party = buildParty(singles, { keyId: 'k1', version: 2 });
    if (party === null) throw new Error('Two tickets make no party.');
    const signed = partyFormat.encode(party);
    const { status, output } = await run([formatTicketCode(signed, ticketSigner.sign(signed)), '--key', key]);
    expect(output).toMatch(/^VALID\. [\s\S]*whole party: 2 travelers[\s\S]*K7M4-QXP8[\s\S]*version 2/);
    expect(status).toBe(0);
  });

  it('refuses a ticket on the list of revoked ones, and a party’s code for more than is left', async () => {
    const other = issueOne({ clock, ticketSigner }, { departsAt: tomorrow });
    const [canceled, left] = [code, other].map(readTicket);
    const list = join(folder, 'revoked.csv');
    const { ticketId, reference, sailingId } = canceled!;
    writeFileSync(
      list,
      `ticket,order,sailing,passengers,vehicles,bicycles\n${ticketId},${reference},${sailingId},1,0,0\n`,
    );
    const before = partyFormat.encode(buildParty([canceled!, left!], { keyId: 'k1', version: 2 })!);
    for (const [refused, words] of [
      [code, /^NOT VALID\. Genuine, but canceled or replaced[\s\S]*1 of 1/],
      [
        formatTicketCode(before, ticketSigner.sign(before)),
        /^NOT VALID\. Genuine, but tickets of this party were canceled/,
      ],
    ] as const) {
      expect((await run([refused, '--key', key])).status).toBe(0);
      const { status, output } = await run([refused, '--key', key, '--revoked', list]);
      expect(output).toMatch(words);
      expect(status).toBe(1);
    }
    expect((await run([other, '--key', key, '--revoked', list])).status).toBe(0);
    const wrong = await run([other, '--key', key, '--revoked', keysFile]);
    expect(wrong.output).toContain('Could not check');
  });

  it('refuses all other codes with a reason and exit code 1', async () => {
    const yesterday = issueOne(
      { clock, ticketSigner },
      {
        departsAt: new Date(Date.now() - 3 * 86_400_000),
      },
    );
    for (const [args, words] of [
      [[`${code.slice(0, 30)}${code[30] === 'Z' ? 'Y' : 'Z'}${code.slice(31)}`, '--key', key], 'NOT VALID'],
      [['hello', '--key', key], 'not a ticket'],
      [[yesterday, '--key', key], 'time is over'],
      [[code, '--key', 'nonsense'], 'Could not check'],
      [[code, '--keys-file', join(folder, 'missing.json')], 'Could not check'],
      [[], 'npm run verify-ticket'],
    ] as const) {
      const { status, output } = await run(args);
      expect(output).toContain(words);
      expect(status).toBe(1);
    }
  });
});

function readTicket(payload: string): TicketFields {
  const parsed = parseCode(payload);
  if (!parsed.ok || parsed.type !== 'ticket') throw new Error('A ticket has no ticket code.');
  return parsed.fields;
}

function run(
  args: readonly string[],
  environment: Record<string, string> = {},
): Promise<{ status: number; output: string }> {
  const command = ['src/server/commands/verify-ticket.ts', ...args];
  return new Promise((resolve) => {
    execFile(process.execPath, command, { env: { ...process.env, ...environment } }, (error, stdout) =>
      resolve({ status: error ? Number(error.code) : 0, output: stdout }),
    );
  });
}

/** A key pair whose public key begins with a dash, as one of 64 does. */
function generateKey() {
  for (;;) {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const key = publicKey.export({ format: 'jwk' }).x ?? '';
    if (key.startsWith('-')) return { privateKey, key };
  }
}
