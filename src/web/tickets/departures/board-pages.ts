/**
 * Splits rows into pages of a screen.
 * @param heights of the rows, in pixels
 * @param room height of the screen's part for rows
 * @returns the index of the first row of each page; a row higher than the screen has a page for itself
 */
export function splitIntoPages(heights: readonly number[], room: number): number[] {
  const firsts: number[] = [];
  let used = 0;
  heights.forEach((height, index) => {
    const isFull = used + height > room;
    if (index === 0 || isFull) {
      firsts.push(index);
      used = 0;
    }
    used += height;
  });
  return firsts;
}
