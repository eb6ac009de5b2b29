import { Link } from 'react-router';
import { fillPath, staffPages } from '#contract/paths.ts';

/** An order's reference, which opens its page. */
export function OrderLink({ reference }: { reference: string }) {
  return <Link to={fillPath(staffPages.order, { reference })}>{reference}</Link>;
}
