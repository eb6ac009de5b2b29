import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { prepareZXingModule } from 'zxing-wasm/reader';
import { CONDITIONS, type Condition, isReadInTime } from '#tests/factories/code-pictures.ts';
import { decode } from '#web/staff/gate/scanner/decode.ts';
import { atLeast, type Goal } from './goal.ts';

/** Of each kind and size. */
const CODES = 100;

/** How many of a hundred codes of each size the gate's reader reads within two seconds, on made pictures. */
export async function measureGateCodes(_runs: number, report: (line: string) => void): Promise<Goal[]> {
  const wasm = fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm'));
  const wasmBinary = new Uint8Array(await readFile(wasm)).buffer;
  await prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true });
  const goals: Goal[] = [];
  for (const [condition, must] of Object.entries(CONDITIONS) as [Condition, number][]) {
    for (const modules of [49, 53] as const) {
      let read = 0;
      for (let seed = 1; seed <= CODES; seed += 1) {
        if (await isReadInTime(decode, { condition, modules, seed })) read += 1;
      }
      const name = `42 codes of ${modules} modules read, ${condition}`;
      report(`${name}: ${read}`);
      goals.push(atLeast(name, read, { must, aim: 100 }, { unit: 'of 100', digits: 0 }));
    }
  }
  return goals;
}
