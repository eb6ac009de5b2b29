import { randomFillSync } from 'node:crypto';

const BLOCK_BYTES = 4096;

const block = Buffer.alloc(BLOCK_BYTES);
let used = BLOCK_BYTES;

/**
 * Unpredictable bytes for ids and initialization vectors. A sale needs a dozen of them, so they are cut from a block: each
 * call of the generator costs as much as filling the block. What is handed out is erased from the block.
 * @param size in bytes, at most 4096
 */
export function takeRandomBytes(size: number): Buffer {
  if (used + size > BLOCK_BYTES) {
    randomFillSync(block);
    used = 0;
  }
  const bytes = Buffer.from(block.subarray(used, used + size));
  block.fill(0, used, used + size);
  used += size;
  return bytes;
}
