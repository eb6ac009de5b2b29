/** Converts any CSS color that this browser supports, including `oklch()`, to `#rrggbb`. Others become white. */
export function createHexReader(): (color: string) => string {
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  return (color) => {
    if (context === null) return '#ffffff';
    context.fillStyle = '#ffffff';
    context.fillStyle = color;
    context.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
    return `#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`;
  };
}
