import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/*
 * Loaded into a server before its own modules: while the file that FULL_DISK names exists, every write that makes a
 * file longer fails, as on a full disk.
 */
const { existsSync, fstatSync, writeSync } = fs;
const ENOSPC = { code: 'ENOSPC', errno: -28, syscall: 'write' };

fs.writeSync = (fd, data, offset, length, position) => {
  if (existsSync(process.env.FULL_DISK ?? '')) {
    const { size } = fstatSync(fd);
    const end = (position ?? size) + (length ?? data.length);
    if (end > size) throw Object.assign(new Error('ENOSPC: no space left on device'), ENOSPC);
  }
  return writeSync(fd, data, offset, length, position);
};
syncBuiltinESMExports();
