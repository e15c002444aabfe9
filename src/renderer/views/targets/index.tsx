import { useLocation } from 'wouter';
import { TargetList } from './TargetList.tsx';
import { TargetPage } from './TargetPage.tsx';

/** `/targets`, `/targets/new`, `/targets/ID`. */
export function TargetsView() {
  const [path] = useLocation();
  const [, , first] = path.split('/');
  if (!first) return <TargetList />;
  return first === 'new' ? <TargetPage key="new" /> : <TargetPage key={first} id={Number(first)} />;
}
