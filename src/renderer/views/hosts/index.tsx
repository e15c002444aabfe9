import { useLocation } from 'wouter';
import { HostFormPage } from './form/HostForm.tsx';
import { HostList } from './HostList.tsx';
import { HostPage } from './HostPage.tsx';
import { ImportPage } from './import/ImportPage.tsx';

/** `/hosts`, `/hosts/new`, `/hosts/import`, `/hosts/ID`, `/hosts/ID/edit`. */
export function HostsView() {
  const [path] = useLocation();
  const [, , first, second] = path.split('/');
  if (!first) return <HostList />;
  if (first === 'new') return <HostFormPage key="new" />;
  if (first === 'import') return <ImportPage />;
  const id = Number(first);
  return second === 'edit' ? <HostFormPage key={id} id={id} /> : <HostPage key={id} id={id} />;
}
