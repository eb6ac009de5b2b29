import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { channel } from 'node:diagnostics_channel';
import { availableParallelism } from 'node:os';
import { type Caller, createWorkQueue } from '#server/http/work-queue.ts';

/** 19 MiB, two passes, one lane. Stored in each hash, so that old hashes verify after an increase. */
const MEMORY_KIB = 19_456;
const PASSES = 2;
const LANES = 1;
const HASH_BYTES = 32;
const SALT_BYTES = 16;

/** The largest cost accepted from a stored hash, to bound the work. */
const MAX_MEMORY_KIB = 1_048_576;
const MAX_PASSES = 16;
const PHC =
  /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/;

/**
 * Each hash takes 19 MiB and a core, so at most one per core runs at a time. The waiting ones take about a second on
 * two cores.
 */
export const hashQueue = createWorkQueue({ slots: availableParallelism(), waiting: 64, waitingPerKey: 16 });

/** Publishes the key of each caller whose hash is computed. */
export const hashChannel = channel('gangway:password-hash');

/** The caller of the operator's commands, which hash one password after the other. */
const OPERATOR: Caller = { key: 'operator' };

/**
 * Hashes a password with argon2id into a PHC string. The password is normalized, so that composed and decomposed
 * characters are equal.
 * @throws {ApiError} server_busy
 */
export async function hashPassword(password: string, caller: Caller = OPERATOR): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const costs = { salt, memory: MEMORY_KIB, passes: PASSES, lanes: LANES, bytes: HASH_BYTES };
  const hash = await derive(password, costs, caller);
  return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${LANES}$${unpadded(salt)}$${unpadded(hash)}`;
}

/**
 * Whether the password matches the hash. Without a hash (unknown customer or no password) the same work is done before
 * returning false, so that timing reveals nothing.
 * @throws {ApiError} server_busy
 */
export async function verifyPassword(
  password: string,
  stored: string | null,
  caller: Caller = OPERATOR,
): Promise<boolean> {
  const phc = parsePhc(stored ?? DUMMY) ?? parsePhc(DUMMY);
  if (!phc) return false;
  const hash = await derive(password, { ...phc, bytes: phc.hash.length }, caller);
  return timingSafeEqual(hash, phc.hash) && stored !== null;
}

type Costs = { salt: Buffer; memory: number; passes: number; lanes: number };

const DUMMY = `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${LANES}$${unpadded(randomBytes(SALT_BYTES))}$${unpadded(randomBytes(HASH_BYTES))}`;

function derive(
  password: string,
  { salt, memory, passes, lanes, bytes }: Costs & { bytes: number },
  caller: Caller,
): Promise<Buffer> {
  const parameters = {
    message: password.normalize('NFC'),
    nonce: salt,
    memory,
    passes,
    parallelism: lanes,
    tagLength: bytes,
  };
  return hashQueue.run(caller, () => {
    hashChannel.publish(caller.key);
    return new Promise((resolve, reject) => {
      argon2('argon2id', parameters, (error, hash) => (error ? reject(error) : resolve(hash)));
    });
  });
}

function parsePhc(text: string): (Costs & { hash: Buffer }) | null {
  const match = PHC.exec(text);
  if (!match) return null;
  const [, memory, passes, lanes, salt = '', hash = ''] = match;
  const costs = { memory: Number(memory), passes: Number(passes), lanes: Number(lanes) };
  if (costs.memory > MAX_MEMORY_KIB || costs.passes > MAX_PASSES) return null;
  return { ...costs, salt: Buffer.from(salt, 'base64'), hash: Buffer.from(hash, 'base64') };
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
