import { Link } from 'react-router';
import { EmptyState } from '#web/ui/empty-state.tsx';

export function NotFoundScreen() {
  return (
    <main id="main" tabIndex={-1}>
      <EmptyState
        titleAs="h1"
        title="We could not find that page"
        action={<Link to="/">Go to the start</Link>}
      />
    </main>
  );
}
