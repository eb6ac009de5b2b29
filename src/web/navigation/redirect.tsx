import { useEffect } from 'react';
import { useNavigate } from './navigation.ts';

/** Replaces the current entry of the history once it is rendered. */
export function Redirect({ to }: { to: string }): null {
  const navigate = useNavigate();
  useEffect(() => void navigate(to, { replace: true }), [navigate, to]);
  return null;
}
