/** A path of the contract (`/api/orders/{id}`) as the router writes it (`/api/orders/:id`). */
export function honoPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}
