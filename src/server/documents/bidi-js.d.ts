declare module 'bidi-js' {
  type EmbeddingLevels = { levels: Uint8Array };

  export default function createBidi(): {
    /** Even levels are read from left to right, odd ones from right to left. */
    getEmbeddingLevels(text: string, direction: 'ltr' | 'rtl'): EmbeddingLevels;
    /** Indices of the UTF-16 units from left to right. */
    getReorderedIndices(text: string, levels: EmbeddingLevels): number[];
    /** Null for characters that are not mirrored. */
    getMirroredCharacter(character: string): string | null;
  };
}
