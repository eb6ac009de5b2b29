import { prepareZXingModule } from 'zxing-wasm/reader';
import { fetchReader } from './kept-reader.ts';

/** Starts the reader of codes. */
export async function prepareReader(): Promise<void> {
  const wasmBinary = await fetchReader();
  await prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true });
}
