import { type ReaderOptions, readBarcodes } from 'zxing-wasm/reader';

const OPTIONS: ReaderOptions = {
  formats: ['QRCode'],
  maxNumberOfSymbols: 1,
  tryHarder: true,
  tryInvert: true,
};

/** The text of a code in a picture; null if there is none. */
export async function decode(picture: ImageData): Promise<string | null> {
  const [code] = await readBarcodes(picture, OPTIONS);
  return code?.isValid ? code.text : null;
}
