declare module 'linebreak' {
  export default class LineBreaker {
    constructor(text: string);
    /** The next position where a line may end, or must end. */
    nextBreak(): { position: number; required: boolean } | null;
  }
}
