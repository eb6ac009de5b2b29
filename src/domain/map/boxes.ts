/** The edges of a rectangle; `y` grows downwards. */
export type Box = { left: number; right: number; top: number; bottom: number };

export function overlaps(one: Box, other: Box): boolean {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}
