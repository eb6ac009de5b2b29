import { createHash } from 'node:crypto';
import { relative } from 'node:path';

const ID_LENGTH = 3;

/**
 * Names the classes of CSS modules `name_id`, with an id of the file. Vite's own names are longer by their line, which
 * costs 300 bytes of the home page's first round trip.
 */
export function createClassNames(root: string): (name: string, file: string) => string {
  const files = new Map<string, string>();
  return (name, file) => {
    const path = relative(root, file);
    const id = createHash('sha256').update(path).digest('base64url').slice(0, ID_LENGTH);
    const other = files.get(id) ?? path;
    if (other !== path) throw new Error(`The classes of ${path} and ${other} have the same id. Rename one.`);
    files.set(id, path);
    return `${name}_${id}`;
  };
}
