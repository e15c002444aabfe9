import { useLocation } from 'wouter';
import { TargetList } from './TargetList.tsx';
import { TargetPage } from './TargetPage.tsx';

export { TargetForm } from './TargetForm.tsx';

/** `/targets`, `/targets/new`, `/targets/ID`, `/targets/ID/PART`. */
export function TargetsView() {
  const [path] = useLocation();
  const [, , first, part] = path.split('/');
  if (!first) return <TargetList />;
  if (first === 'new') return <TargetPage key="new" />;
  return <TargetPage key={first} id={Number(first)} {...(part ? { part } : {})} />;
}
