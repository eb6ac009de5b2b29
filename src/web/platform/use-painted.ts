import { startTransition, useEffect, useState } from 'react';

/**
 * False in the first render of a component, and true once that is on screen: what customers do not see at once renders
 * then. Earlier, it could delay the frame.
 */
export function useIsPainted(): boolean {
  const [isPainted, setIsPainted] = useState(false);
  // A transition renders in a task of its own, after the frame.
  useEffect(() => void requestAnimationFrame(() => startTransition(() => setIsPainted(true))), []);
  return isPainted;
}
